package io.summarizer.server.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;

/** Key stores in memory, the only form in which the JDK takes keys and certificates. */
final class Stores {
    private Stores() {}

    static KeyStore empty() throws GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try {
            store.load(null, null);
        } catch (IOException e) {
            throw new GeneralSecurityException(e); // no file is read
        }
        return store;
    }
}
