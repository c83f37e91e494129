package io.summarizer.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class PayloadLinesTest {
    private static final String HEADER = "<13>1 - - - - a.b -  ";

    /** A stream that gives at most {@code most} bytes at a time. */
    private static InputStream slow(String text, int most) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) {
            @Override
            public synchronized int read(byte[] bytes, int offset, int length) {
                return super.read(bytes, offset, Math.min(length, most));
            }
        };
    }

    private static String read(InputStream in, int length) throws IOException {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        byte[] buffer = new byte[length];
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            assertThat(count).isPositive();
            read.write(buffer, 0, count);
            Arrays.fill(buffer, (byte) '?');
        }
        return read.toString(StandardCharsets.UTF_8);
    }

    @Test
    void putsAHeaderBeforeEachLineHoweverTheBytesAreSplit() throws IOException {
        String lines = "one\n\n<7>two\r\n\r\nü";
        String expected = HEADER + "one\n\n" + HEADER + "<7>two\r\n\r\n" + HEADER + "ü";
        for (int in = 1; in <= lines.length() + 1; in++) {
            for (int out = 1; out <= expected.length() + 1; out++) {
                assertThat(read(new PayloadLines(slow(lines, in), "a.b"), out))
                        .as("in=" + in + " out=" + out)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void makesNoMessageOfLinesThatAreEmpty() throws IOException {
        assertThat(read(new PayloadLines(slow("", 9), "a.b"), 9)).isEmpty();
        assertThat(read(new PayloadLines(slow("\n\r\n\n", 9), "a.b"), 9)).isEqualTo("\n\r\n\n");
    }
}
