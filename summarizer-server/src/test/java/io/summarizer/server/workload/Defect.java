package io.summarizer.server.workload;

import io.summarizer.core.message.RejectReason;

/** A defect of a line of the reference workload, and the reason for its rejection. */
public enum Defect {
    /** JSON that ends in the middle. */
    TRUNCATED_JSON(true, RejectReason.PAYLOAD),
    /** A CSV field whose opening quote never closes. */
    UNCLOSED_QUOTE(false, RejectReason.PAYLOAD),
    /** Letters in a number. */
    NOT_A_NUMBER(false, RejectReason.PAYLOAD),
    /** One more than the largest int64. */
    INTEGER_OUT_OF_RANGE(true, RejectReason.PAYLOAD),
    /** A half instead of an integer. */
    FRACTION_FOR_INTEGER(true, RejectReason.PAYLOAD),
    /** A list instead of an integer. */
    WRONG_JSON_TYPE(true, RejectReason.PAYLOAD),
    /** RFC 5424 that ends after APP-NAME. */
    TRUNCATED_HEADER(false, RejectReason.ENVELOPE),
    /** A TIMESTAMP without an offset from UTC. */
    TIMESTAMP_WITHOUT_ZONE(true, RejectReason.ENVELOPE),
    /** An SD-ELEMENT without its closing bracket. */
    UNCLOSED_STRUCTURED_DATA(false, RejectReason.ENVELOPE),
    /** A line longer than the listener takes, because of blanks. */
    OVERSIZE(true, RejectReason.OVERSIZE);

    private static final String BEFORE_PAYLOAD = " - ";

    private final boolean nested;
    private final RejectReason reason;

    Defect(boolean nested, RejectReason reason) {
        this.nested = nested;
        this.reason = reason;
    }

    /** Whether the defect is one of v2 lines; otherwise of v1 lines. */
    boolean nested() {
        return nested;
    }

    /** The reason for which the line must be rejected. */
    public RejectReason reason() {
        return reason;
    }

    /**
     * Returns a good line, without its LF, with this defect.
     *
     * @param oversizeBytes length of a line that is too long
     */
    String damage(String line, int oversizeBytes) {
        return switch (this) {
            case TRUNCATED_JSON -> line.substring(0, (payloadOf(line) + line.length()) / 2);
            case UNCLOSED_QUOTE -> replaceCampaign(line, "\"1");
            case NOT_A_NUMBER -> replaceCampaign(line, "1x2");
            case INTEGER_OUT_OF_RANGE -> replaceNumber(line, "\"user\":{\"id\":", "9223372036854775808");
            case FRACTION_FOR_INTEGER -> replaceNumber(line, "\"campaign_id\":", "1.5");
            case WRONG_JSON_TYPE -> replaceNumber(line, "\"audience_attribute_id\":", "[3]");
            case TRUNCATED_HEADER -> line.substring(0, line.indexOf(" adserver ") + " adserver".length());
            case TIMESTAMP_WITHOUT_ZONE -> line.replaceFirst("Z ", " ");
            case UNCLOSED_STRUCTURED_DATA -> line.replaceFirst(BEFORE_PAYLOAD, " [ev@32473 id=\"7\" ");
            case OVERSIZE -> line + " ".repeat(oversizeBytes - line.length());
        };
    }

    private static int payloadOf(String line) {
        return line.indexOf(BEFORE_PAYLOAD) + BEFORE_PAYLOAD.length();
    }

    /** Puts {@code text} in place of the second CSV field. */
    private static String replaceCampaign(String line, String text) {
        int start = line.indexOf(',') + 1;
        return line.substring(0, start) + text + line.substring(line.indexOf(',', start));
    }

    /** Puts {@code text} in place of the number that follows {@code name}. */
    private static String replaceNumber(String line, String name, String text) {
        int start = line.indexOf(name) + name.length();
        int end = start;
        while (Character.isDigit(line.charAt(end))) {
            end++;
        }
        return line.substring(0, start) + text + line.substring(end);
    }
}
