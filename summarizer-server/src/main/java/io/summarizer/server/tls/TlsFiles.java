package io.summarizer.server.tls;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a listener's TLS is made of. Immutable.
 *
 * @param certificate PEM file: the listener's certificate, then those that lead to the one its clients know
 * @param key PEM file: its private key, PKCS #8
 * @param keyPassword file with the key's password; null when it is not encrypted
 * @param clientCa PEM file: the certificates by which those of clients are good; null when none are asked for
 * @param allowedNames patterns of names, one of which a client's certificate has to have; none: any good one will do
 * @param handshakeTimeout a client that takes longer is cut off
 */
public record TlsFiles(
        Path certificate,
        Path key,
        @Nullable Path keyPassword,
        @Nullable Path clientCa,
        ClientCertificates clientCertificates,
        List<String> allowedNames,
        Duration handshakeTimeout) {
    /** How long a handshake may take unless told otherwise. */
    public static final Duration HANDSHAKE_TIMEOUT = Duration.ofSeconds(10);

    public TlsFiles {
        allowedNames = List.copyOf(allowedNames);
        if (clientCertificates != ClientCertificates.NONE && clientCa == null) {
            throw new IllegalArgumentException("client certificates are judged by those of a CA, and none is given");
        }
    }

    /** With a certificate of its own, asking clients for none. */
    public static TlsFiles of(Path certificate, Path key) {
        return new TlsFiles(certificate, key, null, null, ClientCertificates.NONE, List.of(), HANDSHAKE_TIMEOUT);
    }

    /** Also asks clients for a certificate that one of {@code clientCa} vouches for. */
    public TlsFiles withClients(Path clientCa, ClientCertificates clientCertificates, String... allowedNames) {
        return new TlsFiles(
                certificate, key, keyPassword, clientCa, clientCertificates, List.of(allowedNames), handshakeTimeout);
    }

    /** With another bound on handshakes. */
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
