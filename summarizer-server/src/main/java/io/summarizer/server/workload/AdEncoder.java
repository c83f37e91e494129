package io.summarizer.server.workload;

import static io.summarizer.server.workload.AsciiBuffer.ascii;

/** Ad events as lines of RFC 5424, with CSV (v1) or JSON (v2) for a payload and an LF at the end. */
final class AdEncoder {
    /** Most bytes of a line. */
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
    private static final byte[] REVENUE = ascii(",\"revenue\":");
    private static final byte[] CONVERSIONS = ascii("],\"conversions\":[");
    private static final byte[] MODEL = ascii("{\"model_id\":");
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
                out.putNumber(event.actionId[0]);
                out.put(',');
                out.putMicros(event.interactionRevenueMicros[0]);
                out.put('\n');
            }
            case CONVERSION -> {
                csvStart(event, CONVERSION, out);
                out.putNumber(event.modelId[0]);
                out.put(',');
                out.putNumber(event.typeId[0]);
                out.put(',');
                out.putMicros(event.conversionRevenueMicros[0]);
                out.put('\n');
            }
            case AUCTION -> json(event, out);
        }
    }

    private static void csvStart(AdEvent event, byte[] envelope, AsciiBuffer out) {
        out.put(envelope);
        out.putNumber(event.timeMillis);
        out.put(',');
        out.putNumber(event.campaignId);
        out.put(',');
        out.putNumber(event.inventoryId);
        out.put(',');
        out.putNumber(event.creativeId);
        out.put(',');
        out.putNumber(event.audienceId);
        out.put(',');
        out.putNumber(event.userId);
        out.put(',');
    }

    private static void json(AdEvent event, AsciiBuffer out) {
        out.put(AUCTION);
        out.putNumber(event.timeMillis);
        out.put(REQUEST);
        out.putHex(event.requestId);
        int browser = (int) event.browser;
        out.put(IP);
        out.putNumber((browser >>> 8) & 0xff);
        out.put('.');
        out.putNumber((browser >>> 16) & 0xff);
        out.put('.');
        out.putNumber((browser >>> 24) & 0xff);
        out.put(UA);
        out.put(USER_AGENTS[browser & 3]);
        out.put(PLACEMENT);
        out.putNumber(event.campaignId);
        out.put(INVENTORY);
        out.putNumber(event.inventoryId);
        out.put(CREATIVE);
        out.putNumber(event.creativeId);
        out.put(AUDIENCE);
        out.putNumber(event.audienceId);
        out.put(USER);
        out.putNumber(event.userId);
        out.put(SEGMENTS);
        out.putNumber((event.browser >>> 32) & 0x3ff);
        out.put(',');
        out.putNumber((event.browser >>> 48) & 0x3ff);
        out.put(COST);
        out.putMicros(event.mediaCostMicros);
        out.put(DATA);
        out.putMicros(event.dataCostMicros);
        out.put(INTERACTIONS);
        for (int i = 0; i < event.interactions; i++) {
            if (i > 0) {
                out.put(',');
            }
            out.put(ACTION);
            out.putNumber(event.actionId[i]);
            out.put(REVENUE);
            out.putMicros(event.interactionRevenueMicros[i]);
            out.put('}');
        }
        out.put(CONVERSIONS);
        for (int i = 0; i < event.conversions; i++) {
            if (i > 0) {
                out.put(',');
            }
            out.put(MODEL);
            out.putNumber(event.modelId[i]);
            out.put(TYPE);
            out.putNumber(event.typeId[i]);
            out.put(REVENUE);
            out.putMicros(event.conversionRevenueMicros[i]);
            out.put('}');
        }
        out.put(END);
    }
}
