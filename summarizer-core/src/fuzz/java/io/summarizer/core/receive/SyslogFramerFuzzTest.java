package io.summarizer.core.receive;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.summarizer.core.message.MessageBatch;
import java.util.List;

/** Feeds arbitrary bytes. Runs the recorded inputs; {@code junit-platform.properties} says how to look for new ones. */
class SyslogFramerFuzzTest {
    private static final int MAX = 200;

    /** The first byte chooses the framing, the rest is the stream. */
    @FuzzTest(maxDuration = "10m")
    void framesAndPeelsAnything(byte[] input) {
        if (input.length == 0) {
            return;
        }
        Framing framing = Framing.values()[(input[0] & 0xff) % 3];
        MessageBatch batch = new MessageBatch(input.length);
        SyslogFramer framer = Feed.framer(framing, MAX);
        framer.begin(batch);
        System.arraycopy(input, 1, batch.bytes(), 0, input.length - 1);
        batch.limit(input.length - 1);
        while (framer.frame(batch) == StreamFramer.Outcome.FULL) {
            Slices.check(batch, MAX);
            batch = framer.carryOver(batch, new MessageBatch(input.length));
        }
        framer.end(batch);
        Slices.check(batch, MAX);
        boolean closed = framer.closed();

        List<Received> whole = feed(framing, input, input.length);
        List<Received> bytewise = feed(framing, input, 1);
        // The bytes kept around a broken count depend on the reads; all messages before it do not.
        int comparable = closed ? whole.size() - 1 : whole.size();
        assertThat(bytewise).hasSameSizeAs(whole);
        assertThat(bytewise.subList(0, comparable)).isEqualTo(whole.subList(0, comparable));
    }

    private static List<Received> feed(Framing framing, byte[] input, int readBytes) {
        Feed feed = new Feed(Feed.framer(framing, MAX), 100, readBytes > 1);
        for (int at = 1; at < input.length; at += readBytes) {
            feed.read(input, at, Math.min(readBytes, input.length - at));
        }
        return feed.end();
    }
}
