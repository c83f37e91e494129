package io.summarizer.server.workload;

import static io.summarizer.server.workload.AsciiBuffer.ascii;

import java.nio.charset.StandardCharsets;

/**
 * Access lines of a web shop: messages of RFC 3164 with the TAG {@value #TOPIC}. The payload is a JSON object of 25
 * fields, in the form that nginx writes with {@code log_format ... escape=json}.
 *
 * <p>Eight servers answer 200,000 clients for 20,000 pages on four hosts. Pages, clients, browsers and hosts are
 * distributed by Zipf's law, so that 2 million events have about 57,000 pairs of host and path. A client keeps its
 * address and its browser. 93 % of the requests succeed; another 4 % are for content that the client already has.
 * Response times have Zipf's long tail, up to 4 s. A few texts contain escapes. Event i happens i / {@link
 * AdsWorkload#EVENTS_PER_MILLI} ms after 2026-11-20T00:00:00Z; after ten days the times begin again.
 */
public final class AccessWorkload extends Workload {
    /** Topic of all messages. */
    public static final String TOPIC = "web.access";
    /** Most bytes of a line. */
    private static final int LINE_BYTES_MAX = 2048;

    private static final int SERVERS = 8;
    private static final int CLIENTS = 200_000;
    private static final int FIRST_DAY = 20;
    private static final int DAYS = 10;
    private static final int SECONDS_PER_DAY = 86_400;
    private static final int EVENTS_PER_SECOND = 1_000 * AdsWorkload.EVENTS_PER_MILLI;

    private static final ZipfTable CLIENT = new ZipfTable(CLIENTS, 0.8);
    private static final ZipfTable PAGE = new ZipfTable(WebShop.PAGES, 1.0);
    private static final ZipfTable HOST = new ZipfTable(WebShop.hosts(), 1.5);
    private static final ZipfTable COUNTRY = new ZipfTable(WebShop.countries(), 1.1);
    private static final ZipfTable BROWSER = new ZipfTable(WebShop.browsers(), 1.1);
    private static final ZipfTable MILLIS = new ZipfTable(4_000, 1.1);

    private static final byte[] PORT = ascii("\",\"port\":");
    private static final byte[] REQUEST_ID = ascii(",\"user\":\"-\",\"request_id\":\"");
    private static final byte[] HOST_NAME = ascii("\",\"scheme\":\"https\",\"host\":\"");
    private static final byte[] METHOD = ascii("\",\"method\":\"");
    private static final byte[] URI = ascii("\",\"uri\":\"");
    private static final byte[] PROTOCOL_2 = ascii("\",\"protocol\":\"HTTP/2.0\",\"status\":");
    private static final byte[] PROTOCOL_1 = ascii("\",\"protocol\":\"HTTP/1.1\",\"status\":");
    private static final byte[] BYTES = ascii(",\"bytes_sent\":");
    private static final byte[] BODY = ascii(",\"body_bytes\":");
    private static final byte[] RECEIVED = ascii(",\"bytes_received\":");
    private static final byte[] TIME = ascii(",\"request_time\":");
    private static final byte[] REFERER = ascii(",\"referer\":\"");
    private static final byte[] AGENT = ascii("\",\"user_agent\":\"");
    private static final byte[] HIT = ascii("\",\"xff\":\"-\",\"upstream\":\"-\",\"upstream_status\":\"-\","
            + "\"upstream_time\":\"-\",\"cache\":\"HIT\"");
    private static final byte[] UPSTREAM = ascii("\",\"xff\":\"-\",\"upstream\":\"10.0.3.");
    private static final byte[] UPSTREAM_STATUS = ascii(":8080\",\"upstream_status\":\"");
    private static final byte[] UPSTREAM_TIME = ascii("\",\"upstream_time\":\"");
    private static final byte[] MISS = ascii("\",\"cache\":\"MISS\"");
    private static final byte[] TLS_13 = ascii(",\"tls\":\"TLSv1.3\",\"country\":\"");
    private static final byte[] TLS_12 = ascii(",\"tls\":\"TLSv1.2\",\"country\":\"");
    private static final byte[] CONNECTION = ascii("\",\"connection\":");
    private static final byte[] END = ascii("}\n");

    private static final byte[] GET = ascii("GET");
    private static final byte[] HEAD = ascii("HEAD");
    private static final byte[] POST = ascii("POST");
    private static final byte[] NONE = ascii("-");

    private final long seed;

    private AccessWorkload(long seed) {
        super(LINE_BYTES_MAX);
        this.seed = seed;
    }

    /** The access lines of a seed. */
    public static AccessWorkload of(long seed) {
        return new AccessWorkload(seed);
    }

    @Override
    Encoder encoder() {
        return new Lines(seed);
    }

    /** The encoder of access lines. Keeps the texts of the current second. */
    private static final class Lines implements Encoder {
        private final EventRandom random;
        private long second = -1;
        private byte[] header = {};
        private byte[] time = {};

        Lines(long seed) {
            random = new EventRandom(seed);
        }

