package io.summarizer.server.workload;

import static io.summarizer.server.workload.AsciiBuffer.ascii;

import java.util.ArrayList;
import java.util.List;

/**
 * Texts of the web shop whose access lines {@link AccessWorkload} generates: hosts, pages with their sizes, query
 * strings, referers and browsers. Made once, the same on any JDK. Immutable.
 */
final class WebShop {
    /** Number of pages. */
    static final int PAGES = 20_000;

    static final byte[] SCHEME = ascii("https://");
    static final byte[] NETWORK_V6 = ascii("2001:db8:");

    private static final byte[] NOTHING = {};
    private static final byte[][] HOSTS = {
        ascii("www.example.com"), ascii("m.example.com"), ascii("shop.example.de"), ascii("api.example.com")
    };
    private static final byte[][] COUNTRIES = {
        ascii("DE"), ascii("US"), ascii("AT"), ascii("CH"), ascii("FR"), ascii("NL"), ascii("GB"), ascii("PL")
    };
    private static final String[] SECTIONS = {"garden", "kitchen", "books", "sports", "toys", "office", "music", "shoes"
    };
    private static final String[] WORDS = {
        "oak",
        "steel",
        "red",
        "blue",
        "small",
        "large",
        "folding",
        "classic",
        "table",
        "lamp",
        "chair",
        "kettle",
        "bottle",
        "guitar",
        "racket",
        "notebook"
    };
    private static final byte[][] REFERERS = {
        ascii("https://www.google.com/"),
        ascii("https://www.bing.com/search?q=folding+chair"),
        ascii("https://duckduckgo.com/"),
        ascii("android-app://com.google.android.gm/"),
        ascii("https://news.example.net/2026/11/black-friday-deals?page=2#comments"),
        ascii("https://www.example.org/forum/thread/\\\"cheap\\\"-kettles"),
        ascii("https://t.example.net/c\\\\42")
    };

    private static final byte[][] PATHS = new byte[PAGES][];
    private static final int[] SIZES = new int[PAGES];
    private static final byte[][] BROWSERS = makeBrowsers();
    private static final byte[][] SEARCHES = makeSearches();
    private static final byte[][] TAGS = {
        ascii("?utm_source=newsletter&utm_medium=email&utm_campaign=autumn"),
        ascii("?ref=home"),
        ascii("?page=2&sort=price"),
        ascii("?v=20261119")
    };

    static {
        for (int page = 0; page < PAGES; page++) {
            long bits = EventRandom.mix(page);
            PATHS[page] = ascii(makePath(page, bits));
            // Sizes from 200 bytes to 100 KB. Half of the pages have less than about 3.4 KB.
            SIZES[page] = 200 + EventRandom.scale(bits, 100_000 >>> (int) (bits & 7));
        }
    }

    private WebShop() {}

    private static String makePath(int page, long bits) {
        String section = SECTIONS[(int) (bits >>> 8) & 7];
        String first = WORDS[(int) (bits >>> 12) & 15];
        String second = WORDS[(int) (bits >>> 16) & 15];
        return switch (page) {
            case 0 -> "/";
            case 1 -> "/search";
            default ->
                switch (kind(page)) {
                    case 0 -> "/" + section + "/";
                    case 1, 2, 3, 4, 5, 6 ->
                        "/assets/" + first + "-" + Long.toHexString(bits >>> 32) + (page % 2 == 0 ? ".js" : ".webp");
                    case 7 -> "/api/v2/" + section + "/" + page + "/stock";
                    case 8 -> "/blog/2026/" + (1 + page % 11) + "/" + first + "-" + section + "-" + page;
                    default -> "/shop/" + section + "/" + first + "-" + second + "-" + page;
                };
        };
    }

    private static int kind(int page) {
        return page % 20;
    }

    private static byte[][] makeSearches() {
        List<byte[]> searches = new ArrayList<>();
        for (String first : WORDS) {
            for (String second : WORDS) {
                searches.add(ascii("?q=" + first + "+" + second + "%20%E2%82%AC&page=" + (1 + searches.size() % 5)));
            }
        }
        return searches.toArray(byte[][]::new);
    }

    private static byte[][] makeBrowsers() {
        String[] systems = {
            "Windows NT 10.0; Win64; x64",
            "Macintosh; Intel Mac OS X 10_15_7",
            "X11; Linux x86_64",
            "Linux; Android 10; K",
            "iPhone; CPU iPhone OS 18_6 like Mac OS X"
        };
        List<byte[]> browsers = new ArrayList<>();
        for (int version = 142; version > 122; version--) {
            for (String system : systems) {
                browsers.add(ascii("Mozilla/5.0 (" + system + ") AppleWebKit/537.36 (KHTML, like Gecko) Chrome/"
                        + version + ".0.0.0 Safari/537.36"));
                browsers.add(ascii(
                        "Mozilla/5.0 (" + system + "; rv:" + version + ".0) Gecko/20100101 Firefox/" + version + ".0"));
            }
            browsers.add(ascii("ExampleBot/" + version + " (+https://bot.example.net/about)"));
            browsers.add(ascii("\\\"agent\\\"\\t" + version));
        }
        return browsers.toArray(byte[][]::new);
    }

    static int hosts() {
        return HOSTS.length;
    }

    static byte[] host(int number) {
        return HOSTS[number];
    }

    static int countries() {
        return COUNTRIES.length;
    }

    static byte[] country(int number) {
        return COUNTRIES[number];
    }

    static int browsers() {
        return BROWSERS.length;
    }

    static byte[] browser(int number) {
        return BROWSERS[number];
    }

    static byte[] path(int page) {
        return PATHS[page];
    }

    /** Bytes of the page's content. */
    static int size(int page) {
        return SIZES[page];
    }

    /** Whether requests for the page are answered by a program and not by the cache. */
    static boolean isService(int page) {
        return page == 1 || kind(page) == 7;
    }

    /**
     * The query string of a request for a page; empty when the request has no query string. Every search has a query
     * string, and so has a quarter of the requests for other pages.
     */
    static byte[] query(int page, long bits) {
        if (page == 1) {
            return SEARCHES[EventRandom.scale(bits, SEARCHES.length)];
        }
        return (bits & 0xc) == 0 ? TAGS[(int) bits & 3] : NOTHING;
    }

    /** The address of a page elsewhere that links to the shop. In one of 128 cases, the address has escapes. */
    static byte[] referer(int number) {
        return REFERERS[number < 254 ? number % 5 : number % 2 + 5];
    }
}
