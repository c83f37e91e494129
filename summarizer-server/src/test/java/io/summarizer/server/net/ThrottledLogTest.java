package io.summarizer.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ThrottledLogTest {
    private final List<String> lines = new ArrayList<>();
    private final AtomicLong nanoTime = new AtomicLong(Long.MAX_VALUE - 1);
    private final ThrottledLog log = new ThrottledLog(new Lines(), Duration.ofSeconds(10), nanoTime::get);

    @Test
    void theFirstOfAKindIsWrittenAndTheRestIsCountedUntilTheIntervalIsOver() {
        log.warn("reset", () -> "a");
        log.warn("reset", () -> {
            throw new AssertionError("the text of a line left out is not made");
        });
        log.warn("refused", () -> "b");
        nanoTime.addAndGet(Duration.ofSeconds(10).toNanos() - 1);
        log.warn("reset", () -> "c");
        nanoTime.addAndGet(1);
        log.warn("reset", () -> "d");
        nanoTime.addAndGet(Duration.ofSeconds(10).toNanos());
        log.warn("reset", () -> "e");

        assertThat(lines)
                .containsExactly(
                        "reset: a", "refused: b", "reset: d (and 2 more since the last such line)", "reset: e");
    }

    private final class Lines implements System.Logger {
        @Override
        public String getName() {
            return "test";
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(Level level, @Nullable ResourceBundle bundle, String message, @Nullable Throwable thrown) {
            lines.add(message);
        }

        @Override
        public void log(Level level, @Nullable ResourceBundle bundle, String format, @Nullable Object... params) {
            lines.add(format);
        }
    }
}
