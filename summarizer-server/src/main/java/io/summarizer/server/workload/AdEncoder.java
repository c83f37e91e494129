package io.summarizer.server.workload;

import static io.summarizer.server.workload.AsciiBuffer.ascii;

/** An encoder of ad events as lines of RFC 5424, with CSV (v1) or JSON (v2) as the payload and an LF at the end. */
final class AdEncoder {
    /** Largest number of bytes of a line. */
    static final int LINE_BYTES_MAX = 1024;

    static final String HEADER = "<134>1 2026-11-20T00:00:00.000000Z web03 adserver 4711 ";

    private static final byte[] IMPRESSION = ascii(HEADER + AdEvent.Kind.IMPRESSION.topic() + " - ");
    private static final byte[] CLICK = ascii(HEADER + AdEvent.Kind.CLICK.topic() + " - ");
    private static final byte[] CONVERSION = ascii(HEADER + AdEvent.Kind.CONVERSION.topic() + " - ");
    private static final byte[] AUCTION = ascii(HEADER + AdEvent.Kind.AUCTION.topic() + " - {\"ts\":");

    private static final byte[] REQUEST = ascii(",\"request\":{\"id\":\"");
    private static final byte[] IP = ascii("\",\"ip\":\"10.");
    private static final byte[] UA = ascii("\",\"ua\":\"");
    private static final byte[] PLACEMENT = ascii("\"},\"placement\":{\"campaign_id\":");
    private static final byte[] INVENTORY = ascii(",\"inventory_id\":");
    private static final byte[] CREATIVE = ascii(",\"creative_id\":");
    private static final byte[] AUDIENCE = ascii("},\"audience_attribute_id\":");
    private static final byte[] USER = ascii(",\"user\":{\"id\":");
    private static final byte[] SEGMENTS = ascii(",\"segments\":[");
    private static final byte[] COST = ascii("]},\"cost\":{\"media\":");
    private static final byte[] DATA = ascii(",\"data\":");
    private static final byte[] INTERACTIONS = ascii("},\"interactions\":[");
    private static final byte[] ACTION = ascii("{\"action_id\":");
    private static final byte[] NEXT_ACTION = ascii(",{\"action_id\":");
    private static final byte[] REVENUE = ascii(",\"revenue\":");
    private static final byte[] CONVERSIONS = ascii("],\"conversions\":[");
    private static final byte[] MODEL = ascii("{\"model_id\":");
    private static final byte[] NEXT_MODEL = ascii(",{\"model_id\":");
    private static final byte[] TYPE = ascii(",\"type_id\":");
    private static final byte[] END = ascii("]}\n");

    private static final byte[][] USER_AGENTS = {
        ascii("Firefox/128.0 (X11)"),
        ascii("Chrome/131.0 (Win)"),
        ascii("Safari/604.1 (Mac)"),
        ascii("Mobile/15E148 (iOS)"),
    };

    private AdEncoder() {}

    /** Appends {@code event} as one line. */
    static void encode(AdEvent event, AsciiBuffer out) {
        switch (event.kind) {
            case IMPRESSION -> {
                csvStart(event, IMPRESSION, out);
                out.putMicros(event.mediaCostMicros);
                out.put(',');
                out.putMicros(event.dataCostMicros);
                out.put('\n');
            }
            case CLICK -> {
                csvStart(event, CLICK, out);
                csv(event.actionId[0], out);
                out.putMicros(event.interactionRevenueMicros[0]);
                out.put('\n');
            }
            case CONVERSION -> {
                csvStart(event, CONVERSION, out);
                csv(event.modelId[0], out);
                csv(event.typeId[0], out);
                out.putMicros(event.conversionRevenueMicros[0]);
                out.put('\n');
            }
            case AUCTION -> json(event, out);
        }
    }

    private static void csvStart(AdEvent event, byte[] envelope, AsciiBuffer out) {
        out.put(envelope);
        csv(event.timeMillis, out);
        csv(event.campaignId, out);
        csv(event.inventoryId, out);
        csv(event.creativeId, out);
        csv(event.audienceId, out);
        csv(event.userId, out);
    }

    /** Appends a field and the comma before the next field. */
    private static void csv(long number, AsciiBuffer out) {
        out.putNumber(number);
        out.put(',');
    }

    private static void json(AdEvent event, AsciiBuffer out) {
        json(AUCTION, event.timeMillis, out);
        out.put(REQUEST);
        out.putHex(event.requestId);
        int browser = (int) event.browser;
        json(IP, (browser >>> 8) & 0xff, out);
        out.put('.');
        out.putNumber((browser >>> 16) & 0xff);
        out.put('.');
        out.putNumber((browser >>> 24) & 0xff);
        out.put(UA);
        out.put(USER_AGENTS[browser & 3]);
        json(PLACEMENT, event.campaignId, out);
        json(INVENTORY, event.inventoryId, out);
        json(CREATIVE, event.creativeId, out);
        json(AUDIENCE, event.audienceId, out);
        json(USER, event.userId, out);
        json(SEGMENTS, (event.browser >>> 32) & 0x3ff, out);
        out.put(',');
        out.putNumber((event.browser >>> 48) & 0x3ff);
        money(COST, event.mediaCostMicros, out);
        money(DATA, event.dataCostMicros, out);
        out.put(INTERACTIONS);
        for (int i = 0; i < event.interactions; i++) {
            json(i > 0 ? NEXT_ACTION : ACTION, event.actionId[i], out);
            money(REVENUE, event.interactionRevenueMicros[i], out);
            out.put('}');
        }
        out.put(CONVERSIONS);
        for (int i = 0; i < event.conversions; i++) {
            json(i > 0 ? NEXT_MODEL : MODEL, event.modelId[i], out);
            json(TYPE, event.typeId[i], out);
            money(REVENUE, event.conversionRevenueMicros[i], out);
            out.put('}');
        }
        out.put(END);
    }

    private static void json(byte[] before, long number, AsciiBuffer out) {
        out.put(before);
        out.putNumber(number);
    }

    private static void money(byte[] before, int micros, AsciiBuffer out) {
        out.put(before);
        out.putMicros(micros);
    }
}
