package io.summarizer.server.workload;

import java.util.function.Consumer;

/**
 * The reference workload: impressions, clicks and conversions of an ad server, as v1 (three flat CSV messages) or as v2
 * (one nested JSON message for an auction). Each message is a line of RFC 5424.
 *
 * <p>There are 200 campaigns with 5 creatives each, 150 inventories and 8 audiences. All of them are distributed by
 * Zipf's law with exponent 1.1 (the smallest id is the most frequent). This gives about 290,000 distinct keys in 2
 * million events. Users are uniform over 4 million 40-bit ids. The events of v1 are 90 % impressions, 8 % clicks and 2
 * % conversions. 30 % of the events of v2 have 1 to 3 interactions, and 7 % have one or two conversions.
 */
public final class AdsWorkload extends Workload {
    /** Time of event 0: 2026-11-20T00:00:00Z, in milliseconds since the epoch. */
    public static final long START_MILLIS = 1_795_132_800_000L;
    /** Events in one millisecond. */
    public static final int EVENTS_PER_MILLI = 100;

    /** Campaigns, ids from 1. */
    public static final int CAMPAIGNS = 200;
    /** Inventories, ids from 1. */
    public static final int INVENTORIES = 150;
    /** Creatives of each campaign; their ids are unique over all campaigns. */
    public static final int CREATIVES_PER_CAMPAIGN = 5;
    /** Audiences, ids from 1. */
    public static final int AUDIENCES = 8;
    /** Number of users. */
    public static final int USERS = 4_000_000;

    private static final double ZIPF_EXPONENT = 1.1;
    private static final int ACTIONS = 5;
    private static final int MODELS = 3;
    private static final int TYPES = 4;
    private static final long USER_ID_MASK = (1L << 40) - 1;

    private static final ZipfTable CAMPAIGN = new ZipfTable(CAMPAIGNS, ZIPF_EXPONENT);
    private static final ZipfTable INVENTORY = new ZipfTable(INVENTORIES, ZIPF_EXPONENT);
    private static final ZipfTable CREATIVE = new ZipfTable(CREATIVES_PER_CAMPAIGN, ZIPF_EXPONENT);
    private static final ZipfTable AUDIENCE = new ZipfTable(AUDIENCES, ZIPF_EXPONENT);

    private final long seed;
    private final boolean nested;

    private AdsWorkload(long seed, boolean nested) {
        super(AdEncoder.LINE_BYTES_MAX);
        this.seed = seed;
        this.nested = nested;
    }

    /** Flat CSV messages on the topics {@code ad.impression}, {@code ad.click} and {@code ad.conversion}. */
    public static AdsWorkload v1(long seed) {
        return new AdsWorkload(seed, false);
    }

    /** Nested JSON messages on the topic {@code ad.auction.v2}. */
    public static AdsWorkload v2(long seed) {
        return new AdsWorkload(seed, true);
    }

    @Override
    Encoder encoder() {
        Reader reader = reader();
        return (index, out) -> AdEncoder.encode(reader.read(index), out);
    }

    /** Passes the first {@code events} events to {@code consumer}, always in the same {@link AdEvent}. */
    public void forEach(long events, Consumer<AdEvent> consumer) {
        Reader reader = reader();
        for (long index = 0; index < events; index++) {
            consumer.accept(reader.read(index));
        }
    }

    /** Makes a reader of single events. */
    public Reader reader() {
        return new Reader();
    }

    /** Reads any event, always into the same {@link AdEvent}. Confined to one thread. */
    public final class Reader {
        private final EventRandom random = new EventRandom(seed);
        private final AdEvent event = new AdEvent();

        private Reader() {}

        /** Returns event {@code index}, valid until the next call. */
        public AdEvent read(long index) {
            random.startEvent(index);
            AdEvent event = this.event;
            event.index = index;
            event.timeMillis = START_MILLIS + index / EVENTS_PER_MILLI;
            int campaign = CAMPAIGN.rank(random.next());
            event.campaignId = 1L + campaign;
            event.inventoryId = 1L + INVENTORY.rank(random.next());
            event.creativeId = 1L + (long) campaign * CREATIVES_PER_CAMPAIGN + CREATIVE.rank(random.next());
            event.audienceId = 1L + AUDIENCE.rank(random.next());
            event.userId = userId(random.below(USERS));
            event.interactions = 0;
            event.conversions = 0;
            if (nested) {
                readAuction(event);
            } else {
                readFlat(event);
            }
            return event;
        }

        private void readFlat(AdEvent event) {
            int percent = random.below(100);
            event.mediaCostMicros = 0;
            event.dataCostMicros = 0;
            if (percent < 90) {
                event.kind = AdEvent.Kind.IMPRESSION;
                readCosts(event);
            } else if (percent < 98) {
                event.kind = AdEvent.Kind.CLICK;
                readInteractions(event, 1);
            } else {
                event.kind = AdEvent.Kind.CONVERSION;
                readConversions(event, 1);
            }
        }

        private void readAuction(AdEvent event) {
            event.kind = AdEvent.Kind.AUCTION;
            event.requestId = random.next();
            event.browser = random.next();
            readCosts(event);
            int chance = random.below(10_000);
            if (chance < 3_000) {
                readInteractions(event, 1 + chance / 1_000);
            }
            chance = random.below(10_000);
            if (chance < 700) {
                readConversions(event, 1 + chance / 350);
            }
        }

        private void readCosts(AdEvent event) {
            long bits = random.next();
            event.mediaCostMicros = 500 + EventRandom.scale(bits, 9_500);
            event.dataCostMicros = 50 + EventRandom.scale(bits << 32, 950);
        }

        private void readInteractions(AdEvent event, int count) {
            event.interactions = count;
            for (int i = 0; i < count; i++) {
                long bits = random.next();
                event.actionId[i] = 1 + EventRandom.scale(bits, ACTIONS);
                event.interactionRevenueMicros[i] = 10_000 + EventRandom.scale(bits << 32, 1_990_000);
            }
        }

        private void readConversions(AdEvent event, int count) {
            event.conversions = count;
            for (int i = 0; i < count; i++) {
                long bits = random.next();
                int sale = EventRandom.scale(bits, MODELS * TYPES);
                event.modelId[i] = 1 + sale / TYPES;
                event.typeId[i] = 1 + sale % TYPES;
                event.conversionRevenueMicros[i] = 1_000_000 + EventRandom.scale(bits << 32, 99_000_000);
            }
        }
    }

    /** The 40-bit id of user {@code number}. Each step is reversible within 40 bits, so no two users share an id. */
    static long userId(int number) {
        long id = ((number + 1) * 0x5851F42D4C957F2DL) & USER_ID_MASK;
        id ^= id >>> 20;
        return (id * 0x14057B7EF767814FL) & USER_ID_MASK;
    }
}
