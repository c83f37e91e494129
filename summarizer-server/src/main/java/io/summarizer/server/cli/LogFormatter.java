package io.summarizer.server.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.summarizer.server.json.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;

/**
 * Formats log records as lines. An {@link IOException} becomes one line, because its cause is in the environment, such
 * as a full disk or a disconnected client. Any other failure is a fault of this program; the first fault from each
 * place in the code is logged with its stack trace.
 *
 * <p>Thread-safe. Text is cut off after {@value #CHARS_MAX} characters. Control characters are escaped, so that bytes
 * from the wire cannot begin a line or control a terminal.
 */
final class LogFormatter extends Formatter {
    private static final int CHARS_MAX = 8192;
    /**
     * Largest number of stack traces in the log. Once it is reached, faults from new places are logged without a stack
     * trace.
     */
    private static final int PLACES_MAX = 100;

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final Logging.Format format;
    private final boolean verbose;
    private final Set<String> places = new HashSet<>();

    /** Makes a formatter; with {@code verbose} every failure has its stack trace. */
    LogFormatter(Logging.Format format, boolean verbose) {
        this.format = format;
        this.verbose = verbose;
    }

    @Override
    public String format(LogRecord record) {
        String message = String.valueOf(formatMessage(record));
        Throwable thrown = record.getThrown();
        String trace = thrown != null && isTraced(thrown) ? trace(thrown) : null;
        return format == Logging.Format.JSON
                ? json(record, message, thrown, trace)
                : text(record, message, thrown, trace);
    }

    private static String text(LogRecord record, String message, @Nullable Throwable thrown, @Nullable String trace) {
        StringBuilder line = new StringBuilder(message.length() + 64);
        TIME.formatTo(record.getInstant(), line);
        line.append(' ').append(level(record.getLevel())).append(' ');
        visible(message, line);
        if (thrown != null && !message.contains(String.valueOf(thrown.getMessage()))) {
            visible(": " + thrown, line);
        }
        line.append('\n');
        return trace == null ? line.toString() : line + trace;
    }

    /** A record as a line of JSON. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Line(
            String time,
            String level,
            String message,
            String logger,
            @Nullable String error,
            @Nullable String trace) {}

    private static String json(LogRecord record, String message, @Nullable Throwable thrown, @Nullable String trace) {
        Line line = new Line(
                TIME.format(record.getInstant()),
                level(record.getLevel()),
                cut(message),
                String.valueOf(record.getLoggerName()),
                thrown == null ? null : cut(thrown.toString()),
                trace);
        return new String(Json.bytes(line), StandardCharsets.UTF_8) + '\n';
    }

    /** Returns the level's name in {@link System.Logger.Level}, whose names the program uses in its logs. */
    private static String level(Level level) {
        int value = level.intValue();
        System.Logger.Level word = value >= Level.SEVERE.intValue()
                ? System.Logger.Level.ERROR
                : value >= Level.WARNING.intValue()
                        ? System.Logger.Level.WARNING
                        : value >= Level.INFO.intValue() ? System.Logger.Level.INFO : System.Logger.Level.DEBUG;
        return word.name();
    }

    private synchronized boolean isTraced(Throwable thrown) {
        if (verbose) {
            return true;
        }
        if (thrown instanceof IOException) {
            return false;
        }
        StackTraceElement[] stack = thrown.getStackTrace();
        String place = thrown.getClass().getName() + (stack.length == 0 ? "" : " " + stack[0]);
        return places.size() < PLACES_MAX && places.add(place);
    }

    private static String trace(Throwable thrown) {
        StringWriter trace = new StringWriter();
        thrown.printStackTrace(new PrintWriter(trace));
        return trace.toString();
    }

    private static String cut(String text) {
        return text.length() <= CHARS_MAX ? text : text.substring(0, CHARS_MAX) + "...";
    }

    private static void visible(String text, StringBuilder line) {
        String cut = cut(text);
        for (int i = 0; i < cut.length(); i++) {
            char c = cut.charAt(i);
            switch (Character.getType(c)) {
                case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
                    line.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
                default -> line.append(c);
            }
        }
    }
}
