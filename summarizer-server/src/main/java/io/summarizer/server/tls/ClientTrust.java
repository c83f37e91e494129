package io.summarizer.server.tls;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Checks the certificates of clients during the handshake, so that a refused client gets a TLS alert. Any thread. */
final class ClientTrust extends X509ExtendedTrustManager {
    private static final int NAME_CHARS_MAX = 200;

    private final X509ExtendedTrustManager chains;
    private final @Nullable AllowedNames names;

    private ClientTrust(X509ExtendedTrustManager chains, @Nullable AllowedNames names) {
        this.chains = chains;
        this.names = names;
    }

    /**
     * Makes a trust manager that accepts clients whose certificate is vouched for by one of {@code authorities}.
     *
     * @param names accepted names; when the list is empty, any name is accepted
     */
    static ClientTrust of(List<X509Certificate> authorities, List<String> names) throws GeneralSecurityException {
        return new ClientTrust(chainsOf(authorities), names.isEmpty() ? null : new AllowedNames(names));
    }

    /** Makes a trust manager that follows chains of certificates up to one of {@code authorities}. */
    static X509ExtendedTrustManager chainsOf(List<X509Certificate> authorities) throws GeneralSecurityException {
        KeyStore store = emptyStore();
        for (int i = 0; i < authorities.size(); i++) {
            store.setCertificateEntry("ca" + i, authorities.get(i));
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(store);
        for (TrustManager manager : factory.getTrustManagers()) {
            if (manager instanceof X509ExtendedTrustManager chains) {
                return chains;
            }
        }
        throw new GeneralSecurityException("this JDK has no trust manager for X.509");
    }

    /** Makes a key store in memory, the only form in which the JDK takes keys and certificates. */
    static KeyStore emptyStore() throws GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try {
            store.load(null, null);
        } catch (IOException e) {
            throw new GeneralSecurityException(e); // no file is read
        }
        return store;
    }

    private interface Check {
        void run() throws CertificateException;
    }

    private void judge(X509Certificate[] chain, Check chainCheck) throws CertificateException {
        X509Certificate client = chain[0];
        refuseExpired(client); // the chain's check takes a certificate that is in client-ca, even an expired one
        try {
            chainCheck.run();
        } catch (CertificateException e) {
            refuseExpired(chain);
            throw new ClientRefusedException(TlsFault.UNTRUSTED, text(client));
        }
        if (names != null && !names.allow(client)) {
            throw new ClientRefusedException(TlsFault.NAME, printable(String.join(", ", AllowedNames.namesOf(client))));
        }
    }

    /** Tells the fault of a bad chain. A good chain may have expired certificates that its path does not need. */
    private static void refuseExpired(X509Certificate... chain) throws ClientRefusedException {
        for (X509Certificate certificate : chain) {
            try {
                certificate.checkValidity();
            } catch (CertificateException e) {
                throw new ClientRefusedException(
                        TlsFault.EXPIRED, text(certificate) + ": " + printable(e.getMessage()));
            }
        }
    }

    private static String text(X509Certificate certificate) {
        return printable(certificate.getSubjectX500Principal().getName());
    }

    /** Makes a name that the client chose safe for the log: the name cannot begin a new line. */
    private static String printable(@Nullable String text) {
        String clean = String.valueOf(text).replaceAll("[^\\x20-\\x7e]", "?");
        return clean.length() <= NAME_CHARS_MAX ? clean : clean.substring(0, NAME_CHARS_MAX) + "...";
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        judge(chain, () -> chains.checkClientTrusted(chain, type, engine));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        judge(chain, () -> chains.checkClientTrusted(chain, type, socket));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        judge(chain, () -> chains.checkClientTrusted(chain, type));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        chains.checkServerTrusted(chain, type, engine);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        chains.checkServerTrusted(chain, type, socket);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        chains.checkServerTrusted(chain, type);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return chains.getAcceptedIssuers();
    }
}
