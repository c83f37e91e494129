package io.summarizer.bench.chaos;

import io.summarizer.bench.e2e.MessageFile;
import io.summarizer.server.workload.AdsWorkload;
import io.summarizer.server.workload.Workload;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Events of the reference workload for two senders, in a file of v1 and a file of v2. Each sender sends events of both
 * files alternately. Immutable; may be read by any thread.
 */
final class AdEvents implements AutoCloseable {
    private static final String NO_DATA = " - ";
    private static final String ID = " [ev@32473 id=\"%d\"] ";

    private final Path v1;
    private final Path v2;
    private final MessageFile flat;
    private final MessageFile nested;

    /**
     * Writes the files.
     *
     * @param events number of events of both kinds together, a multiple of four
     * @param folder an empty folder
     */
    AdEvents(long events, long seed, Path folder) throws IOException {
        v1 = write(AdsWorkload.v1(seed), events / 2, folder.resolve("v1.log"));
        v2 = write(AdsWorkload.v2(seed), events / 2, folder.resolve("v2.log"));
        flat = new MessageFile(v1);
        nested = new MessageFile(v2);
    }

    private static Path write(Workload workload, long events, Path file) throws IOException {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            workload.writeTo(out, events);
        }
        return file;
    }

    /** Syslog lines of the events of v1. */
    Path v1() {
        return v1;
    }

    /** Syslog lines of the events of v2. */
    Path v2() {
        return v2;
    }

    /** Event {@code number} of the first sender, without an id. */
    byte[] first(long number) {
        return line(number, 0);
    }

    /** Event {@code number} of the second sender, with an id. */
    byte[] second(long number) {
        String line = new String(line(number, 1), StandardCharsets.US_ASCII);
        int at = line.indexOf(NO_DATA);
        return (line.substring(0, at) + ID.formatted(number) + line.substring(at + NO_DATA.length()))
                .getBytes(StandardCharsets.US_ASCII);
    }

    private byte[] line(long number, int sender) {
        int inFile = Math.toIntExact(number / 2 * 2 + sender);
        return (number % 2 == 0 ? flat : nested).message(inFile);
    }

    @Override
    public void close() throws IOException {
        flat.close();
        nested.close();
    }
}
