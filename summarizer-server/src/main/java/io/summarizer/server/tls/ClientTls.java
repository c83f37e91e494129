package io.summarizer.server.tls;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * A sender's side of TLS 1.2 and 1.3: the certificates that the sender trusts, and the sender's own certificate. The
 * sender must trust the receiver's certificate, and the certificate must be for the name or address to which the sender
 * connects. Immutable; any thread.
 */
public final class ClientTls {
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    private final SSLContext context;

    private ClientTls(SSLContext context) {
        this.context = context;
    }

    /**
     * Reads the files.
     *
     * @param ca PEM file with the trusted certificates; null means the certificates that this JDK trusts
     * @param certificate PEM file with the sender's certificate and its chain up to a certificate that the receiver
     *     trusts; null when the sender has no certificate
     * @param key PEM file with the private key of {@code certificate}, PKCS #8; required with a certificate
     * @throws IOException when a file cannot be used; the message names the file and says what to do
     */
    public static ClientTls of(@Nullable Path ca, @Nullable Path certificate, @Nullable Path key) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    certificate == null || key == null ? null : shown(certificate, key),
                    ca == null
                            ? null
                            : new TrustManager[] {
                                ClientTrust.chainsOf(Pem.read(ca).certificates())
                            },
                    null);
            return new ClientTls(context);
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS cannot be used: " + e.getMessage(), e);
        }
    }

    private static KeyManager[] shown(Path certificate, Path keyFile) throws IOException, GeneralSecurityException {
        List<X509Certificate> chain = Pem.read(certificate).certificates();
        PrivateKey key = PrivateKeyFile.read(keyFile, null, chain.get(0).getPublicKey());
        char[] none = {};
        KeyStore store = ClientTrust.emptyStore();
        store.setKeyEntry("own", key, none, chain.toArray(X509Certificate[]::new));
        KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
        factory.init(store, none);
        return factory.getKeyManagers();
    }

    /** The context for a client that checks names itself, such as the JDK's client for HTTP. */
    public SSLContext context() {
        return context;
    }

    /** Makes the client's end of a session with {@code address}, before its handshake. */
    public SSLEngine engine(InetSocketAddress address) {
        SSLEngine engine = context.createSSLEngine(address.getHostString(), address.getPort());
        engine.setUseClientMode(true);
        engine.setSSLParameters(named(engine.getSSLParameters()));
        return engine;
    }

    /**
     * Connects and completes the handshake.
     *
     * @throws IOException when no service listens at the address, or the service's certificate is not trusted
     */
    public SSLSocket connect(InetSocketAddress address) throws IOException {
        SSLSocket socket =
                (SSLSocket) context.getSocketFactory().createSocket(address.getHostString(), address.getPort());
        try {
            socket.setSSLParameters(named(socket.getSSLParameters()));
            socket.setTcpNoDelay(true);
            socket.startHandshake();
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private static SSLParameters named(SSLParameters parameters) {
        parameters.setProtocols(PROTOCOLS);
        parameters.setEndpointIdentificationAlgorithm("HTTPS"); // RFC 2818, whose rules RFC 5425 uses, too
        return parameters;
    }
}
