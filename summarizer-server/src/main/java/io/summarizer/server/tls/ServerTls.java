package io.summarizer.server.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * TLS 1.2 and 1.3 for a listener, by the JDK's own implementation. The files may be replaced while the listener runs.
 * {@link #refresh} reads the files again after a change, and later connections use the new files. If the new files
 * cannot be used, the old files stay in force, and the failure is counted and logged.
 *
 * <p>Any thread makes handlers; one thread refreshes. A client resumes a session with a ticket, which the client keeps,
 * so the listener keeps no state for disconnected clients. When the files change, the listener also changes the keys of
 * tickets, so a client that is no longer allowed cannot resume a session.
 */
public final class ServerTls extends FileBacked<ServerTls.Loaded> {
    private static final System.Logger LOGGER = System.getLogger(ServerTls.class.getName());
    private static final String NO_RENEGOTIATION = "jdk.tls.rejectClientInitiatedRenegotiation";

    /**
     * The ciphers, all with forward secrecy and authenticated encryption, as RFC 9325 and, for syslog, RFC 9662 ask
     * for.
     */
    private static final List<String> CIPHERS = List.of(
            "TLS_AES_128_GCM_SHA256",
            "TLS_AES_256_GCM_SHA384",
            "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

    static {
        // In TLS 1.2 a client may request handshakes on one connection without end, and the server does most of the
        // work. The JDK reads this property once, with its first handshake.
        if (System.getProperty(NO_RENEGOTIATION) == null) {
            System.setProperty(NO_RENEGOTIATION, "true");
        }
    }

    private final String listener;
    private final TlsFiles files;

    /**
     * The content of the files.
     *
     * @param expires when the first certificate of the chain expires
     * @param ownExpires when the listener's own certificate expires
     */
    record Loaded(SslContext context, Instant expires, Instant ownExpires, AllowedNames names) {}

    /**
     * Reads the files.
     *
     * @param listener name of the listener in log lines
     * @throws IOException when a file cannot be used; the message names the file and says what to do
     */
    public ServerTls(String listener, TlsFiles files) throws IOException {
        super(files.all(), () -> load(files));
        this.listener = listener;
        this.files = files;
        warnOfReaders(files.key());
        if (isExpired(held())) {
            LOGGER.log(System.Logger.Level.WARNING, listener + ": " + expired(held()) + "; clients refuse it");
        }
    }

    /** Makes the TLS handler of a channel that was just accepted. */
    public TlsHandler newHandler(ByteBufAllocator alloc) {
        TlsHandler handler = new TlsHandler(held().context.newEngine(alloc));
        handler.setHandshakeTimeout(files.handshakeTimeout().toMillis(), TimeUnit.MILLISECONDS);
        return handler;
    }

    private static boolean isExpired(Loaded loaded) {
        return loaded.ownExpires.isBefore(Instant.now());
    }

    private String expired(Loaded loaded) {
        return "the certificate in " + files.certificate() + " expired at " + loaded.ownExpires;
    }

    /** A certificate that is expired does not replace one that is valid. */
    @Override
    protected void checkReplaces(Loaded now) throws IOException {
        if (isExpired(now) && !isExpired(held())) {
            throw new IOException(expired(now));
        }
    }

    @Override
    protected String changed(Loaded now) {
        return listener + ": new connections have the certificate that " + files.certificate()
                + " holds now, which is valid until " + now.expires;
    }

    @Override
    protected String unusable() {
        return listener + ": the new certificate cannot be used, the old one stays in force";
    }

    /** The time when the first certificate of the chain in use expires. */
    public Instant expires() {
        return held().expires;
    }

    /** Whether the certificate in use is for this host name. A wildcard in the certificate matches one label. */
    public boolean isNamed(String host) {
        return held().names.allowName(host);
    }

    private static Loaded load(TlsFiles files) throws IOException {
        List<X509Certificate> chain = Pem.read(files.certificate()).certificates();
        PrivateKey key = PrivateKeyFile.read(
                files.key(), files.keyPassword(), chain.get(0).getPublicKey());
        try {
            SslContextBuilder builder = SslContextBuilder.forServer(key, chain)
                    .sslProvider(SslProvider.JDK)
                    .protocols("TLSv1.3", "TLSv1.2")
                    .ciphers(CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
                    .clientAuth(
                            switch (files.clientCertificates()) {
                                case NONE -> ClientAuth.NONE;
                                case OPTIONAL -> ClientAuth.OPTIONAL;
                                case REQUIRED -> ClientAuth.REQUIRE;
                            });
            Path ca = files.clientCa();
            if (ca != null) {
                builder.trustManager(ClientTrust.of(Pem.read(ca).certificates(), files.allowedNames()));
            }
            Instant expires = chain.stream()
                    .map(certificate -> certificate.getNotAfter().toInstant())
                    .min(Instant::compareTo)
                    .orElseThrow();
            return new Loaded(
                    builder.build(),
                    expires,
                    chain.get(0).getNotAfter().toInstant(),
                    new AllowedNames(AllowedNames.namesOf(chain.get(0))));
        } catch (GeneralSecurityException e) {
            throw new IOException(files.certificate() + ": cannot be used for TLS: " + e.getMessage(), e);
        }
    }

    private void warnOfReaders(Path key) {
        try {
            if (Files.getPosixFilePermissions(key).contains(PosixFilePermission.OTHERS_READ)) {
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        listener + ": every user of this host can read the private key " + key + "; chmod o= it");
            }
        } catch (IOException | UnsupportedOperationException e) {
            // This file system has no permissions of this kind.
        }
    }
}
