package io.summarizer.server.cli;

import io.summarizer.server.replay.Destination;
import io.summarizer.server.tls.ClientTls;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The TLS options of a command that sends: the certificates that the command trusts, and its own certificate. */
final class SenderTls {
    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description =
                    "PEM file of the authorities to trust for the receiver's certificate. Default: the authorities that this JDK trusts.")
    private @Nullable Path ca;

    @Option(
            names = "--cert",
            paramLabel = "FILE",
            description = "PEM file with the certificate to show if the receiver asks for one.")
    private @Nullable Path certificate;

    @Option(names = "--key", paramLabel = "FILE", description = "PEM file with the private key of --cert, PKCS #8.")
    private @Nullable Path key;

    /** Makes the TLS for {@code to}. Returns null when {@code to} is reached in plaintext. */
    @Nullable
    ClientTls of(Destination to, Subcommand command) throws IOException {
        if (!to.encrypted()) {
            if (ca != null || certificate != null || key != null) {
                throw command.wrong("--ca, --cert and --key: go with --to tls://... and relps://...");
            }
            return null;
        }
        if ((certificate == null) != (key == null)) {
            throw command.wrong("--cert and --key: one goes with the other");
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
