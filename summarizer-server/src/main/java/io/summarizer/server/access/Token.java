package io.summarizer.server.access;

import io.summarizer.core.bytes.Sha256;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * A secret of 256 random bits, as text that fits into a header. Nobody can guess a token, so a plain SHA-256 hash
 * protects it well enough. Only passwords that people choose need salt and slow hashes.
 */
public final class Token {
    /** Prefix of a token, by which people and scanners for leaked secrets recognize it. */
    static final String PREFIX = "smz_";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._@-]{1,64}");
    private static final int RANDOM_BYTES = 32;

    private final String text;

    private Token(String text) {
        this.text = text;
    }

    /** Makes a new token. */
    public static Token random() {
        byte[] bytes = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(bytes);
        return new Token(PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    /** The secret itself. */
    public String secret() {
        return text;
    }

    /** Returns the line that the service's file of tokens needs for this token. */
    public String line(Role role, String name) {
        return role.word() + " " + name + " " + HexFormat.of().formatHex(Sha256.of(text));
    }

    /** Whether a text is a valid name of a token's holder. */
    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /** Hides the secret. */
    @Override
    public String toString() {
        return PREFIX + "...";
    }
}
