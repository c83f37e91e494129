package io.summarizer.server.tls;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The TLS files and settings of a listener. Immutable.
 *
 * @param certificate PEM file with the listener's certificate, then its chain up to a certificate that clients trust
 * @param key PEM file with the private key of the certificate, PKCS #8
 * @param keyPassword file with the key's password; null when the key is not encrypted
 * @param clientCa PEM file with the certificates that vouch for clients; null when no client certificate is requested
 * @param allowedNames patterns of names. A client's certificate must have a name that matches one of the patterns; when
 *     there are no patterns, any valid certificate is accepted
 * @param handshakeTimeout time after which a client that has not completed the handshake is disconnected
 */
public record TlsFiles(
        Path certificate,
        Path key,
        @Nullable Path keyPassword,
        @Nullable Path clientCa,
        ClientCertificates clientCertificates,
        List<String> allowedNames,
        Duration handshakeTimeout) {
    public TlsFiles {
        allowedNames = List.copyOf(allowedNames);
        if (clientCertificates != ClientCertificates.NONE && clientCa == null) {
            throw new IllegalArgumentException("client certificates are judged by those of a CA, and none is given");
        }
    }

    /** All files. */
    List<Path> all() {
        return Stream.of(certificate, key, keyPassword, clientCa)
                .flatMap(Stream::ofNullable)
                .toList();
    }
}
