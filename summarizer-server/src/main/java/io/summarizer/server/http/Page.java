package io.summarizer.server.http;

import io.summarizer.core.bytes.Sha256;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.SummaryView;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.server.metrics.EventCounts;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The web page: tables, counts, time windows, and how to pull. The page is one document that loads no other files. The
 * tables are in the document itself; a script only refreshes them. Text from definitions and requests is escaped.
 * Thread-safe.
 */
final class Page {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{(\\w+)}}");
    private static final Pattern SCRIPT = Pattern.compile("<script>(.*?)</script>", Pattern.DOTALL);
    /** Pattern of a Host header that may be shown: a name or address, perhaps with a port. */
    private static final Pattern HOST =
            Pattern.compile("[A-Za-z0-9._-]{1,253}(:\\d{1,5})?|\\[[0-9a-fA-F:.]{2,45}](:\\d{1,5})?");

    /**
     * Maximum number of windows of a summary on the page. The address {@code /summaries/NAME/windows} lists all
     * windows.
     */
    static final int WINDOWS_MAX = 100;

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final EventCounts events;
    private final String scheme;
    private final long keepSeconds;
    private final String template;
    private final String policy;

    /**
     * Loads the page.
     *
     * @param isEncrypted whether clients need TLS
     */
    Page(EventCounts events, Duration keepCuts, boolean isEncrypted) {
        this.events = events;
        scheme = isEncrypted ? "https://" : "http://";
        keepSeconds = keepCuts.toSeconds();
        template = resource();
        policy =
                "default-src 'none'; style-src 'unsafe-inline'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
                        + "frame-ancestors 'none'; script-src 'sha256-" + scriptHash(template) + "'";
    }

    /** Returns the content security policy of the page: no content from elsewhere, and only the page's own script. */
    String contentSecurityPolicy() {
        return policy;
    }

    /**
     * Renders the page of {@code cut}, UTF-8.
     *
     * @param host the request's Host header, for the addresses on the page; an invalid header is ignored
     */
    byte[] render(Cut cut, String host) {
        Listing listing = Listing.of(cut);
        String first = listing.summaries().isEmpty()
                ? Listing.SUMMARIES + "/NAME" + Listing.CSV
                : listing.summaries().get(0).csv();
        String table = listing.summaries().isEmpty()
                ? "name"
                : listing.summaries().get(0).name().toLowerCase(Locale.ROOT);
        String base = scheme + (HOST.matcher(host).matches() ? host : "localhost");
        Map<String, String> values = Map.of(
                "live", live(cut, listing),
                "windows", windows(cut),
                "keep", Long.toString(keepSeconds),
                "url", escape(base + first),
                "table", escape(table));
        return PLACEHOLDER
                .matcher(template)
                .replaceAll(found -> Matcher.quoteReplacement(values.getOrDefault(found.group(1), "")))
                .getBytes(StandardCharsets.UTF_8);
    }

    private String live(Cut cut, Listing listing) {
        StringBuilder html = new StringBuilder(2048);
        Instant taken = Instant.EPOCH.plusNanos(Math.multiplyExact(cut.takenAtMicros(), 1000L));
        html.append("\n<p class=\"quiet\">as of ").append(TIME.format(taken)).append("</p>\n<dl>\n");
        count(html, "received", events.received());
        count(html, "unmatched", events.unmatched());
        for (Fate reason : Fate.rejections()) {
            count(html, "rejected: " + reason.label(), events.rejected(reason));
        }
        html.append("</dl>\n<h2>Summaries</h2>\n");
        if (listing.summaries().isEmpty()) {
            return html.append("<p>None is defined.</p>\n").toString();
        }
        html.append("<table>\n<thead><tr><th>summary</th><th class=\"n\">rows</th><th class=\"n\">updates</th>")
                .append("<th>CSV</th></tr></thead>\n<tbody>\n");
        for (SummaryView view : cut.summaries()) {
            Listing.Entry entry = Listing.entry(view);
            String name = escape(entry.name());
            if (view.layout().window() != null) {
                name += " <a class=\"quiet\" href=\"#windows-" + Listing.escape(entry.name()) + "\">windows</a>";
            }
            row(html, "", name, entry.rows(), number(entry.updates()), entry.csv());
            for (Listing.Nested nested : entry.nested()) {
                row(html, " class=\"inner\"", escape(nested.path()), nested.rows(), "", nested.csv());
            }
        }
        return html.append("</tbody>\n</table>\n").toString();
    }

    private static String windows(Cut cut) {
        StringBuilder html = new StringBuilder(2048);
        for (SummaryView view : cut.summaries()) {
            SummaryWindow width = view.layout().window();
            if (width != null) {
                windows(html, view, width);
            }
        }
        return html.toString();
    }

    private static void windows(StringBuilder html, SummaryView view, SummaryWindow width) {
        String name = view.layout().name();
        WindowListing.Newest newest = WindowListing.newest(view, width, Map.of(), WINDOWS_MAX);
        html.append("\n<h2 id=\"windows-" + escape(name) + "\">Windows of " + escape(name) + "</h2>\n");
        if (newest.windows().isEmpty()) {
            html.append("<p>There is none yet.</p>\n");
            return;
        }
        html.append("<table>\n<thead><tr><th>start</th><th>end</th><th>state</th><th class=\"n\">rows</th>")
                .append("<th class=\"n\">bytes</th><th>CSV</th></tr></thead>\n<tbody>\n");
        for (int i = newest.windows().size() - 1; i >= 0; i--) {
            WindowListing window = newest.windows().get(i);
            Long bytes = window.bytes();
            String href = Listing.csv(name) + "?from=" + Listing.escape(window.start()) + "&until="
                    + Listing.escape(window.end());
            html.append("<tr><td>" + seconds(window.start()) + "</td><td>" + seconds(window.end()) + "</td><td>")
                    .append(window.state() + "</td><td class=\"n\">" + number(window.rows()))
                    .append("</td><td class=\"n\">" + (bytes == null ? "" : number(bytes)) + "</td><td><a href=\"")
                    .append(escape(href) + "\">rows</a></td></tr>\n");
        }
        html.append("</tbody>\n</table>\n<p class=\"quiet\">");
        if (newest.older() > 0) {
            html.append(number(newest.older()) + " older; ");
        }
        html.append("<a href=\"" + escape(Listing.windows(name)) + "\">all windows as JSON</a></p>\n");
    }

    /** The start or end of a window as text. These times have whole seconds, so the text has no fraction. */
    private static String seconds(String time) {
        return time.replace(".000000Z", "Z");
    }

    private static void count(StringBuilder html, String name, long value) {
        html.append("<div><dt>" + escape(name) + "</dt><dd>" + number(value) + "</dd></div>\n");
    }

    private static void row(
            StringBuilder html, String attributes, String name, long rows, String updates, String href) {
        String link = escape(href.substring(Listing.SUMMARIES.length() + 1));
        html.append("<tr><td" + attributes + '>' + name + "</td><td class=\"n\">" + number(rows));
        html.append("</td><td class=\"n\">" + updates + "</td><td><a href=\"" + escape(href) + "\">" + link);
        html.append("</a></td></tr>\n");
    }

    private static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** Makes text safe in element content and in quoted attributes. */
    static String escape(String text) {
        StringBuilder safe = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> safe.append("&amp;");
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '"' -> safe.append("&quot;");
                case '\'' -> safe.append("&#39;");
                default -> safe.append(c);
            }
        }
        return safe.toString();
    }

    private static String resource() {
        try (InputStream in = Page.class.getResourceAsStream("page.html")) {
            if (in == null) {
                throw new IllegalStateException("page.html is not on the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String scriptHash(String html) {
        Matcher script = SCRIPT.matcher(html);
        if (!script.find()) {
            throw new IllegalStateException("page.html has no script");
        }
        return Base64.getEncoder().encodeToString(Sha256.of(script.group(1)));
    }
}
