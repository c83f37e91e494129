package io.summarizer.flink.result;

import java.io.IOException;
import java.net.URI;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystemFactory;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.local.LocalFileSystem;

/** The local files by the scheme {@code failing}, which can be changed a given number of times only. One thread. */
public final class FailingFiles extends LocalFileSystem {
    /** Message of a failure. */
    static final String MESSAGE = "no more changes";

    private static final URI ROOT = URI.create("failing:///");

    /** Number of changes that succeed from now on. */
    private static long left = Long.MAX_VALUE;

    /** Makes all changes fail after {@code changes} of them. */
    static void failAfter(long changes) {
        left = changes;
    }

    /** Name of a folder whose changes fail. */
    static String name(java.nio.file.Path folder) {
        return "failing://" + folder.toAbsolutePath();
    }

    private static void change() throws IOException {
        if (left-- <= 0) {
            throw new IOException(MESSAGE);
        }
    }

    @Override
    public URI getUri() {
        return ROOT;
    }

    @Override
    public FSDataOutputStream create(Path path, WriteMode mode) throws IOException {
        change();
        return super.create(path, mode);
    }

    /** Renames to a name that is not there, as object stores and HDFS do. */
    @Override
    public boolean rename(Path from, Path to) throws IOException {
        change();
        return !exists(to) && super.rename(from, to);
    }

    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
        change();
        return super.delete(path, recursive);
    }

    /** Made by Flink. */
    public static final class Factory implements FileSystemFactory {
        @Override
        public String getScheme() {
            return "failing";
        }

        @Override
        public FileSystem create(URI name) {
            return new FailingFiles();
        }
    }
}
