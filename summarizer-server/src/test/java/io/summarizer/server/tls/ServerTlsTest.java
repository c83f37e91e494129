package io.summarizer.server.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Faults of files, and their messages, which never contain a part of a key or a password. */
class ServerTlsTest {
    private final TestPki pki = new TestPki("ca");
    private final TestPki.Identity identity = pki.server();

    @TempDir
    Path folder;

    private TestPki.Pair pair() throws IOException {
        return identity.write(folder, "server");
    }

    private static void load(TestPki.Pair pair, @Nullable Path password) throws IOException {
        TlsFiles files = pair.files();
        ServerTls tls = new ServerTls(
                "test",
                new TlsFiles(
                        files.certificate(),
                        files.key(),
                        password,
                        null,
                        ClientCertificates.NONE,
                        files.allowedNames(),
                        files.handshakeTimeout()));
        assertThat(tls.newHandler(UnpooledByteBufAllocator.DEFAULT).engine().getEnabledProtocols())
                .containsExactlyInAnyOrder("TLSv1.3", "TLSv1.2");
    }

    private static void assertRefused(TestPki.Pair pair, @Nullable Path password, String... words) throws IOException {
        String key = Files.exists(pair.key()) ? Files.readString(pair.key()) : "";
        assertThatThrownBy(() -> load(pair, password))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll(words)
                .satisfies(thrown -> {
                    for (Throwable at = thrown; at != null; at = at.getCause()) {
                        String said = at.toString();
                        assertThat(key.lines().filter(line -> line.length() > 20 && !line.startsWith("---")))
                                .noneMatch(said::contains);
                        assertThat(said).doesNotContain("correct horse");
                    }
                });
    }

    @Test
    void keysOfAllKindsAreTaken() throws IOException {
        load(pair(), null);
        load(pki.rsaServer().write(folder, "rsa"), null);
    }

    @Test
    void aFileThatIsNotThereOrHasSomethingElseIsNamed() throws IOException {
        TestPki.Pair pair = pair();
        assertRefused(new TestPki.Pair(folder.resolve("none.pem"), pair.key()), null, "none.pem: no such file");
        assertRefused(new TestPki.Pair(pair.certificate(), folder.resolve("none.pem")), null, "none.pem: no such file");
        assertRefused(new TestPki.Pair(folder, pair.key()), null, folder + ": is a folder");
        assertRefused(
                new TestPki.Pair(pair.key(), pair.key()),
                null,
                "server-key.pem: it has no certificate, but PRIVATE KEY");
        assertRefused(
                new TestPki.Pair(pair.certificate(), pair.certificate()), null, "server.pem: it has no PRIVATE KEY");
        Files.writeString(pair.certificate(), "nothing of the kind");
        assertRefused(pair, null, "server.pem: no PEM file");
    }

    @Test
    void aKeyOfAnotherCertificateIsFoundOut() throws IOException {
        TestPki.Pair other = pki.server().write(folder, "other");
        assertRefused(new TestPki.Pair(pair().certificate(), other.key()), null, "not that of the certificate");
        TestPki.Pair rsa = pki.rsaServer().write(folder, "rsa");
        assertRefused(new TestPki.Pair(pair().certificate(), rsa.key()), null, "no EC key");
    }

