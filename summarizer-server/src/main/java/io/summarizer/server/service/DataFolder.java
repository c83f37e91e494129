package io.summarizer.server.service;

import io.summarizer.core.disk.OwnerOnly;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The names in a data folder, and its permissions. Files that the service makes there can be accessed only by the
 * service's user. An earlier version, or a copy, may have left files that other users can access; the start of the
 * service removes this access. Used by the thread that starts the service, while the service holds the folder's lock.
 */
final class DataFolder {
    private static final System.Logger LOGGER = System.getLogger(DataFolder.class.getName());

    /** Names of the service's files and folders in a data folder. */
    private static final Set<String> NAMES =
            Set.of("lock", "checkpoints", "definitions", "exports", "journal", "late", "rejects", "windows");

    private DataFolder() {}

    /**
     * The name of a summary, encoded for names of files and folders. A name in backticks may have characters that a
     * file name cannot have.
     */
    static String nameOf(String summary) {
        String name = URLEncoder.encode(summary, StandardCharsets.UTF_8).replace("*", "%2A");
        return name.startsWith(".") ? "%2E" + name.substring(1) : name;
    }

    /**
     * The name of the files with a summary's late messages, without ending. The name has no dots, because dots separate
     * endings.
     */
    static String lateNameOf(String summary) {
        return nameOf(summary).replace(".", "%2E");
    }

    /** The folder of late messages. */
    static Path late(Path data) {
        return data.resolve("late");
    }

    /**
     * Removes other users' access to the service's files and, if the folder has no other files, to the folder itself.
     * Logs the changes.
     */
    static void close(Path folder) throws IOException {
        List<Path> ours = new ArrayList<>();
        boolean others = false;
        try (Stream<Path> entries = Files.list(folder)) {
            for (Path entry : entries.toList()) {
                if (NAMES.contains(String.valueOf(entry.getFileName()))) {
                    ours.add(entry);
                } else {
                    others = true;
                }
            }
        }
        if (!others) {
            ours = List.of(folder);
        }
        int changed = 0;
        List<Path> left = new ArrayList<>();
        for (Path path : ours) {
            OwnerOnly.Tightened tightened = OwnerOnly.tighten(path);
            changed += tightened.changed();
            left.addAll(tightened.left());
        }
        if (changed > 0) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "other users could reach " + changed + " of the files and folders in " + folder
                            + "; now only the owner can");
        }
        if (!left.isEmpty()) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "other users can reach " + left.size() + " of the files and folders in " + folder
                            + ", which belong to another user: " + left.get(0));
        }
    }
}
