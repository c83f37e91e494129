package io.summarizer.server.workload;

/**
 * One event of the reference workload with its fields as numbers: a cursor that {@link AdsWorkload#read} refills. A
 * click is an event with one interaction and no costs, a v1 conversion one with one conversion, so that sums over
 * events of any kind are computed alike. Money is in millionths. Confined to one thread.
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

    /** Most interactions of one event. */
    public static final int INTERACTIONS_MAX = 3;
    /** Most conversions of one event. */
    public static final int CONVERSIONS_MAX = 2;

    long index;
    Kind kind = Kind.IMPRESSION;
    long timeMillis;
    int campaignId;
    int inventoryId;
    int creativeId;
    int audienceId;
    long userId;
    int mediaCostMicros;
    int dataCostMicros;
    int interactions;
    final int[] actionId = new int[INTERACTIONS_MAX];
    final int[] interactionRevenueMicros = new int[INTERACTIONS_MAX];
    int conversions;
    final int[] modelId = new int[CONVERSIONS_MAX];
    final int[] typeId = new int[CONVERSIONS_MAX];
    final int[] conversionRevenueMicros = new int[CONVERSIONS_MAX];
    /** A field that only the text of an auction has: no sum contains it. */
    long requestId;

    long browser;

    /** Number of the event in its workload, from 0. */
    public long index() {
        return index;
    }

    public Kind kind() {
        return kind;
    }

    /** Whether the event is an impression, with or without interactions and conversions. */
    public boolean isImpression() {
        return kind == Kind.IMPRESSION || kind == Kind.AUCTION;
    }

    /** Milliseconds since the epoch. */
    public long timeMillis() {
        return timeMillis;
    }

    public long campaignId() {
        return campaignId;
    }

    public long inventoryId() {
        return inventoryId;
    }

    public long creativeId() {
        return creativeId;
    }

    public long audienceAttributeId() {
        return audienceId;
    }

    public long userId() {
        return userId;
    }

    /** Cost of the space in millionths; 0 when this is no impression. */
    public long mediaCostMicros() {
        return mediaCostMicros;
    }

    /** Cost of the data in millionths; 0 when this is no impression. */
    public long dataCostMicros() {
        return dataCostMicros;
    }

    /** Number of interactions, at most {@link #INTERACTIONS_MAX}. */
    public int interactions() {
        return interactions;
    }

    /** Action of interaction {@code i}. */
    public long actionId(int i) {
        return actionId[i];
    }

    /** Revenue of interaction {@code i} in millionths. */
    public long interactionRevenueMicros(int i) {
        return interactionRevenueMicros[i];
    }

    /** Number of conversions, at most {@link #CONVERSIONS_MAX}. */
    public int conversions() {
        return conversions;
    }

    /** Attribution model of conversion {@code i}. */
    public long modelId(int i) {
        return modelId[i];
    }

    /** Kind of sale of conversion {@code i}. */
    public long typeId(int i) {
        return typeId[i];
    }

    /** Revenue of conversion {@code i} in millionths. */
    public long conversionRevenueMicros(int i) {
        return conversionRevenueMicros[i];
    }
}
