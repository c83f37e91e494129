package io.summarizer.core.reject;

import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The lines of the index of a {@link RejectFile}, in the format of {@link RejectLog}. Used by one thread at a time. */
final class RejectIndex {
    private static final int TEXT_CHARS_MAX = 200;

    /** Maximum number of bytes of a line: two texts with up to six bytes per character, and the rest of the line. */
    static final int LINE_BYTES_MAX = 2 * 6 * TEXT_CHARS_MAX + 200;

    /** Pattern of the offset in a line. The offset comes before all text that senders control. */
    private static final Pattern OFFSET = Pattern.compile("(?m)^(\\{\"time\":\"[^\"]*\",\"offset\":)(\\d+)");

    /** Pattern of the offset and the length in a line. */
    private static final Pattern PLACE =
            Pattern.compile("^\\{\"time\":\"[^\"]*\",\"offset\":(\\d{1,18}),\"length\":(\\d{1,9})[,}]");

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final StringBuilder line = new StringBuilder(256);

    /** Lines whose offsets are greater by {@code by}, because their frames went to another position than planned. */
    static String moved(String lines, long by) {
        return OFFSET.matcher(lines).replaceAll(offset -> offset.group(1) + (Long.parseLong(offset.group(2)) + by));
    }

    /**
     * The end of those lines of {@code log} whose frames are in a file with {@code frames} bytes. After a power
     * failure, the index may have lines without frames, and an incomplete last line.
     */
    static long end(Path log, long frames) throws IOException {
        long end = 0;
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(Files.newInputStream(log), StandardCharsets.ISO_8859_1))) {
            StringBuilder read = new StringBuilder();
            for (int c = lines.read(); c >= 0; c = lines.read()) {
                read.append((char) c);
                if (c == '\n') {
                    Matcher place = PLACE.matcher(read);
                    if (!place.find()) {
                        return end;
                    }
                    long length = Long.parseLong(place.group(2));
                    long count = length == 0 ? 0 : place.group(2).length() + 1;
                    if (Long.parseLong(place.group(1)) + count + length > frames) {
                        return end;
                    }
                    end += read.length();
                    read.setLength(0);
                }
            }
        }
        return end;
    }

    /**
     * The line of a message.
     *
     * @param offset start of the message's frame in the file of frames
     * @param name name of the last member
     * @param text value of the last member
     */
    byte[] line(IMessage message, long offset, int length, String name, String text) {
        long micros = message.arrivalStamp();
        line.setLength(0);
        line.append("{\"time\":\"");
        TIME.formatTo(Instant.EPOCH.plus(micros, ChronoUnit.MICROS), line);
        line.append("\",\"offset\":").append(offset).append(",\"length\":").append(length);
        int topicLength = message.length(MessageBatch.TOPIC);
        if (topicLength >= 0) {
            int cropped = Math.min(topicLength, TEXT_CHARS_MAX);
            line.append(",\"topic\":");
            appendText(
                    new String(message.bytes(), message.offset(MessageBatch.TOPIC), cropped, StandardCharsets.UTF_8));
        }
        line.append(",\"").append(name).append("\":");
        appendText(text);
        return line.append("}\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    private void appendText(String text) {
        line.append('"');
        int end = Math.min(text.length(), TEXT_CHARS_MAX);
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                line.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c)) {
                line.append("\\u");
                for (int shift = 12; shift >= 0; shift -= 4) {
                    line.append(Character.forDigit(c >> shift & 0xf, 16));
                }
            } else {
                line.append(c);
            }
        }
        line.append('"');
    }
}
