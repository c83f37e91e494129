package io.summarizer.server.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/**
 * A secret of 256 random bits, as text that a header can carry. Since nobody can guess one, its plain SHA-256 is enough to know it by:
 * salt and slow hashes are for what people think up.
 */
public final class Token {
    /** By which people, and programs that look for secrets in the wrong places, know one. */
    static final String PREFIX = "smz_";

    private static final int RANDOM_BYTES = 32;

    private final String text;

    private Token(String text) {
        this.text = text;
    }

    /** A new one. */
    public static Token random() {
        byte[] bytes = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(bytes);
        return new Token(PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    /** The secret itself. */
    public String secret() {
        return text;
    }

    /** The line by which a service knows it. */
    public String line(Role role, String name) {
        return role.word() + " " + name + " " + HexFormat.of().formatHex(hash(text));
    }

    /** Whether a text can be the name of whoever has a token. */
    public static boolean isName(String text) {
        return TokenFile.isName(text);
    }

    static byte[] hash(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    /** Nothing of the secret. */
    @Override
    public String toString() {
        return PREFIX + "...";
    }
}
