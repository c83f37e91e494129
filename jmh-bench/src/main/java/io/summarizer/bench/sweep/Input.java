package io.summarizer.bench.sweep;

import io.summarizer.bench.e2e.Traffic;
import io.summarizer.server.replay.FrameReader;
import io.summarizer.server.replay.Replay;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file of lines to send.
 *
 * @param messages number of messages in the file
 * @param updates whether each message makes exactly one update, like the reference workload's events
 */
public record Input(Path file, long messages, boolean updates) {
    private static final long V1_EVENTS = 1_000_000;
    private static final long V2_EVENTS = 400_000;

    /** Usual number of events in a workload's file, which is enough for most keys to occur. */
    public static long events(String workload) {
        return workload.equals("v1") ? V1_EVENTS : V2_EVENTS;
    }

    /** Writes events of a {@link Traffic}. */
    public static Input generated(String workload, long events, Path file) throws IOException {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
            Traffic.of(workload).workload().writeTo(out, events);
        }
        return new Input(file, events, true);
    }

    /**
     * Writes the messages of a captured file, one on each line. The captured file may have any framing, and may be
     * compressed.
     *
     * @throws IOException also when a message contains a line feed, or there is no message
     */
    public static Input captured(Path source, Path file) throws IOException {
        long messages = 0;
        try (InputStream in = Replay.unpacked(Files.newInputStream(source));
                OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
            FrameReader reader = new FrameReader(in);
            while (reader.next()) {
                int end = reader.offset() + reader.length();
                for (int i = reader.offset(); i < end; i++) {
                    if (reader.buffer()[i] == '\n') {
                        throw new IOException(source + ": message " + (messages + 1) + " holds a line feed");
                    }
                }
                out.write(reader.buffer(), reader.offset(), reader.length());
                out.write('\n');
                messages++;
            }
        }
        if (messages == 0) {
            throw new IOException(source + " has no messages");
        }
        return new Input(file, messages, false);
    }
}
