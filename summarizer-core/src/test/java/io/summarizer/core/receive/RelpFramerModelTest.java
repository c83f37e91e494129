package io.summarizer.core.receive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Random sessions in random reads: exactly the messages that went in come out. */
class RelpFramerModelTest {
    private static final int MAX = 300;
    private static final String CHARACTERS = " \n\r0129<>azAZ\0\u00ff";

    @Test
    void takesWhatWasSentHoweverItArrives() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 1_000; round++) {
            StringBuilder session = new StringBuilder(RelpSession.OPEN);
            List<String> expected = new ArrayList<>(List.of("opened"));
            int txnr = 1;
            for (int i = random.nextInt(40); i > 0; i--) {
                String text = text(random, random.nextInt(random.nextInt(8) == 0 ? 10 * MAX : 60));
                session.append(RelpSession.message(++txnr, text));
                expected.add(text.length() <= MAX ? text : "oversize:" + text.substring(0, MAX + 1));
            }
            if (random.nextBoolean()) {
                session.append(RelpSession.frame(++txnr, "close", "")).append(text(random, 20));
                expected.add("close asked");
            } else if (random.nextBoolean()) {
                session.append("x").append(text(random, 20));
                expected.add("broken: a frame does not begin with a number of at most 9 digits and a space");
            } else {
                String unfinished = RelpSession.message(++txnr, text(random, 1 + random.nextInt(2 * MAX)));
                session.append(unfinished, 0, random.nextInt(unfinished.length()));
            }
            RelpFramer framer = RelpSession.framer(MAX);
            Feed feed = RelpSession.feed(
                    framer,
                    session.toString(),
                    1 + random.nextInt(300),
                    1 + random.nextInt(1 + random.nextInt(300)),
                    1 + random.nextInt(1000),
                    random.nextBoolean());
            assertThat(RelpSession.events(framer, feed.end()))
                    .as("seed %d, round %d", seed, round)
                    .isEqualTo(expected);
        }
    }

    private static String text(SplittableRandom random, int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append(CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
        }
        return text.toString();
    }
}
