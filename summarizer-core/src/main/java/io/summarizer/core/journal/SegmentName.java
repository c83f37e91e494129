package io.summarizer.core.journal;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of a segment's file. It has the sequence of the first message, the number of the first control, and a serial
 * number that no other segment of the folder ever had. A segment replaces messages and controls of segments with lower
 * serial numbers: all messages from the sequence of its own first message on, and all controls from the number of its
 * own first control on. Replaced messages were never acknowledged.
 */
record SegmentName(long first, long firstControl, int number) implements Comparable<SegmentName> {
    private static final Pattern FILE = Pattern.compile("(\\d{19})\\.(\\d{10,19})\\.(\\d{10})\\.journal");
    private static final Comparator<SegmentName> ORDER = Comparator.comparingInt(SegmentName::number);

    /** The name of the file. */
    String file() {
        return String.format(Locale.ROOT, "%019d.%010d.%010d.journal", first, firstControl, number);
    }

    /** Parses the name of a file. Returns null when the file is not a segment. */
    static @Nullable SegmentName of(String file) {
        Matcher matcher = FILE.matcher(file);
        if (!matcher.matches()) {
            return null;
        }
        try {
            return new SegmentName(
                    Long.parseLong(matcher.group(1)),
                    Long.parseLong(matcher.group(2)),
                    Integer.parseInt(matcher.group(3)));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** The segments among these files, oldest first. */
    static List<SegmentName> among(Collection<String> files) {
        return files.stream()
                .map(SegmentName::of)
                .filter(Objects::nonNull)
                .sorted()
                .toList();
    }

    @Override
    public int compareTo(SegmentName other) {
        return ORDER.compare(this, other);
    }
}
