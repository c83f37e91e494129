package io.summarizer.server.cli;

import io.summarizer.server.replay.Destination;
import io.summarizer.server.tls.ClientTls;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The TLS options of a command that connects: the certificates that the command trusts, and its own certificate. */
final class TlsOptions {
    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description = "With TLS: PEM file of the authorities to trust for the other side's certificate."
                    + " Default: the authorities that this JDK trusts.")
    private @Nullable Path ca;

    @Option(
            names = "--cert",
            paramLabel = "FILE",
            description = "With TLS: PEM file with the certificate to show if the other side asks for one.")
    private @Nullable Path certificate;

    @Option(names = "--key", paramLabel = "FILE", description = "PEM file with the private key of --cert, PKCS #8.")
    private @Nullable Path key;

    /** Makes the TLS for {@code to}. Returns null when {@code to} is reached in plaintext. */
    @Nullable
    ClientTls of(Destination to) throws IOException, CommandFailure {
        if (to.encrypted()) {
            return made();
        }
        if (isGiven()) {
            throw CommandFailure.usage("--ca, --cert and --key: go with --to tls://... and relps://...");
        }
        return null;
    }

    /** Makes the TLS for a service. Returns null when no option is given. */
    @Nullable
    ClientTls ofService() throws IOException, CommandFailure {
        return isGiven() ? made() : null;
    }

    private boolean isGiven() {
        return ca != null || certificate != null || key != null;
    }

    private ClientTls made() throws IOException, CommandFailure {
        if ((certificate == null) != (key == null)) {
            throw CommandFailure.usage("--cert and --key: one goes with the other");
        }
        return ClientTls.of(ca, certificate, key);
    }

    /** Reports that messages were sent more than once. */
    static void tellResent(Terminal terminal, long messages) {
        if (messages > 0) {
            terminal.err()
                    .println(Units.count(messages)
                            + " of the messages were sent again, as the session broke before they were answered;"
                            + " those that had arrived may count twice");
        }
    }
}
