package io.summarizer.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LibraryLogFilterTest {
    private final AtomicLong nanos = new AtomicLong(-5);
    private final LibraryLogFilter filter = new LibraryLogFilter(nanos::get);

    private static LogRecord line(@Nullable String logger) {
        LogRecord line = new LogRecord(Level.WARNING, "closed");
        line.setLoggerName(logger);
        return line;
    }

    @Test
    void shouldLeaveOutWhatComesAgainWithinTenSeconds() {
        assertThat(filter.isLoggable(line("io.netty.A"))).isTrue();
        assertThat(filter.isLoggable(line("io.netty.B"))).as("another class").isTrue();
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(10) - 1);
        assertThat(filter.isLoggable(line("io.netty.A"))).isFalse();
        assertThat(filter.isLoggable(line("io.netty.A"))).isFalse();
        nanos.incrementAndGet();
        LogRecord next = line("io.netty.A");
        assertThat(filter.isLoggable(next)).isTrue();
        assertThat(next.getMessage()).isEqualTo("closed (and 2 more since the last such line)");
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(10));
        LogRecord last = line("io.netty.A");
        assertThat(filter.isLoggable(last)).isTrue();
        assertThat(last.getMessage()).isEqualTo("closed");
    }

    @Test
    void shouldPassLinesOfOthers() {
        for (int i = 0; i < 3; i++) {
            assertThat(filter.isLoggable(line("io.summarizer.A"))).isTrue();
            assertThat(filter.isLoggable(line(null))).isTrue();
        }
    }
}
