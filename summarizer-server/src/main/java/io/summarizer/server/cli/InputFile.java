package io.summarizer.server.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Checks of a file that a command reads. */
final class InputFile {
    private static final int START_BYTES = 6;

    /** The formats that commands do not unpack. */
    private static final Packing[] PACKINGS = {
        new Packing("zstd", "zstdcat", "\\x28\\xb5\\x2f\\xfd|[\\x50-\\x5f]\\x2a\\x4d\\x18"),
        new Packing("xz", "xzcat", "\\xfd7zXZ\\x00"),
        new Packing("bzip2", "bzcat", "BZh[1-9](1A|\\x17r)"),
        new Packing("lz4", "lz4cat", "[\\x02\\x04][\\x21\\x22][\\x4c\\x4d]\\x18"),
        new Packing("zip", "unzip -p", "PK\\x03\\x04"),
    };

    private InputFile() {}

    /**
     * A compressed format.
     *
     * @param unpacker the command that writes the unpacked file to its standard output
     * @param start matches the first bytes of a file of this format, in ISO 8859-1
     */
    private record Packing(String name, String unpacker, Pattern start) {
        Packing(String name, String unpacker, String start) {
            this(name, unpacker, Pattern.compile(start));
        }
    }

    /** Rejects an unreadable file before any work is done. */
    static void check(Path input) throws CommandFailure {
        if (Files.isDirectory(input)) {
            throw new CommandFailure(input + ": is a folder; name a file in it");
        }
        if (Files.notExists(input)) { // false also when a folder of the path is closed to this user
            throw new CommandFailure(input + ": no such file");
        }
        if (!Files.isReadable(input)) {
            throw new CommandFailure(input + ": this user may not read it");
        }
    }

    /** Rejects a log that is unreadable, or packed in another format than gzip, before any work is done. */
    static void checkLog(Path input) throws CommandFailure, IOException {
        check(input);
        if (!Files.isRegularFile(input)) {
            return; // what is read from a pipe is gone
        }
        String bytes;
        try (InputStream in = Files.newInputStream(input)) {
            bytes = new String(in.readNBytes(START_BYTES), StandardCharsets.ISO_8859_1);
        }
        for (Packing packing : PACKINGS) {
            if (packing.start.matcher(bytes).lookingAt()) {
                throw new CommandFailure(input + ": is packed with " + packing.name
                        + "; only gzip is unpacked here. Unpack it, and read standard input: " + packing.unpacker
                        + " FILE | summarizer ... -");
            }
        }
    }
}
