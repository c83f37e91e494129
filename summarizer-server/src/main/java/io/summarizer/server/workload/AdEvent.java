package io.summarizer.server.workload;

/**
 * One event of the reference workload, with its fields as numbers. The object is a cursor that {@link AdsWorkload#read}
 * refills. A click has the form of an event with one interaction and no costs, and a v1 conversion has the form of an
 * event with one conversion. So sums are computed in the same way for all kinds of events. Money is in millionths.
 * Confined to one thread.
 */
public final class AdEvent {
    /** Kind of the event; the first three are v1, the last is v2. */
    public enum Kind {
        IMPRESSION("ad.impression"),
        CLICK("ad.click"),
        CONVERSION("ad.conversion"),
        AUCTION("ad.auction.v2");

        private final String topic;

        Kind(String topic) {
            this.topic = topic;
        }

        /** The topic of messages of this kind. */
        public String topic() {
            return topic;
        }
    }

    /** Maximum number of interactions of one event. */
    public static final int INTERACTIONS_MAX = 3;
    /** Maximum number of conversions of one event. */
    public static final int CONVERSIONS_MAX = 2;

    /** Number of the event in its workload, from 0. */
    public long index;

    public Kind kind = Kind.IMPRESSION;
    /** Milliseconds since the epoch. */
    public long timeMillis;

    public long campaignId;
    public long inventoryId;
    public long creativeId;
    public long audienceId;
    public long userId;
    /** Cost of the space in millionths; 0 when the event is no impression. */
    public int mediaCostMicros;
    /** Cost of the data in millionths; 0 when the event is no impression. */
    public int dataCostMicros;
    /** Number of interactions, at most {@link #INTERACTIONS_MAX}. */
    public int interactions;
    /** Action of each interaction. */
    public final int[] actionId = new int[INTERACTIONS_MAX];
    /** Revenue of each interaction in millionths. */
    public final int[] interactionRevenueMicros = new int[INTERACTIONS_MAX];
    /** Number of conversions, at most {@link #CONVERSIONS_MAX}. */
    public int conversions;
    /** Attribution model of each conversion. */
    public final int[] modelId = new int[CONVERSIONS_MAX];
    /** Kind of sale of each conversion. */
    public final int[] typeId = new int[CONVERSIONS_MAX];
    /** Revenue of each conversion in millionths. */
    public final int[] conversionRevenueMicros = new int[CONVERSIONS_MAX];
    /** Id of the request. The id occurs only in the text of an auction; no sum uses it. */
    long requestId;

    long browser;
}
