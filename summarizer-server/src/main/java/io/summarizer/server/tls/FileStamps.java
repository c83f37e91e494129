package io.summarizer.server.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

/** State of some files at a moment: equal until one of them is written to or replaced. Immutable. */
final class FileStamps {
    private final List<String> stamps;

    private FileStamps(List<String> stamps) {
        this.stamps = stamps;
    }

    /** Looks at files; follows links, and notes that a file is absent. Cost: a system call each. */
    static FileStamps of(List<Path> files) {
        return new FileStamps(files.stream().map(FileStamps::stamp).toList());
    }

    private static String stamp(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return attributes.lastModifiedTime() + " " + attributes.size() + " " + attributes.fileKey();
        } catch (IOException e) {
            return "";
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FileStamps that && stamps.equals(that.stamps);
    }

    @Override
    public int hashCode() {
        return stamps.hashCode();
    }
}
