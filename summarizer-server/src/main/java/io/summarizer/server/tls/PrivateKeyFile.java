package io.summarizer.server.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Reads a private key of PKCS #8 (RFC 5958), plain or encrypted. Messages of this class contain no part of the key or
 * of the password.
 */
final class PrivateKeyFile {
    private static final int PASSWORD_BYTES_MAX = 4096;

    private PrivateKeyFile() {}

    /**
     * Reads the key that belongs to a certificate.
     *
     * @param password file whose first line decrypts the key; null when the key is not encrypted
     * @param publicKey public key of the certificate
     * @throws IOException when the file has no such key; the message says what to do
     */
    static PrivateKey read(Path file, @Nullable Path password, PublicKey publicKey) throws IOException {
        Pem.Block block = Pem.read(file).blocks().stream()
                .filter(candidate -> candidate.label().endsWith("PRIVATE KEY"))
                .findFirst()
                .orElseThrow(() -> new IOException(file + ": it has no PRIVATE KEY"));
        PKCS8EncodedKeySpec spec = switch (block.label()) {
            case "PRIVATE KEY" -> new PKCS8EncodedKeySpec(block.der());
            case "ENCRYPTED PRIVATE KEY" -> decrypted(file, block.der(), password);
            default ->
                throw new IOException(file + ": the key is of the form " + block.label()
                        + ", and PKCS #8 (PRIVATE KEY) is read; convert it:"
                        + " openssl pkcs8 -topk8 -nocrypt -in OLD.pem -out NEW.pem");
        };
        String algorithm = publicKey.getAlgorithm();
        PrivateKey key;
        try {
            key = KeyFactory.getInstance(algorithm).generatePrivate(spec);
        } catch (GeneralSecurityException e) {
            throw new IOException(file + ": no " + algorithm + " key, as that of the certificate is");
        }
        checkPair(file, key, publicKey);
        return key;
    }

    private static PKCS8EncodedKeySpec decrypted(Path file, byte[] der, @Nullable Path passwordFile)
            throws IOException {
        if (passwordFile == null) {
            throw new IOException(file + ": the key is encrypted, and no key-password-file is set");
        }
        char[] password = password(passwordFile);
        PBEKeySpec passwordSpec = new PBEKeySpec(password);
        try {
            EncryptedPrivateKeyInfo info = new EncryptedPrivateKeyInfo(der);
            // PBES2 of PKCS #5 names its algorithms only in the parameters.
            String algorithm =
                    info.getAlgName().equals("PBES2") || info.getAlgName().equals("1.2.840.113549.1.5.13")
                            ? info.getAlgParameters().toString()
                            : info.getAlgName();
            Cipher cipher = Cipher.getInstance(algorithm);
            cipher.init(
                    Cipher.DECRYPT_MODE,
                    SecretKeyFactory.getInstance(algorithm).generateSecret(passwordSpec),
                    info.getAlgParameters());
            return info.getKeySpec(cipher);
        } catch (InvalidKeyException e) {
            throw new IOException(file + ": the password in " + passwordFile + " does not open it");
        } catch (GeneralSecurityException e) {
            throw new IOException(file + ": the key cannot be decrypted: its password in " + passwordFile
                    + " is another one, or it is not encrypted by PBES2 with AES, as openssl pkcs8 -topk8 does");
        } finally {
            passwordSpec.clearPassword();
            Arrays.fill(password, '\0');
        }
    }

    private static char[] password(Path file) throws IOException {
        byte[] bytes =
                FileBacked.read(file, PASSWORD_BYTES_MAX, "larger than " + PASSWORD_BYTES_MAX + " bytes: no password");
        int end = 0;
        while (end < bytes.length && bytes[end] != '\n' && bytes[end] != '\r') {
            end++;
        }
        char[] password = new String(bytes, 0, end, StandardCharsets.UTF_8).toCharArray();
        Arrays.fill(bytes, (byte) 0);
        return password;
    }

    /**
     * Checks that key and certificate match. Without the check, a mismatch would show only when the first client
     * connects. Keys with which TLS cannot sign here are refused for the same reason.
     */
    private static void checkPair(Path file, PrivateKey key, PublicKey publicKey) throws IOException {
        byte[] probe = "summarizer".getBytes(StandardCharsets.US_ASCII);
        Signature signature;
        byte[] signed;
        try {
            signature = Signature.getInstance(
                    switch (publicKey.getAlgorithm()) {
                        case "RSA" -> "SHA256withRSA";
                        case "EC" -> "SHA256withECDSA";
                        case "EdDSA" -> "EdDSA";
                        default -> throw new NoSuchAlgorithmException(publicKey.getAlgorithm());
                    });
            signature.initSign(key);
            signature.update(probe);
            signed = signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IOException(
                    file + ": keys of this kind cannot be used (" + e.getMessage()
                            + "): use one of EC (P-256, P-384 or P-521), RSA or Ed25519",
                    e);
        }
        boolean pair;
        try {
            signature.initVerify(publicKey);
            signature.update(probe);
            pair = signature.verify(signed);
        } catch (GeneralSecurityException e) {
            pair = false;
        }
        if (!pair) {
            throw new IOException(file + ": the key is not that of the certificate");
        }
    }
}
