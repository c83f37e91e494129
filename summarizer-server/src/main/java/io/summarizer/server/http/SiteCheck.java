package io.summarizer.server.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.NetUtil;
import io.summarizer.server.access.Role;
import io.summarizer.server.tls.AllowedNames;
import io.summarizer.server.tls.ServerTls;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Refuses requests that a page of another site makes a browser send. Immutable; any thread.
 * <ul>
 * <li>A page whose own name was made to resolve to this host (DNS rebinding) is recognized by the header {@code Host},
 * in which the browser sends the name of the page. The value of {@code Host} must be one of these: the address at which
 * the connection arrived; {@code localhost}, if this address is a loopback address; the name in {@code http.bind}; one
 * of {@code http.names}; or a name of the certificate in use. The port in {@code Host} does not matter, because it
 * differs when the client uses a forwarded port.
 * <li>Any other page is recognized by {@code Sec-Fetch-Site}, a header that browsers add and pages cannot set. A page
 * of the same site (at another port, or of another subdomain) may request data, because the browser does not let the
 * page read the answer. The page may not make changes. It may not request a state file either, because that would delay
 * other clients. A page of another site may only link to the web page of this service. </ul>
 *
 * <p>Requests for {@code /healthz} and {@code /readyz} always pass, because probes may send any headers and the answers
 * reveal nothing.
 */
final class SiteCheck {
    private static final String SEC_FETCH_SITE = "Sec-Fetch-Site";
    private static final String SEC_FETCH_MODE = "Sec-Fetch-Mode";
    private static final String SEC_FETCH_DEST = "Sec-Fetch-Dest";
    /** The request comes from the user, a program, or a page of this service. */
    private static final Set<String> OWN = Set.of("", "none", "same-origin");

    private static final String SAME_SITE = "same-site";
    private static final String LOCALHOST = "localhost";
    private static final int SHOWN_CHARS_MAX = 100;

    private final AllowedNames names;
    private final Set<InetAddress> addresses = new HashSet<>();
    private final @Nullable ServerTls tls;

    /** The rule that a request breaks. */
    enum Rule {
        HOST,
        SITE
    }

    /**
     * A refusal.
     *
     * @param text the answer, for people: a line
     */
    record Refusal(Rule rule, String text) {}

    /**
     * Makes a check for one listener.
     *
     * @param bind address as configured; if the configuration gives it as a name, requests may use this name
     * @param names configured names, patterns and addresses
     * @param tls TLS with the certificate in use; null when there is no TLS
     */
    SiteCheck(InetSocketAddress bind, List<String> names, @Nullable ServerTls tls) {
        List<String> patterns = new ArrayList<>();
        patterns.add(bind.getHostString());
        for (String name : names) {
            InetAddress address = literal(name);
            if (address == null) {
                patterns.add(name);
            } else {
                addresses.add(address);
            }
        }
        this.names = new AllowedNames(patterns);
        this.tls = tls;
    }

    /**
     * Checks a request.
     *
     * @param local address at which its connection arrived
     * @return null when the request may go on
     */
    @Nullable
    Refusal refusal(@Nullable SocketAddress local, HttpRequest request, Resource resource) {
        if (resource.role() == null) {
            return null;
        }
        HttpHeaders headers = request.headers();
        List<String> hosts = headers.getAll(HttpHeaderNames.HOST);
        if (hosts.size() > 1 || (hosts.isEmpty() && request.protocolVersion().equals(HttpVersion.HTTP_1_1))) {
            return new Refusal(Rule.HOST, "a request names one Host, this one " + hosts.size() + "\n");
        }
        if (!hosts.isEmpty() && !isOurs(local, host(hosts.get(0)))) {
            return new Refusal(
                    Rule.HOST,
                    "this service does not go by the name \"" + shown(hosts.get(0))
                            + "\" (Host); use its address, or add the name to http.names\n");
        }
        String site = headers.get(SEC_FETCH_SITE, "").toLowerCase(Locale.ROOT);
        if (OWN.contains(site)
                || (site.equals(SAME_SITE) && isReading(request, resource))
                || isLinkToPage(request, resource)) {
            return null;
        }
        return new Refusal(
                Rule.SITE,
                "a page of another site may not ask for this (Sec-Fetch-Site: " + shown(site)
                        + "); type the address, or open /\n");
    }

    /**
     * Whether a request only reads and needs no higher role than READ. A request for a state file needs a higher role.
     */
    private static boolean isReading(HttpRequest request, Resource resource) {
        return (request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD))
                && resource.role() == Role.READ;
    }

    /**
     * Whether the request comes from a link to the web page. Such a request is harmless, because the page with the link
     * cannot read, frame or change the web page.
     */
    private static boolean isLinkToPage(HttpRequest request, Resource resource) {
        return resource.path().equals("/")
                && request.method().equals(HttpMethod.GET)
                && request.headers().get(SEC_FETCH_MODE, "").equalsIgnoreCase("navigate")
                && request.headers().get(SEC_FETCH_DEST, "").equalsIgnoreCase("document");
    }

    private boolean isOurs(@Nullable SocketAddress local, String host) {
        InetAddress here = local instanceof InetSocketAddress inet ? inet.getAddress() : null;
        boolean loopback = here != null && here.isLoopbackAddress();
        InetAddress literal = literal(host);
        if (literal != null) {
            return literal.equals(here) || (loopback && literal.isLoopbackAddress()) || addresses.contains(literal);
        }
        ServerTls tls = this.tls;
        return (loopback && host.equals(LOCALHOST)) || names.allowName(host) || (tls != null && tls.isNamed(host));
    }

    /** Returns the host without its port, in lower case and without the dot that may end a name. */
    private static String host(String header) {
        String host = header.strip().toLowerCase(Locale.ROOT);
        int colon = host.lastIndexOf(':');
        if (colon > host.lastIndexOf(']')) {
            host = host.substring(0, colon);
        }
        return host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    }

    /** Parses an address, perhaps in brackets; returns null for a name. Resolves nothing. */
    private static @Nullable InetAddress literal(String text) {
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(text);
        try {
            return bytes == null ? null : InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            return null; // only for bytes of an invalid length, which do not occur
        }
    }

    private static String shown(String host) {
        return host.length() <= SHOWN_CHARS_MAX ? host : host.substring(0, SHOWN_CHARS_MAX) + "...";
    }
}
