package io.summarizer.server.e2e;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Reads the files of rejected messages by their format: {@code LENGTH SP bytes}, one after the other. */
final class RejectFiles {
    private RejectFiles() {}

    /** Returns the files of a reason: the one being written and those that are full. */
    static List<Path> of(Path folder, String reason) throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, reason + "{,.*}.frames")) {
            found.forEach(files::add);
        }
        return files;
    }

    /** Returns all complete frames kept for a reason, sorted; each byte a character. */
    static List<String> frames(Path folder, String reason) throws IOException {
        List<String> frames = new ArrayList<>();
        for (Path file : of(folder, reason)) {
            String content = Files.readString(file, StandardCharsets.ISO_8859_1);
            int at = 0;
            while (at < content.length()) {
                int space = content.indexOf(' ', at);
                int end = space < 0 ? content.length() + 1 : space + 1 + Integer.parseInt(content.substring(at, space));
                if (end > content.length()) {
                    break; // being written
                }
                frames.add(content.substring(space + 1, end));
                at = end;
            }
        }
        Collections.sort(frames);
        return frames;
    }
}
