package io.summarizer.server.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class GzipMembersTest {
    private static byte[] member(String text) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream packed = new GZIPOutputStream(out)) {
            packed.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return out.toByteArray();
    }

    private static byte[] both(byte[] one, byte[] other) {
        byte[] both = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        return both;
    }

    /** A stream that gives a few bytes with each read. */
    private static InputStream slowly(byte[] bytes, int most) {
        return new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] to, int offset, int length) {
                return super.read(to, offset, Math.min(length, most));
            }

            @Override
            public synchronized int available() {
                return 0;
            }
        };
    }

    private static String read(InputStream in) throws IOException {
        return new String(new GzipMembers(in).readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void readsAllMembersHoweverTheyArrive() throws IOException {
        byte[] bytes = both(both(member("one,"), member("")), member("two"));
        for (int most = 1; most <= bytes.length; most++) {
            assertThat(read(slowly(bytes, most))).as("%d bytes at a time", most).isEqualTo("one,two");
        }
    }

    /** A pipe is empty between two members. */
    @Test
    void waitsForTheNextMember() throws Exception {
        PipedOutputStream out = new PipedOutputStream();
        PipedInputStream in = new PipedInputStream(out, 1 << 16);
        out.write(member("one,"));
        CompletableFuture<String> read = CompletableFuture.supplyAsync(() -> {
            try {
                return read(in);
            } catch (IOException e) {
                return e.toString();
            }
        });
        while (in.available() > 0) {
            Thread.onSpinWait();
        }
        out.write(member("two"));
        out.close();
        assertThat(read.get()).isEqualTo("one,two");
    }

    @Test
    void takesNothingElseForTheEnd() throws IOException {
        byte[] damaged = both(member("one"), member("two"));
        int second = member("one").length;
        damaged[second] ^= 1;
        byte[] cut = Arrays.copyOf(both(member("one"), member("two")), second + 5);
        for (byte[] bytes : new byte[][] {damaged, cut, both(member("one"), "text".getBytes(StandardCharsets.UTF_8))}) {
            for (int most = 1; most <= bytes.length; most++) {
                InputStream in = slowly(bytes, most);
                assertThatThrownBy(() -> read(in))
                        .as("%d bytes at a time", most)
                        .isInstanceOf(IOException.class);
            }
        }
        assertThatThrownBy(() -> read(slowly(damaged, damaged.length)))
                .isInstanceOf(ZipException.class)
                .hasMessageContaining("no gzip member");
    }

    @Test
    void takesZerosForPadding() throws IOException {
        byte[] padded = both(member("one"), new byte[1_000]);
        assertThat(read(new ByteArrayInputStream(padded))).isEqualTo("one");
    }
}
