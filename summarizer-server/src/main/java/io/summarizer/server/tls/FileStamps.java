package io.summarizer.server.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

/** How some files looked at a moment: equal as long as nothing was written to or put in place of any of them. Immutable. */
public final class FileStamps {
    private final List<String> stamps;

    private FileStamps(List<String> stamps) {
        this.stamps = stamps;
    }

    /** Looks at files; links are followed, and one that is not there looks like that. Cost: a system call each. */
    public static FileStamps of(List<Path> files) {
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