    @ParameterizedTest
    @CsvSource({"DSA, 2048", "RSASSA-PSS, 2048"})
    void aKeyThatNoCipherCanUseIsRefused(String algorithm, int bits) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
        generator.initialize(bits);
        KeyPair keys = generator.generateKeyPair();
        Path file = Files.writeString(
                folder.resolve("other.pem"),
                TestPki.pem("PRIVATE KEY", keys.getPrivate().getEncoded()));
        assertThatThrownBy(() -> PrivateKeyFile.read(file, null, keys.getPublic()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("other.pem: keys of this kind cannot be used (" + algorithm + ")");
    }

    @Test
    void aFileThatIsCutShortIsIncomplete() throws IOException {
        TestPki.Pair pair = pair();
        String whole = Files.readString(pair.certificate()) + Files.readString(pki.write(folder));
        Files.writeString(pair.certificate(), whole.substring(0, whole.length() - 10));
        assertRefused(pair, null, "server.pem: incomplete: 2 blocks begin in it, and 1 end");
    }

    @Test
    void aCertificateThatIsExpiredDoesNotReplaceAValidOne() throws IOException {
        TestPki.Pair pair = pki.expiring("a", Duration.ofDays(1)).write(folder, "renewed");
        ServerTls tls = new ServerTls("test", pair.files());
        Instant expires = tls.expires();
        pki.expired("a").replace(pair);
        tls.refresh();
        assertThat(tls.isCurrent()).isFalse();
        assertThat(tls.expires()).isEqualTo(expires).isAfter(Instant.now());
        pki.server().replace(pair);
        tls.refresh();
        assertThat(tls.isCurrent()).isTrue();
        assertThat(tls.expires()).isNotEqualTo(expires);
    }

    @Test
    void anExpiredCertificateIsTakenAtTheStart() throws IOException {
        TestPki.Pair pair = pki.expired("a").write(folder, "old");
        ServerTls tls = new ServerTls("test", pair.files());
        pki.expired("b").replace(pair);
        tls.refresh();
        assertThat(tls.reloads()).isEqualTo(1);
    }

    @Test
    void aKeyOfAnotherFormIsToldHowToBeConverted() throws IOException {
        TestPki.Pair pair = pair();
        String pkcs8 = Files.readString(pair.key());
        Files.writeString(pair.key(), pkcs8.replace("PRIVATE KEY", "EC PRIVATE KEY"));
        assertRefused(pair, null, "EC PRIVATE KEY", "PKCS #8", "openssl pkcs8 -topk8");
        Files.writeString(
                pair.key(),
                pkcs8.replace("BEGIN PRIVATE KEY-----", "BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n")
                        .replace("END PRIVATE", "END RSA PRIVATE"));
        assertRefused(pair, null, "RSA PRIVATE KEY", "PKCS #8");
        Files.writeString(pair.key(), pkcs8.substring(0, 60) + "\n" + "-----END PRIVATE KEY-----\n");
        assertRefused(pair, null, "no EC key");
    }

    @Test
    void anEncryptedKeyOpensWithItsPasswordAlone() throws Exception {
        TestPki.Pair pair = pair();
        Files.writeString(pair.key(), encrypted("correct horse"));
        Path password = Files.writeString(folder.resolve("password"), "correct horse\n");
        load(pair, password);
        assertRefused(pair, null, "encrypted", "key-password-file");
        Files.writeString(password, "wrong\n");
        assertRefused(pair, password, "password");
        assertRefused(pair, folder.resolve("none"), "none: no such file");
    }

    /** Encrypts like {@code openssl pkcs8 -topk8}. */
    private String encrypted(String password) throws Exception {
        String algorithm = "PBEWithHmacSHA256AndAES_256";
        SecretKey key = SecretKeyFactory.getInstance(algorithm).generateSecret(new PBEKeySpec(password.toCharArray()));
        Cipher cipher = Cipher.getInstance(algorithm);
        cipher.init(Cipher.ENCRYPT_MODE, key);
        byte[] bytes = cipher.doFinal(identity.keys().getPrivate().getEncoded());
        // PBES2 (RFC 8018): the JDK reads it and does not write it.
        byte[] scheme = TestPki.oid(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x05, 0x0d);
        byte[] der = TestPki.sequence(
                TestPki.sequence(scheme, cipher.getParameters().getEncoded()), TestPki.tagged(0x04, bytes));
        return TestPki.pem("ENCRYPTED PRIVATE KEY", der);
    }

    @Test
    void textAroundCertificatesAndWholeChainsAreRead() throws IOException {
        TestPki.Pair pair = pair();
        Files.writeString(
                pair.certificate(),
                "Bag Attributes\n  friendlyName: x\n" + Files.readString(pair.certificate()) + "\nissuer=/CN=ca\n"
                        + Files.readString(pki.write(folder)));
        assertThat(Pem.read(pair.certificate()).certificates()).hasSize(2);
        load(pair, null);
        Files.writeString(
                pair.certificate(),
                TestPki.pem("CERTIFICATE", Base64.getDecoder().decode("AAAA")));
        assertRefused(pair, null, "certificate 1 in it cannot be read");
    }
}
