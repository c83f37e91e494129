package io.summarizer.bench.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ContenderTest {
    private static final int EVENTS = 5_000;

    @BeforeAll
    static void findTheSchemas() {
        if (System.getProperty("summarizer.home") == null) {
            System.setProperty("summarizer.home", ".."); // tests run in the folder of their module
        }
    }

    @Test
    void allReadTheSameFromCsv() throws IOException {
        AdPayloads payloads = AdPayloads.of(false, EVENTS);
        Contender.check(List.of(new GeneratedDecoder(payloads), new SplitDecoder(payloads)), EVENTS);
        assertThat(IntStream.range(0, EVENTS).mapToObj(payloads::type).distinct())
                .containsExactlyInAnyOrder("Impression", "Click", "Conversion");
    }

    @Test
    void allReadTheSameFromJson() throws IOException {
        AdPayloads payloads = AdPayloads.of(true, EVENTS);
        GeneratedDecoder generated = new GeneratedDecoder(payloads);
        Contender.check(List.of(generated, new TreeDecoder(payloads), new DatabindDecoder(payloads)), EVENTS);
        assertThat(IntStream.range(0, EVENTS).mapToLong(generated::decode).distinct())
                .as("events differ, and so do their digests")
                .hasSizeGreaterThan(EVENTS * 9 / 10);
    }

    @Test
    void oneThatReadsOtherValuesIsFound() {
        assertThatThrownBy(() ->
                        Contender.check(List.of(message -> message, message -> message == 7 ? 8 : message), 10))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageEndingWith("from message 7");
    }
}
