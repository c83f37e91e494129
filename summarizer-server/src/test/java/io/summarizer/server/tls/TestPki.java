package io.summarizer.server.tls;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A certificate authority for tests: makes certificates for any names and dates (RFC 5280, in hand-written DER, because
 * the JDK reads certificates and makes none), and writes them as PEM files.
 */
public final class TestPki {
    private static final Duration VALID = Duration.ofDays(30);
    private static final AtomicLong SERIALS = new AtomicLong(1);

    private static final byte[] ECDSA_WITH_SHA256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
    private static final byte[] RSA_WITH_SHA256 =
            sequence(oid(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b), tagged(0x05));

    private final String name;
    private final KeyPair keys;
    private final X509Certificate certificate;

    /** Makes an authority with a key of its own. */
    public TestPki(String name) {
        this.name = name;
        keys = keys("EC");
        certificate =
                sign(name, keys, null, Instant.now().minus(VALID), Instant.now().plus(VALID), true, name, keys);
    }

    /** A certificate and its key. */
    public record Identity(X509Certificate certificate, KeyPair keys) {
        /** Writes {@code NAME.pem} and {@code NAME-key.pem}. */
        public Pair write(Path folder, String name) throws IOException {
            Pair files = new Pair(folder.resolve(name + ".pem"), folder.resolve(name + "-key.pem"));
            replace(files);
            return files;
        }

        /** Writes it over another one. */
        public void replace(Pair files) throws IOException {
            try {
                Files.writeString(files.certificate(), pem("CERTIFICATE", certificate.getEncoded()));
            } catch (GeneralSecurityException e) {
                throw new AssertionError(e);
            }
            Files.writeString(files.key(), pem("PRIVATE KEY", encoded(keys)));
            Files.setPosixFilePermissions(files.key(), PosixFilePermissions.fromString("rw-------"));
        }
    }

    /** A private key as PKCS #8. One for EC includes the public key, as openssl writes it and GnuTLS needs it. */
    private static byte[] encoded(KeyPair keys) {
        if (!(keys.getPrivate() instanceof ECPrivateKey key)) {
            return keys.getPrivate().getEncoded();
        }
        byte[] info = keys.getPublic().getEncoded(); // P-256: a header of 2 bytes, 21 of the algorithm, then the point
        byte[] algorithm = Arrays.copyOfRange(info, 2, 23);
        byte[] point = Arrays.copyOfRange(info, 23, info.length);
        byte[] secret = new byte[32];
        byte[] number = key.getS().toByteArray();
        int length = Math.min(number.length, secret.length);
        System.arraycopy(number, number.length - length, secret, secret.length - length, length);
        byte[] ecKey = sequence(integer(1), tagged(0x04, secret), tagged(0xa1, point));
        return sequence(integer(0), algorithm, tagged(0x04, ecKey));
    }

    /** The files of an identity. */
    public record Pair(Path certificate, Path key) {
        /** Settings of a listener with these files, and without client certificates. */
        public TlsFiles files() {
            return new TlsFiles(
                    certificate, key, null, null, ClientCertificates.NONE, List.of(), Duration.ofSeconds(10));
        }
    }

    /** Returns these settings with client certificates that one of {@code ca} vouches for. */
    public static TlsFiles withClients(TlsFiles files, Path ca, ClientCertificates clients, String... allowedNames) {
        return new TlsFiles(
                files.certificate(),
                files.key(),
                files.keyPassword(),
                ca,
                clients,
                List.of(allowedNames),
                files.handshakeTimeout());
    }

    /** Returns these settings with another timeout of handshakes. */
    public static TlsFiles withHandshakeTimeout(TlsFiles files, Duration handshakeTimeout) {
        return new TlsFiles(
                files.certificate(),
                files.key(),
                files.keyPassword(),
                files.clientCa(),
                files.clientCertificates(),
                files.allowedNames(),
                handshakeTimeout);
    }

    /** A certificate for {@code localhost} and 127.0.0.1. */
    public Identity server() {
        return issue(
                "localhost", "EC", Instant.now().minus(VALID), Instant.now().plus(VALID), "localhost");
    }

    /** The same with keys of RSA, as rsyslog's own tools make them. */
    public Identity rsaServer() {
        return issue(
                "localhost", "RSA", Instant.now().minus(VALID), Instant.now().plus(VALID), "localhost");
    }

