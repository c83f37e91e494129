package io.summarizer.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RelpAnswersTest {
    private final ByteBuf out = Unpooled.buffer();

    @Test
    void numbersCountUpFromTheOpening() {
        RelpAnswers answers = new RelpAnswers();
        answers.opened(out);
        assertThat(written()).startsWith("1 rsp 62 200 OK\n").endsWith("\ncommands=syslog\n");
        StringBuilder expected = new StringBuilder();
        for (int txnr = 2; txnr <= 120_000; txnr++) {
            expected.append(txnr).append(" rsp 6 200 OK\n");
        }
        answers.taken(out, 1);
        answers.taken(out, 0);
        answers.taken(out, 119_998);
        assertThat(written()).isEqualTo(expected.toString());
        answers.closed(out);
        RelpAnswers.serverClose(out);
        assertThat(written()).isEqualTo("120001 rsp 0\n0 serverclose 0\n");
    }

    private String written() {
        String text = out.toString(StandardCharsets.US_ASCII);
        out.clear();
        return text;
    }
}
