package io.summarizer.server.cli;

import io.summarizer.server.access.Role;
import io.summarizer.server.access.Token;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code token}: makes a secret that allows requests to a service over HTTP. */
@Command(
        name = "token",
        description = {
            "Makes a token, and the line for the service's file of tokens.",
            "Prints the token, then the line to add to the file that http.tokens names. The service does not need the token itself, and the token is not stored anywhere: give it to the person or program that will use it."
        })
@SuppressWarnings("NullAway.Init") // picocli sets required options
final class TokenCommand extends JsonCommand {
    @Parameters(
            index = "0",
            paramLabel = "read|admin",
            description =
                    "Rights of the token: read (pulls, the ledger, metrics) or admin (also changes, such as resets).")
    private Role role;

    @Parameters(
            index = "1",
            paramLabel = "NAME",
            description = "Name of the owner, as a note for you: letters, digits and . _ @ -")
    private String name;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Write the token to this file, which only its owner can read, and print only the line.")
    private @Nullable Path out;

    /**
     * The answer as JSON.
     *
     * @param token the token; null when it was written to a file
     * @param line the line for the file that {@code http.tokens} names
     */
    record Answer(@Nullable String token, String line) {}

    @Override
    public Integer call() throws IOException, CommandFailure {
        if (!Token.isName(name)) {
            throw wrong("\"" + name + "\" is not a name: up to 64 letters, digits and . _ @ -");
        }
        Token token = Token.random();
        if (out != null) {
            write(out, token);
        }
        if (json.isGiven()) {
            JsonOption.print(new Answer(out == null ? token.secret() : null, token.line(role, name)), terminal);
            return Exit.OK;
        }
        if (out == null) {
            terminal.out().println(token.secret());
        }
        terminal.out().println(token.line(role, name));
        return Exit.OK;
    }

    private static void write(Path file, Token token) throws IOException, CommandFailure {
        FileAttribute<?>[] mine =
                Files.getFileAttributeView(file.toAbsolutePath().getRoot(), PosixFileAttributeView.class) == null
                        ? new FileAttribute<?>[0]
                        : new FileAttribute<?>[] {
                            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                        };
        try (OutputStream stream = Channels.newOutputStream(
                FileChannel.open(file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), mine))) {
            stream.write((token.secret() + "\n").getBytes(StandardCharsets.US_ASCII));
        } catch (FileAlreadyExistsException e) {
            throw new CommandFailure(Exit.USAGE, file + " is there already; a token in it would be lost", e);
        }
    }
}