    /** A certificate for these names. */
    public Identity client(String commonName, String... dnsNames) {
        return issue(commonName, "EC", Instant.now().minus(VALID), Instant.now().plus(VALID), dnsNames);
    }

    /** A certificate that expires after this time. */
    public Identity expiring(String name, Duration left) {
        return issue(name, "EC", Instant.now().minus(VALID), Instant.now().plus(left), name);
    }

    /** A certificate that expired a day ago. */
    public Identity expired(String name) {
        return issue(name, "EC", Instant.now().minus(VALID), Instant.now().minus(Duration.ofDays(1)), name);
    }

    /** Writes the authority's certificate. */
    public Path write(Path folder) throws IOException {
        try {
            return Files.writeString(folder.resolve(name + "-ca.pem"), pem("CERTIFICATE", certificate.getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private Identity issue(String commonName, String kind, Instant from, Instant to, String... dnsNames) {
        KeyPair own = keys(kind);
        return new Identity(sign(commonName, own, dnsNames, from, to, false, name, keys), own);
    }

    static String pem(String label, byte[] der) {
        return "-----BEGIN " + label + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der)
                + "\n-----END " + label + "-----\n";
    }

    private static KeyPair keys(String kind) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(kind);
            generator.initialize(kind.equals("EC") ? 256 : 2048);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static X509Certificate sign(
            String commonName,
            KeyPair subject,
            String @Nullable [] dnsNames,
            Instant from,
            Instant to,
            boolean authority,
            String issuer,
            KeyPair issuerKeys) {
        boolean rsa = issuerKeys.getPrivate().getAlgorithm().equals("RSA");
        byte[] algorithm = rsa ? RSA_WITH_SHA256 : ECDSA_WITH_SHA256;
        byte[] basicConstraints = extension(0x13, authority ? sequence(bool(true)) : sequence());
        byte[] extensions = basicConstraints;
        if (dnsNames != null && dnsNames.length > 0) {
            byte[][] names = new byte[dnsNames.length + 1][];
            for (int i = 0; i < dnsNames.length; i++) {
                names[i] = tagged(0x82, dnsNames[i].getBytes(StandardCharsets.US_ASCII));
            }
            names[dnsNames.length] = tagged(0x87, new byte[] {127, 0, 0, 1});
            extensions = join(basicConstraints, extension(0x11, sequence(names)));
        }
        byte[] tbs = sequence(
                tagged(0xa0, integer(2)),
                integer(SERIALS.incrementAndGet()),
                algorithm,
                distinguishedName(issuer),
                sequence(time(from), time(to)),
                distinguishedName(commonName),
                subject.getPublic().getEncoded(),
                tagged(0xa3, sequence(extensions)));
        try {
            Signature signature = Signature.getInstance(rsa ? "SHA256withRSA" : "SHA256withECDSA");
            signature.initSign(issuerKeys.getPrivate());
            signature.update(tbs);
            byte[] der = sequence(tbs, algorithm, tagged(0x03, new byte[] {0}, signature.sign()));
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] distinguishedName(String commonName) {
        return sequence(tagged(
                0x31, sequence(oid(0x55, 0x04, 0x03), tagged(0x0c, commonName.getBytes(StandardCharsets.UTF_8)))));
    }

    private static byte[] extension(int number, byte[] value) {
        return sequence(oid(0x55, 0x1d, number), tagged(0x04, value));
    }

    private static byte[] time(Instant time) {
        String text = DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'")
                .withZone(ZoneOffset.UTC)
                .format(time);
        return tagged(0x18, text.getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] bool(boolean value) {
        return tagged(0x01, new byte[] {(byte) (value ? 0xff : 0)});
    }

    private static byte[] integer(long value) {
        return tagged(0x02, BigInteger.valueOf(value).toByteArray());
    }

    static byte[] oid(int... bytes) {
        byte[] value = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            value[i] = (byte) bytes[i];
        }
        return tagged(0x06, value);
    }

    static byte[] sequence(byte[]... parts) {
        return tagged(0x30, parts);
    }

    static byte[] tagged(int tag, byte[]... parts) {
        byte[] value = join(parts);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        if (value.length < 0x80) {
            out.write(value.length);
        } else if (value.length < 0x100) {
            out.write(0x81);
            out.write(value.length);
        } else {
            out.write(0x82);
            out.write(value.length >> 8);
            out.write(value.length);
        }
        out.writeBytes(value);
        return out.toByteArray();
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
