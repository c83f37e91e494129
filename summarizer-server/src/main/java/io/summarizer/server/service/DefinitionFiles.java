package io.summarizer.server.service;

import io.summarizer.core.bytes.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/**
 * The files of definitions, and a name that depends only on their paths and contents. Immutable.
 *
 * @param texts texts by path from the definitions folder, with {@code /} between names
 */
public record DefinitionFiles(Map<String, String> texts) {
    public DefinitionFiles {
        texts = Map.copyOf(texts);
    }

    /** SHA-256, in hexadecimal, of all paths and texts, each with its length. */
    public String name() {
        MessageDigest digest = Sha256.newDigest();
        new TreeMap<>(texts).forEach((path, text) -> {
            update(digest, path);
            update(digest, text);
        });
        return HexFormat.of().formatHex(digest.digest());
    }

    private static void update(MessageDigest digest, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(utf8.length).flip());
        digest.update(utf8);
    }
}