        @Override
        public void append(long index, AsciiBuffer out) {
            random.startEvent(index);
            startSecond(index / EVENTS_PER_SECOND);
            long place = random.next();
            long client = EventRandom.mix(1L + CLIENT.rank(random.next()));
            int page = PAGE.rank(random.next());
            int chance = random.below(10_000);

            out.put(header);
            out.put((char) ('1' + (place & (SERVERS - 1))));
            out.put(time);
            putAddress(client, out);
            out.put(PORT);
            out.putNumber(32_768 + EventRandom.scale(place, 28_000));
            out.put(REQUEST_ID);
            out.putHex(random.next());
            out.put(HOST_NAME);
            byte[] host = WebShop.host(HOST.rank(random.next()));
            out.put(host);
            boolean isPost = WebShop.isService(page) && (place & 0x100) != 0;
            boolean isHead = !isPost && chance % 200 == 0;
            out.put(METHOD);
            out.put(isPost ? POST : isHead ? HEAD : GET);
            out.put(URI);
            out.put(WebShop.path(page));
            long query = random.next();
            if (!isPost) {
                out.put(WebShop.query(page, query));
            }
            out.put((client & 7) == 0 ? PROTOCOL_1 : PROTOCOL_2);
            int status = status(chance, isPost);
            out.putNumber(status);
            putAmounts(page, place, status, isHead, out);
            int millis = MILLIS.rank(random.next());
            out.put(TIME);
            out.putMillis(millis);
            out.put(REFERER);
            putReferer(random.next(), host, out);
            out.put(AGENT);
            out.put(WebShop.browser(BROWSER.rank(EventRandom.mix(client))));
            putUpstream(page, place, status, millis, out);
            out.put((client & 0x70) == 0 ? TLS_12 : TLS_13);
            out.put(WebShop.country(COUNTRY.rank(EventRandom.mix(~client))));
            out.put(CONNECTION);
            out.putNumber(10_000_000 + index / 8);
            out.put(END);
        }

        private void startSecond(long number) {
            if (number == second) {
                return;
            }
            second = number;
            int day = FIRST_DAY + (int) (number / SECONDS_PER_DAY % DAYS);
            int ofDay = (int) (number % SECONDS_PER_DAY);
            AsciiBuffer clock = new AsciiBuffer(8);
            clock.putPair(ofDay / 3_600);
            clock.put(':');
            clock.putPair(ofDay / 60 % 60);
            clock.put(':');
            clock.putPair(ofDay % 60);
            String time = new String(clock.bytes, StandardCharsets.US_ASCII);
            header = ascii("<190>Nov " + day + " " + time + " web0");
            this.time =
                    ascii(" " + TOPIC + ": {\"time\":\"2026-11-" + day + "T" + time + "+00:00\",\"remote_addr\":\"");
        }

        /** Every fifth client has an address of IPv6. */
        private static void putAddress(long client, AsciiBuffer out) {
            if (Long.remainderUnsigned(client, 5) == 0) {
                out.put(WebShop.NETWORK_V6);
                out.putHex(client, 4);
                out.put(':');
                out.putHex(client >>> 16, 4);
                out.put(':');
                out.put(':');
                out.putHex(client >>> 32, 4);
                return;
            }
            out.putNumber(1 + EventRandom.scale(client, 223));
            for (int shift = 0; shift < 24; shift += 8) {
                out.put('.');
                out.putNumber((client >>> shift) & 0xff);
            }
        }

        private static int status(int chance, boolean isPost) {
            if (chance < 9_300) {
                return isPost ? 201 : 200;
            } else if (chance < 9_700) {
                return isPost ? 200 : 304;
            } else if (chance < 9_770) {
                return 301;
            } else if (chance < 9_930) {
                return 404;
            } else if (chance < 9_950) {
                return 403;
            } else if (chance < 9_975) {
                return 499;
            } else if (chance < 9_985) {
                return 500;
            }
            return chance < 9_993 ? 502 : 503;
        }

        private static void putAmounts(int page, long place, int status, boolean isHead, AsciiBuffer out) {
            int body = isHead || status == 304 || status == 499 ? 0 : status < 300 ? WebShop.size(page) : 553;
            out.put(BYTES);
            out.putNumber(body + 280 + ((place >>> 16) & 63));
            out.put(BODY);
            out.putNumber(body);
            out.put(RECEIVED);
            out.putNumber(240 + ((place >>> 24) & 0xff));
        }

        /**
         * Appends the page from which the request comes. Of ten requests, four come from another page of the host,
         * three from a page elsewhere, and three from none.
         */
        private static void putReferer(long bits, byte[] host, AsciiBuffer out) {
            int kind = EventRandom.scale(bits, 10);
            if (kind < 4) {
                out.put(WebShop.SCHEME);
                out.put(host);
                out.put(WebShop.path(PAGE.rank(EventRandom.mix(bits))));
            } else {
                out.put(kind < 7 ? WebShop.referer((int) bits & 0xff) : NONE);
            }
        }

        private static void putUpstream(int page, long place, int status, int millis, AsciiBuffer out) {
            if (!WebShop.isService(page) && (place & 0xe00) != 0) {
                out.put(HIT);
                return;
            }
            out.put(UPSTREAM);
            out.putNumber(1 + ((place >>> 12) & 7));
            out.put(UPSTREAM_STATUS);
            out.putNumber(status);
            out.put(UPSTREAM_TIME);
            out.putMillis(millis);
            out.put(MISS);
        }
    }
}
