package io.summarizer.server.access;

import io.summarizer.core.bytes.Sha256;
import io.summarizer.server.tls.FileBacked;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of a file. Each token has a line in the file: the token's role, a name, and the token's SHA-256 in
 * hexadecimal digits. Lines that begin with {@code #} are comments. Immutable.
 */
final class TokenFile {
    private static final long FILE_BYTES_MAX = 1 << 20;
    private static final int ENTRIES_MAX = 1000;
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

    private final List<Entry> entries;

    private TokenFile(List<Entry> entries) {
        this.entries = List.copyOf(entries);
    }

    /** A line of the file. */
    @SuppressWarnings("ArrayRecordComponent") // nobody changes it; equals is not used
    record Entry(Role role, String name, byte[] hash) {}

    /**
     * Reads a file.
     *
     * @throws IOException when the file cannot be used; the message names the line by its number, and contains no part
     *     of a hash
     */
    static TokenFile read(Path file) throws IOException {
        byte[] bytes = FileBacked.read(file, FILE_BYTES_MAX, "larger than 1 MiB: not a file of tokens");
        List<String> lines =
                new String(bytes, StandardCharsets.ISO_8859_1).lines().toList();
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                String at = file + ":" + (i + 1) + ": ";
                Entry entry = entry(at, line);
                for (Entry other : entries) {
                    if (Arrays.equals(other.hash, entry.hash)) {
                        throw new IOException(at + "the token of " + entry.name + " is that of " + other.name);
                    }
                }
                entries.add(entry);
            }
        }
        if (entries.isEmpty()) {
            throw new IOException(file + ": it has no token; bin/summarizer token makes one, and its line");
        }
        if (entries.size() > ENTRIES_MAX) {
            throw new IOException(file + ": more than " + ENTRIES_MAX + " tokens");
        }
        return new TokenFile(entries);
    }

    private static Entry entry(String at, String line) throws IOException {
        String[] words = line.split("\\s+", -1);
        if (Arrays.stream(words).anyMatch(word -> word.startsWith(Token.PREFIX))) {
            throw new IOException(
                    at + "this is a token itself, which others may have read here: make another one, and put"
                            + " the line here that bin/summarizer token prints");
        }
        if (words.length != 3) {
            throw new IOException(at + "a line has three words: a role, a name and the SHA-256 of a token");
        }
        if (!HASH.matcher(words[2]).matches()) {
            throw new IOException(at + "the third word is not a SHA-256: 64 small hexadecimal digits");
        }
        if (!Token.isName(words[1])) {
            throw new IOException(at + "the second word is not a name: up to 64 letters, digits and . _ @ -");
        }
        for (Role role : Role.values()) {
            if (role.word().equals(words[0])) {
                return new Entry(role, words[1], HexFormat.of().parseHex(words[2]));
            }
        }
        throw new IOException(at + "the first word is not a role: read or admin");
    }

    /**
     * Returns the entry of a token; null when the token is unknown. The method always compares the token with all bytes
     * of all entries. So the time of a comparison tells nothing about the entries.
     */
    @Nullable
    Entry find(String token) {
        byte[] hash = Sha256.of(token);
        Entry found = null;
        for (Entry entry : entries) {
            if (MessageDigest.isEqual(entry.hash, hash)) {
                found = entry;
            }
        }
        return found;
    }

    int size() {
        return entries.size();
    }
}
