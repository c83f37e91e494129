package io.summarizer.core.receive;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.summarizer.core.message.MessageBatch;
import java.util.List;

/** Feeds arbitrary bytes. Runs the recorded inputs; {@code junit-platform.properties} says how to look for new ones. */
class RelpFramerFuzzTest {
    private static final int MAX = 200;

    /** With an odd first byte the rest follows a valid opening, otherwise it is the whole session. */
    @FuzzTest(maxDuration = "10m")
    void takesAnySession(byte[] input) {
        if (input.length == 0) {
            return;
        }
        String session =
                ((input[0] & 1) == 1 ? RelpSession.OPEN : "") + new String(input, 1, input.length - 1, ISO_8859_1);
        byte[] bytes = session.getBytes(ISO_8859_1);
        MessageBatch batch = new MessageBatch(bytes.length);
        RelpFramer framer = RelpSession.framer(MAX);
        framer.begin(batch);
        System.arraycopy(bytes, 0, batch.bytes(), 0, bytes.length);
        batch.limit(bytes.length);
        int messages = 0;
        while (framer.frame(batch) == StreamFramer.Outcome.FULL) {
            Slices.check(batch, MAX);
            messages += batch.count();
            batch = framer.carryOver(batch, new MessageBatch(bytes.length));
        }
        Slices.check(batch, MAX);
        messages += batch.count();
        int others = (framer.opened() || framer.refusal() != null ? 1 : 0) + (framer.closeAsked() ? 1 : 0);
        assertThat(framer.txnr()).isEqualTo(messages + others);

        assertThat(events(session, 1)).isEqualTo(events(session, Math.max(1, session.length())));
    }

    private static List<String> events(String session, int readBytes) {
        RelpFramer framer = RelpSession.framer(MAX);
        return RelpSession.events(
                framer,
                RelpSession.feed(framer, session, readBytes, readBytes, 100, readBytes > 1)
                        .end());
    }
}
