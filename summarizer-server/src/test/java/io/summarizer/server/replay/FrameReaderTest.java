package io.summarizer.server.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameReaderTest {
    @Test
    void linesAreMessagesAndEmptyOnesAreNot() throws IOException {
        assertThat(read("one\n\ntwo\r\n\nthree")).containsExactly("one", "two", "three");
    }

    @Test
    void countedFramesMayHoldAnythingAndEndInALineFeed() throws IOException {
        assertThat(read("5 a\nb 13 xyz\n1 q")).containsExactly("a\nb 1", "xyz", "q");
    }

    @Test
    void nothingIsNoMessage() throws IOException {
        assertThat(read("")).isEmpty();
        assertThat(read("\n\n")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<134>1 2026-11-20T00:00:00Z h a - - - x\n",
                "Nov 20 00:00:00 host tag: x\n",
                "12 o'clock and all is well\n",
                "0 x",
                "007 bonds\n",
                "1234567890 x\n",
                "3 abc4 defgh\n",
                "3 abc3 abc3 abc3 abcx",
                "5\n"
            })
    void whatOnlyBeginsLikeACountIsALine(String text) throws IOException {
        assertThat(format(text)).isEqualTo(FrameFormat.LF);
    }

    @ParameterizedTest
    @ValueSource(strings = {"3 abc", "3 abc4 defg", "3 abc\n4 defg\n", "3 abc12", "100 the rest of it comes later"})
    void countsThatLeadToCountsAreOctetCounting(String text) throws IOException {
        assertThat(format(text)).isEqualTo(FrameFormat.OCTET);
    }

    @Test
    void aStreamThatBreaksOffOrIsBrokenSaysSo() {
        assertThatThrownBy(() -> read("3 abc9 de")).hasMessage("ends within a frame: 9 bytes announced, 2 there");
        for (int sound : new int[] {3, 99, 150}) {
            assertThatThrownBy(() -> read("3 <bc".repeat(sound) + "x"))
                    .hasMessage("not a count where an octet-counted frame should begin");
        }
    }

    @Test
    void messagesOfAnySizeComeWholeHoweverTheyArrive() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<String> messages = new ArrayList<>();
        StringBuilder lines = new StringBuilder();
        StringBuilder counted = new StringBuilder();
        for (int i = 0; i < 300; i++) {
            int length = random.nextInt(50) == 0 ? 200_000 + random.nextInt(400_000) : 1 + random.nextInt(200);
            String message = ("<" + i + ">" + "x".repeat(length));
            messages.add(message);
            lines.append(message).append('\n');
            counted.append(message.length()).append(' ').append(message);
        }
        assertThat(read(trickle(lines.toString(), random))).as("seed %d", seed).isEqualTo(messages);
        assertThat(read(trickle(counted.toString(), random)))
                .as("seed %d", seed)
                .isEqualTo(messages);
    }

    private static InputStream trickle(String text, Random random) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) {
            @Override
            public synchronized int read(byte[] bytes, int offset, int length) {
                return super.read(bytes, offset, Math.min(length, 1 + random.nextInt(5000)));
            }
        };
    }

    private static FrameFormat format(String text) throws IOException {
        FrameReader reader = new FrameReader(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        return reader.isLines() ? FrameFormat.LF : FrameFormat.OCTET;
    }

    private static List<String> read(String text) throws IOException {
        return read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static List<String> read(InputStream in) throws IOException {
        FrameReader reader = new FrameReader(in);
        List<String> messages = new ArrayList<>();
        while (reader.next()) {
            messages.add(new String(reader.buffer(), reader.offset(), reader.length(), StandardCharsets.UTF_8));
        }
        return messages;
    }
}
