package io.summarizer.server.tls;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/**
 * The allowed names of clients, or of a service (RFC 5425 §5.2, RFC 6125). These are names such as {@code
 * web1.example.com}, and patterns such as {@code *.example.com}, in which the asterisk matches one label. The names of
 * a certificate are its DNS names or, if it has none, the common name of its subject. An asterisk in a certificate's
 * name is an ordinary character here. Immutable.
 */
public final class AllowedNames {
    private static final int DNS_NAME = 2;
    private static final Pattern FORM =
            Pattern.compile("(?:\\*\\.)?[A-Za-z0-9_][A-Za-z0-9_-]{0,62}(?:\\.[A-Za-z0-9_][A-Za-z0-9_-]{0,62})*");

    private final List<String> patterns;

    /** Makes a set of names and patterns. */
    public AllowedNames(List<String> patterns) {
        this.patterns = patterns.stream()
                .map(pattern -> pattern.toLowerCase(Locale.ROOT))
                .toList();
    }

    /** Whether a text is a valid pattern. */
    public static boolean isPattern(String text) {
        return FORM.matcher(text).matches();
    }

    /** Whether one of the certificate's names is allowed. */
    boolean allow(X509Certificate certificate) {
        return namesOf(certificate).stream().anyMatch(this::allowName);
    }

    /** Whether a name is allowed. The case of letters does not matter. */
    public boolean allowName(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return patterns.stream().anyMatch(pattern -> matches(pattern, lower));
    }

    private static boolean matches(String pattern, String name) {
        if (!pattern.startsWith("*.")) {
            return pattern.equals(name);
        }
        int dot = name.indexOf('.');
        return dot > 0 && pattern.substring(1).equals(name.substring(dot));
    }

    /** Returns the names that a certificate has. */
    static List<String> namesOf(X509Certificate certificate) {
        List<String> names = new ArrayList<>();
        try {
            Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
            if (alternatives != null) {
                for (List<?> alternative : alternatives) {
                    if (alternative.get(0) instanceof Integer kind
                            && kind == DNS_NAME
                            && alternative.get(1) instanceof String name) {
                        names.add(name);
                    }
                }
            }
            if (!names.isEmpty()) {
                return names;
            }
            for (Rdn part : new LdapName(certificate.getSubjectX500Principal().getName()).getRdns()) {
                if (part.getType().equalsIgnoreCase("CN") && part.getValue() instanceof String name) {
                    names.add(name);
                }
            }
        } catch (CertificateParsingException | InvalidNameException e) {
            return List.of(); // an unreadable certificate has no names
        }
        return names;
    }
}
