package io.summarizer.core.deliver;

import io.summarizer.core.disk.Disk;
import io.summarizer.core.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The deliveries that one export has made, as lines of a file. The line of a delivery is appended and forced to the
 * disk. When most lines are no longer needed, the file is written anew. An incomplete line is ignored, so its delivery
 * is made again. Memory: 36 to 38 bytes for each delivery. One thread.
 */
final class DeliveryMarks {
    private static final Pattern LINE = Pattern.compile("(-?\\d{1,19}) (\\d{1,10}) (\\d{1,19}) ([0-9a-f]{8})");
    private static final int USELESS_MAX = 1_000;
    private static final String TEMPORARY = ".tmp";

    private final Disk disk;
    private final String name;
    private final boolean isNew;
    /** By time. */
    private final List<Mark> marks = new ArrayList<>();

    private long end;
    private int lines;
    /** Whether the file may lack marks, or may have other bytes after the last mark. */
    private boolean behind;

    /**
     * A delivery.
     *
     * @param time start of the window, or the time at which the file was due, in µs since the epoch
     * @param number number of the window's file, 0 without window
     * @param cut the cut from which the window's file was written, 0 without window
     */
    record Mark(long time, int number, long cut) {}

    private DeliveryMarks(Disk disk, String name, @Nullable String text) {
        this.disk = disk;
        this.name = name;
        isNew = text == null;
        behind = isNew;
        if (text != null) {
            read(text);
        }
    }

    /** Reads the file of this name. If the file does not exist, there are no marks. */
    static DeliveryMarks open(Disk disk, String name) throws IOException {
        byte[] bytes = disk.read(name, Integer.MAX_VALUE);
        return new DeliveryMarks(disk, name, bytes == null ? null : new String(bytes, StandardCharsets.ISO_8859_1));
    }

    private void read(String text) {
        int from = 0;
        boolean whole = true;
        for (int to = text.indexOf('\n'); to >= 0; to = text.indexOf('\n', from)) {
            Mark mark = mark(text.substring(from, to));
            if (mark == null) {
                whole = false;
            } else {
                put(mark);
            }
            lines++;
            from = to + 1;
        }
        end = from;
        behind = !whole || from < text.length();
    }

    /** The mark in a line, which is given without its line end; null when the line is damaged. */
    private static @Nullable Mark mark(String line) {
        Matcher parts = LINE.matcher(line);
        if (!parts.matches()) {
            return null;
        }
        try {
            Mark mark = new Mark(
                    Long.parseLong(parts.group(1)), Integer.parseInt(parts.group(2)), Long.parseLong(parts.group(3)));
            return line(mark).equals(line + '\n') ? mark : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static String line(Mark mark) {
        String text = mark.time + " " + mark.number + " " + mark.cut;
        CRC32C checksum = new CRC32C();
        checksum.update(text.getBytes(StandardCharsets.US_ASCII));
        return String.format("%s %08x\n", text, checksum.getValue());
    }

    private int indexOf(Mark mark) {
        return Collections.binarySearch(marks, mark, Comparator.comparingLong(Mark::time));
    }

    /** Adds a mark, or replaces the mark of the same time. */
    private void put(Mark mark) {
        int at = indexOf(mark);
        if (at < 0) {
            marks.add(-at - 1, mark);
        } else {
            marks.set(at, mark);
        }
    }

    /** Whether there was no file. */
    boolean isNew() {
        return isNew;
    }

    /** Whether all marks are durable. */
    boolean areDurable() {
        return !behind;
    }

    boolean has(Mark mark) {
        int at = indexOf(mark);
        return at >= 0 && mark.equals(marks.get(at));
    }

    /** Whether there is a mark of this time. */
    boolean has(long time) {
        return indexOf(new Mark(time, 0, 0)) >= 0;
    }

    /** The mark with the latest time. */
    @Nullable
    Mark last() {
        return marks.isEmpty() ? null : marks.get(marks.size() - 1);
    }

    /** Adds marks. They are durable after {@link #force}. */
    void add(Collection<Mark> more) {
        more.forEach(this::put);
        behind = true;
    }

    /**
     * Adds a mark, and makes all marks durable.
     *
     * @throws IOException when the mark is not durable. The mark was added nevertheless.
     */
    void add(Mark mark) throws IOException {
        put(mark);
        if (behind || lines - marks.size() > USELESS_MAX + marks.size()) {
            behind = true;
            force();
            return;
        }
        behind = true;
        byte[] line = line(mark).getBytes(StandardCharsets.US_ASCII);
        try (DiskFile file = disk.open(name, true)) {
            file.write(ByteBuffer.wrap(line), end);
            file.force();
        }
        end += line.length;
        lines++;
        behind = false;
    }

    /** Drops the marks of all other times. This is durable after {@link #force}. */
    void retain(Set<Long> times) {
        behind |= marks.removeIf(mark -> !times.contains(mark.time));
    }

    /**
     * Drops the earliest marks if there are more than a number of marks. The file loses them when it is next written as
     * a whole.
     */
    void trim(int most) {
        if (marks.size() > most) {
            marks.subList(0, marks.size() - most).clear();
        }
    }

    /** Makes all marks durable. */
    void force() throws IOException {
        if (!behind) {
            return;
        }
        StringBuilder text = new StringBuilder();
        for (Mark mark : marks) {
            text.append(line(mark));
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.US_ASCII);
        disk.replace(name, name + TEMPORARY, bytes);
        end = bytes.length;
        lines = marks.size();
        behind = false;
    }
}
