package io.summarizer.bench.sweep;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Requests a server's list of summaries repeatedly over one connection, and reads the number of probes. Each answer is
 * a cut, of which the server keeps nothing. A client of its own because it has to be cheap: it runs on the server's
 * machine. Used by one thread.
 */
final class Puller {
    private static final Pattern PROBES =
            Pattern.compile("\"name\":\"" + Probe.SUMMARY + "\",\"rows\":\\d+,\"updates\":(\\d+)");

    private final URL summaries;

    Puller(int port) throws IOException {
        summaries =
                URI.create("http://127.0.0.1:" + port + "/summaries?keep=no").toURL();
    }

    /** Returns the number of probes that a pull shows. */
    long probes() throws IOException {
        // Uses the connection of the last pull again.
        try (InputStream in = summaries.openStream()) {
            Matcher probes = PROBES.matcher(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            if (!probes.find()) {
                throw new IOException("the list of summaries has no " + Probe.SUMMARY);
            }
            return Long.parseLong(probes.group(1));
        }
    }
}
