package io.summarizer.server.service;

import io.summarizer.core.disk.OwnerOnly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The permissions of a data folder. What this service makes there is its user's alone; what an earlier version, or a copy, left open to
 * others is closed at the start. Used by the thread that starts the service, when it holds the folder's lock.
 */
final class DataFolder {
    private static final System.Logger LOGGER = System.getLogger(DataFolder.class.getName());

    /** What a data folder has of ours. */
    private static final Set<String> NAMES = Set.of("lock", "checkpoints", "definitions", "journal", "rejects");

    private DataFolder() {}

    /** Closes what is of this service to others; the folder itself only where nothing else is in it. Says what it changed. */
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
