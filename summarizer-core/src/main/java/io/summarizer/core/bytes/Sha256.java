package io.summarizer.core.bytes;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256 (FIPS 180-4), which each Java platform has. Stateless. */
public final class Sha256 {
    private Sha256() {}

    /** A new digest, for one thread. */
    public static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java platform has no SHA-256", e);
        }
    }

    /** The hash of bytes. */
    public static byte[] of(byte[] bytes) {
        return newDigest().digest(bytes);
    }

    /** The hash of a text in UTF-8. */
    public static byte[] of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }
}
