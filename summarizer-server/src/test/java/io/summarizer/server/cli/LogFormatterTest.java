package io.summarizer.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Instant;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LogFormatterTest {
    private final LogFormatter text = new LogFormatter(Logging.Format.TEXT, false);
    private final LogFormatter json = new LogFormatter(Logging.Format.JSON, false);

    @Test
    void aLineHasTimeLevelAndMessage() {
        assertThat(text.format(record(Level.INFO, "all is well", null)))
                .isEqualTo("2026-11-22T16:00:00.123Z INFO all is well\n");
        assertThat(text.format(record(Level.SEVERE, "x", null))).contains("Z ERROR x");
        assertThat(text.format(record(Level.WARNING, "x", null))).contains("Z WARNING x");
        assertThat(text.format(record(Level.FINE, "x", null))).contains("Z DEBUG x");
    }

    @Test
    void aFailureOfTheSurroundingsIsOneLineEachTime() {
        for (int i = 0; i < 3; i++) {
            assertThat(text.format(record(Level.WARNING, "not written: disk full", new IOException("disk full"))))
                    .isEqualTo("2026-11-22T16:00:00.123Z WARNING not written: disk full\n");
        }
        assertThat(text.format(record(Level.WARNING, "not written", new IOException("disk full"))))
                .isEqualTo("2026-11-22T16:00:00.123Z WARNING not written: java.io.IOException: disk full\n");
    }

    @Test
    void aFaultOfTheProgramHasItsTraceTheFirstTime() {
        for (int i = 0; i < 3; i++) {
            RuntimeException fault = new IllegalStateException("odd " + i); // always from this place
            assertThat(text.format(record(Level.WARNING, "failed", fault)).lines())
                    .hasSizeGreaterThan(i == 0 ? 2 : 0)
                    .hasSizeLessThan(i == 0 ? 1000 : 2);
        }
        LogFormatter verbose = new LogFormatter(Logging.Format.TEXT, true);
        assertThat(verbose.format(record(Level.WARNING, "x", new IOException("y"))))
                .contains("\tat io.summarizer");
    }

    @Test
    void textFromOutsideMakesNoLinesAndSteersNoTerminal() throws IOException {
        String hostile = "a\nb\u001b[31m\u202e\u2028c" + "x".repeat(10_000);
        String line = text.format(record(Level.WARNING, hostile, null));
        assertThat(line)
                .contains("a\\u000ab\\u001b[31m\\u202e\\u2028cxx")
                .endsWith("...\n")
                .hasSizeLessThan(8400);
        assertThat(line.lines()).hasSize(1);
        JsonNode object = new ObjectMapper().readTree(json.format(record(Level.WARNING, hostile, null)));
        assertThat(object.get("message").asText()).startsWith("a\nb\u001b[31m").hasSizeLessThan(8400);
    }

    @Test
    void asJsonALineIsOneObject() throws IOException {
        String line = json.format(record(Level.WARNING, "not \"written\"", new IOException("disk full")));
        assertThat(line.lines()).hasSize(1);
        JsonNode object = new ObjectMapper().readTree(line);
        assertThat(object.get("time").asText()).isEqualTo("2026-11-22T16:00:00.123Z");
        assertThat(object.get("level").asText()).isEqualTo("WARNING");
        assertThat(object.get("message").asText()).isEqualTo("not \"written\"");
        assertThat(object.get("logger").asText()).isEqualTo("test");
        assertThat(object.get("error").asText()).isEqualTo("java.io.IOException: disk full");
        assertThat(object.has("trace")).isFalse();
        assertThat(new ObjectMapper()
                        .readTree(json.format(record(Level.SEVERE, "x", new IllegalStateException("y"))))
                        .get("trace")
                        .asText())
                .contains("\tat io.summarizer");
    }

    private static LogRecord record(Level level, String message, @Nullable Throwable thrown) {
        LogRecord record = new LogRecord(level, message);
        record.setInstant(Instant.parse("2026-11-22T16:00:00.123456Z"));
        record.setLoggerName("test");
        record.setThrown(thrown);
        return record;
    }
}
