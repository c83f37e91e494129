package io.summarizer.bench.e2e;

import io.summarizer.bench.report.Processes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/**
 * A self-signed certificate for a server on loopback, as PEM files. The JDK's keytool makes it, and it is valid for a
 * day.
 *
 * @param certificate the certificate, which the server presents and clients trust
 * @param key private key of the certificate, PKCS #8
 */
public record OwnCertificate(Path certificate, Path key) {
    private static final String NAME = "localhost";
    private static final String PASSWORD = "benchmark";
    private static final int LINE_CHARS = 64;

    /** Makes one in a folder. */
    public static OwnCertificate in(Path folder) throws IOException, InterruptedException {
        Path store = folder.resolve("certificate.p12");
        Processes.run((Processes.jdk("keytool") + " -genkeypair -alias " + NAME
                        + " -keyalg EC -groupname secp256r1 -dname CN="
                        + NAME + " -ext san=dns:localhost,ip:127.0.0.1 -validity 1 -storetype PKCS12 -storepass "
                        + PASSWORD + " -keystore " + store)
                .split(" "));
        char[] password = PASSWORD.toCharArray();
        try (InputStream in = Files.newInputStream(store)) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(in, password);
            return new OwnCertificate(
                    pem(
                            folder.resolve("certificate.pem"),
                            "CERTIFICATE",
                            keys.getCertificate(NAME).getEncoded()),
                    pem(
                            folder.resolve("key.pem"),
                            "PRIVATE KEY",
                            keys.getKey(NAME, password).getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    private static Path pem(Path file, String what, byte[] der) throws IOException {
        String text = Base64.getMimeEncoder(LINE_CHARS, new byte[] {'\n'}).encodeToString(der);
        return Files.writeString(file, "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
    }
}
