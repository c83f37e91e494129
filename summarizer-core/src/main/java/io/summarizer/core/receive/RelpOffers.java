package io.summarizer.core.receive;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the offers that sender and receiver exchange at the start of a RELP session: lines of {@code
 * NAME=VALUE,VALUE}. Stateless.
 *
 * <p>The only version of the protocol is 0, and every sender supports it. The receiver ignores offers that it does not
 * know, so the sender cannot use them.
 */
final class RelpOffers {
    private static final String VERSION = "relp_version";
    private static final String COMMANDS = "commands";
    private static final String SYSLOG = "syslog";

    private RelpOffers() {}

    /**
     * The reason why the offers at {@code [from, to)} allow no session, as a text for the sender; null when they allow
     * a session.
     */
    static @Nullable String refusal(byte[] bytes, int from, int to) {
        boolean syslog = false;
        String offers = new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
        for (String offer : offers.split("\n", -1)) {
            int equals = offer.indexOf('=');
            String name = equals < 0 ? offer : offer.substring(0, equals);
            List<String> values =
                    equals < 0 ? List.of() : List.of(offer.substring(equals + 1).split(",", -1));
            if (name.equals(VERSION) && (values.isEmpty() || !isNumber(values.get(0)))) {
                return VERSION + " is no number";
            }
            if (name.equals(COMMANDS)) {
                syslog |= values.contains(SYSLOG);
            }
        }
        return syslog ? null : "the command " + SYSLOG + " is required";
    }

    private static boolean isNumber(String value) {
        return !value.isEmpty() && value.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
