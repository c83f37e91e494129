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
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The folder {@code windows} of a data folder. It has a folder for each summary, with the closed windows of the
 * summary. Stateless.
 */
final class WindowData {
    /** Name of the folder in a data folder. */
    private static final String FOLDER = "windows";

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
                summaries(folder), summary -> disk.folder(DataFolder.nameOf(summary)), threads, notes);
    }

    private static List<String> summaries(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> folders = Files.list(folder)) {
            return folders.filter(Files::isDirectory)
                    .map(path -> String.valueOf(path.getFileName()))
                    .map(name -> URLDecoder.decode(name, StandardCharsets.UTF_8))
                    .toList();
        }
    }
}
