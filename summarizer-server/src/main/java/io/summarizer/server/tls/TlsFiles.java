package io.summarizer.server.tls;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The TLS files and settings of a listener. Immutable.
 *
 * @param certificate PEM file: the listener's certificate, then its chain up to one that its clients know
 * @param key PEM file: its private key, PKCS #8
 * @param keyPassword file with the key's password; null when it is not encrypted
 * @param clientCa PEM file: the certificates that vouch for clients; null when no client certificate is requested
 * @param allowedNames patterns of names, one of which a client's certificate must have; none: any valid certificate is
 *     accepted
 * @param handshakeTimeout after which a slower client is disconnected
 */
public record TlsFiles(
        Path certificate,
        Path key,
        @Nullable Path keyPassword,
        @Nullable Path clientCa,
        ClientCertificates clientCertificates,
        List<String> allowedNames,
        Duration handshakeTimeout) {
    /** Default timeout of a handshake. */
    public static final Duration HANDSHAKE_TIMEOUT = Duration.ofSeconds(10);

    public TlsFiles {
        allowedNames = List.copyOf(allowedNames);
        if (clientCertificates != ClientCertificates.NONE && clientCa == null) {
            throw new IllegalArgumentException("client certificates are judged by those of a CA, and none is given");
        }
    }

    /** Makes files without client certificates. */
    public static TlsFiles of(Path certificate, Path key) {
        return new TlsFiles(certificate, key, null, null, ClientCertificates.NONE, List.of(), HANDSHAKE_TIMEOUT);
    }

    /** Returns these files with client certificates that one of {@code clientCa} vouches for. */
    public TlsFiles withClients(Path clientCa, ClientCertificates clientCertificates, String... allowedNames) {
        return new TlsFiles(
                certificate, key, keyPassword, clientCa, clientCertificates, List.of(allowedNames), handshakeTimeout);
    }

    /** Returns these files with another timeout of handshakes. */
    public TlsFiles withHandshakeTimeout(Duration handshakeTimeout) {
        return new TlsFiles(
                certificate, key, keyPassword, clientCa, clientCertificates, allowedNames, handshakeTimeout);
    }

    /** All files. */
    List<Path> all() {
        return Stream.of(certificate, key, keyPassword, clientCa)
                .flatMap(Stream::ofNullable)
                .toList();
    }
}
