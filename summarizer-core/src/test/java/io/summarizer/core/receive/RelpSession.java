package io.summarizer.core.receive;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.List;

/** The bytes of a RELP sender, one character each, and the results of a framer that takes them. */
final class RelpSession {
    static final String OFFERS = "relp_version=0\nrelp_software=test,1\ncommands=syslog";
    static final String OPEN = frame(1, "open", OFFERS);

    private RelpSession() {}

    static String frame(int txnr, String command, String data) {
        return txnr + " " + command + " " + data.length() + (data.isEmpty() ? "" : " " + data) + "\n";
    }

    static String message(int txnr, String text) {
        return frame(txnr, "syslog", text);
    }

    static RelpFramer framer(int messageBytesMax) {
        return new RelpFramer(messageBytesMax, new EnvelopeParser(TopicRule.MSGID_OR_APP_NAME));
    }

    /** The events of a session, as text. */
    static List<String> events(RelpFramer framer, List<Received> messages) {
        List<String> events = new ArrayList<>();
        if (framer.opened()) {
            events.add("opened");
        }
        for (Received message : messages) {
            events.add(
                    switch (message.rejected()) {
                        case OVERSIZE -> "oversize:" + message.frame();
                        default -> message.frame();
                    });
        }
        if (framer.closeAsked()) {
            events.add("close asked");
        }
        if (framer.refusal() != null) {
            events.add("refused: " + framer.refusal());
        } else if (framer.closeReason() != null) {
            events.add("broken: " + framer.closeReason());
        }
        return events;
    }

    /** Feeds all of a session in reads of this size, and does not end it. */
    static Feed feed(RelpFramer framer, String session, int first, int rest, int batchBytes, boolean parks) {
        byte[] bytes = session.getBytes(ISO_8859_1);
        Feed feed = new Feed(framer, batchBytes, parks);
        for (int at = 0, n = first; at < bytes.length; at += n, n = rest) {
            n = Math.min(n, bytes.length - at);
            feed.read(bytes, at, n);
        }
        return feed;
    }
}
