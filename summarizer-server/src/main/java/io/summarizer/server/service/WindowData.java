package io.summarizer.server.service;

import io.summarizer.core.disk.Disk;
import io.summarizer.core.disk.FileDisk;
import io.summarizer.core.recovery.WindowFolders;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The folder {@code windows} of a data folder. It has a folder for each summary, with the closed windows of the
 * summary. Stateless.
 */
final class WindowData {
    /** Name of the folder in a data folder. */
    private static final String FOLDER = "windows";
    /** A folder that many file systems have at their root, which only root may read. */
    private static final String OF_FILE_SYSTEM = "lost+found";

    private WindowData() {}

    /**
     * Opens the folders of all summaries that have closed windows.
     *
     * @param notes receives messages about files that are set aside, or cannot be deleted
     */
    static WindowFolders open(Path data, int threads, Consumer<String> notes) throws IOException {
        return in(data.resolve(FOLDER), threads, notes);
    }

    /** Opens the folders of all summaries that have closed windows in {@code folder}. */
    static WindowFolders in(Path folder, int threads, Consumer<String> notes) throws IOException {
        Disk disk = FileDisk.ofOwner(folder);
        return WindowFolders.open(
                summaries(folder, notes), summary -> disk.folder(DataFolder.nameOf(summary)), threads, notes);
    }

    private static List<String> summaries(Path folder, Consumer<String> notes) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> folders = Files.list(folder)) {
            return folders.filter(Files::isDirectory)
                    .flatMap(path -> summary(path, notes).stream())
                    .toList();
        }
    }

    /** The summary of a folder; empty for a folder that the service did not make. */
    private static Optional<String> summary(Path folder, Consumer<String> notes) {
        String name = String.valueOf(folder.getFileName());
        if (name.equals(OF_FILE_SYSTEM) && !Files.isReadable(folder)) {
            return Optional.empty();
        }
        try {
            String summary = URLDecoder.decode(name, StandardCharsets.UTF_8);
            if (DataFolder.nameOf(summary).equals(name)) {
                return Optional.of(summary);
            }
        } catch (IllegalArgumentException e) {
            // no name that the service gives
        }
        notes.accept(folder + " is left alone: it has no name of a folder of this service");
        return Optional.empty();
    }
}
