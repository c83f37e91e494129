package io.summarizer.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopicsCommandTest {
    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeEach
    void writeDefinitions() throws IOException {
        Files.writeString(
                folder.resolve("e.proto"),
                "syntax = \"proto3\"; message Click { int64 campaign = 1; } message Raw { string text = 1; }");
        Files.writeString(folder.resolve("s.summ"), """
                import "e.proto";
                event Click on "ad.click.#" as csv;
                event Click on "web.click" as csv;
                event Raw on "raw.*" as text;
                summary All { key { int64 campaign = 1; } value { count clicks = 1; } }
                summary Local { key { int64 campaign = 1; } value { count clicks = 1; } }
                map Click into All { key { campaign; } clicks += 1; }
                map Click on "ad.*.us.#" into Local { key { campaign; } clicks += 1; }
                """);
    }

    private int run(String... topics) {
        String[] command = Stream.concat(Stream.of("topics", "--definitions", folder.toString()), Stream.of(topics))
                .toArray(String[]::new);
        return Main.run(Terminal.of(out, err), Map.of(), command);
    }

    private static String text(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8);
    }

    @Test
    void showsWhatTakesATopic() {
        assertThat(run("ad.click.us.ny", "ad.click", "raw.x")).isZero();
        assertThat(text(out)).isEqualTo("""
                ad.click.us.ny\tClick\tcsv
                  matches  ad.click.# of Click
                  applies  Click->All
                  applies  Click->Local on ad.*.us.#
                ad.click\tClick\tcsv
                  matches  ad.click.# of Click
                  applies  Click->All
                  not      Click->Local on ad.*.us.#: ends where the pattern goes on with "us"
                raw.x\tRaw\ttext
                  matches  raw.* of Raw
                  no mapping takes Raw
                """);
        assertThat(text(err)).startsWith("by the definitions in ").hasLineCount(1);
    }

    @Test
    void saysThatNoMessageHasATopicOfMoreThan255Bytes() {
        String longest = "ad.click." + "x".repeat(246);
        assertThat(run(longest)).isZero();
        assertThat(run(longest + "x")).isEqualTo(1);
        assertThat(text(out)).endsWith("x\t-\tno message has it: a topic has at most 255 bytes\n");
    }

    @Test
    void showsWhatTakesMessagesWithoutATopic() throws IOException {
        assertThat(run("")).isEqualTo(1);
        assertThat(text(out)).isEqualTo("\t-\tno event type takes it\n");
        out.reset();
        Files.writeString(folder.resolve("s.summ"), """
                import "e.proto";
                event Raw on "#" as text;
                summary All { key { string text = 1; } value { count lines = 1; } }
                map Raw into All { key { text; } lines += 1; }
                map Raw on "a.#" into All { key { text = "a"; } lines += 1; }
                """);
        assertThat(run("")).isZero();
        assertThat(text(out)).isEqualTo("""
                \tRaw\ttext
                  matches  # of Raw
                  applies  Raw->All
                  not      Raw->All#2 on a.#: the pattern asks for "a"
                """);
    }

    @Test
    void showsTheNearestPatternsWhereNothingTakesATopic() {
        assertThat(run("ad.clik.us", "web.click.us", "raw.x")).isEqualTo(1);
        assertThat(text(out)).isEqualTo("""
                ad.clik.us\t-\tno event type takes it
                  near     ad.click.# of Click: word 2 is "clik", not "click"
                  near     raw.* of Raw: word 1 is "ad", not "raw"
                  near     web.click of Click: word 1 is "ad", not "web"
                web.click.us\t-\tno event type takes it
                  near     web.click of Click: word 3 is "us" where the pattern has ended
                  near     ad.click.# of Click: word 1 is "web", not "ad"
                  near     raw.* of Raw: word 1 is "web", not "raw"
                raw.x\tRaw\ttext
                  matches  raw.* of Raw
                  no mapping takes Raw
                """);
    }

    @Test
    void isNotSteeredByWhatATopicHolds() {
        assertThat(run("ad.\033[2J", "x".repeat(5_000))).isEqualTo(1);
        assertThat(text(out)).doesNotContain("\033").hasSizeLessThan(3_000);
    }

    @Test
    void asksForATopic() {
        assertThat(run()).isEqualTo(2);
        assertThat(text(err)).contains("TOPIC");
    }
}
