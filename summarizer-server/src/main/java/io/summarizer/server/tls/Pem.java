package io.summarizer.server.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The blocks of a PEM file (RFC 7468), in their order. Text between blocks is ignored. Immutable; {@link #toString}
 * does not print contents.
 */
final class Pem {
    private static final long FILE_BYTES_MAX = 1 << 20;
    private static final Pattern BEGIN = Pattern.compile("^-----BEGIN ", Pattern.MULTILINE);
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]{1,64})-----\\s*\\n(.*?)-----END \\1-----", Pattern.DOTALL);

    private final Path file;
    private final List<Block> blocks;

    private Pem(Path file, List<Block> blocks) {
        this.file = file;
        this.blocks = List.copyOf(blocks);
    }

    /**
     * A label and the decoded bytes between its two lines.
     *
     * @param label the label, as in {@code BEGIN CERTIFICATE}
     */
    @SuppressWarnings("ArrayRecordComponent") // equals is not used
    record Block(String label, byte[] der) {
        @Override
        public byte[] der() {
            return der.clone();
        }
    }

    /**
     * Reads a file.
     *
     * @throws IOException when the file cannot be read, has no block or has a block without an end; the message names
     *     the file
     */
    static Pem read(Path file) throws IOException {
        String text = new String(
                FileBacked.read(file, FILE_BYTES_MAX, "larger than 1 MiB: not a PEM file"),
                StandardCharsets.ISO_8859_1);
        List<Block> blocks = new ArrayList<>();
        Matcher matcher = BLOCK.matcher(text);
        while (matcher.find()) {
            String label = matcher.group(1);
            try {
                blocks.add(new Block(label, Base64.getMimeDecoder().decode(body(matcher.group(2)))));
            } catch (IllegalArgumentException e) {
                // The decoder's message quotes the text, which may be the text of a key.
                throw new IOException(file + ": the block " + label + " is not base64");
            }
        }
        int begun = (int) BEGIN.matcher(text).results().count();
        if (!blocks.isEmpty() && blocks.size() < begun) {
            throw new IOException(
                    file + ": incomplete: " + begun + " blocks begin in it, and " + blocks.size() + " end");
        }
        if (blocks.isEmpty()) {
            throw new IOException(file + ": no PEM file: it has no -----BEGIN ...----- line with an end");
        }
        return new Pem(file, blocks);
    }

    /** Returns the body without the headers of old private keys, such as {@code Proc-Type: 4,ENCRYPTED}. */
    private static String body(String text) {
        return text.indexOf(':') < 0 ? text : "";
    }

    List<Block> blocks() {
        return blocks;
    }

    /**
     * Returns all certificates of the file, in their order.
     *
     * @throws IOException when there is no certificate, or a certificate cannot be read
     */
    List<X509Certificate> certificates() throws IOException {
        List<X509Certificate> certificates = new ArrayList<>();
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (Block block : blocks) {
                if (block.label().endsWith("CERTIFICATE")) {
                    certificates.add(
                            (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(block.der())));
                }
            }
        } catch (CertificateException e) {
            throw new IOException(
                    file + ": certificate " + (certificates.size() + 1) + " in it cannot be read: " + e.getMessage(),
                    e);
        }
        if (certificates.isEmpty()) {
            throw new IOException(file + ": it has no certificate, but " + labels());
        }
        return certificates;
    }

    /** The labels of all blocks, for people. */
    String labels() {
        return String.join(", ", blocks.stream().map(Block::label).distinct().toList());
    }

    @Override
    public String toString() {
        return file + " (" + labels() + ")";
    }
}
