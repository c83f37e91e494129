package io.summarizer.core.state;

import io.summarizer.core.bytes.BlockBuffer;
import io.summarizer.core.bytes.MalformedException;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.ClosedWindows;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import io.summarizer.core.store.SummaryLimit;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.time.CalendarUnit;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes and reads layouts of summaries, with their attributes, in the format of state files. Not thread-safe. */
final class LayoutCodec {
    /** Minimum number of bytes of a list entry: each entry has at least two ints. */
    private static final int ENTRY_BYTES = 8;

    private static final int DEPTH_MAX = 64;

    /** Bytes of a {@link FileId}: three longs. */
    private static final int FILE_ID_BYTES = 3 * Long.BYTES;

    private final BlockBuffer in;
    private final int version;
    private final String file;
    private @Nullable FileWindow fileWindow;
    private @Nullable SummaryWindow window;
    private long boundary = ClosedWindows.NO_BOUNDARY;

    /**
     * A reader of layouts.
     *
     * @param version version of the format
     * @param file name of the file in messages
     */
    LayoutCodec(BlockBuffer in, int version, String file) {
        this.in = in;
        this.version = version;
        this.file = file;
    }

    /** Writes the attributes of the file. */
    static void put(BlockBuffer out, @Nullable FileWindow window) {
        List<FileId> madeFrom = window == null ? List.of() : window.madeFrom();
        List<Long> added = window == null ? List.of() : window.added();
        out.putInt((window == null ? 0 : 1) + (madeFrom.isEmpty() ? 0 : 1) + (added.isEmpty() ? 0 : 1));
        if (window != null) {
            out.putInt(StateFormat.WINDOW);
            out.putInt(2 * Long.BYTES);
            out.putLong(window.start());
            out.putLong(window.end());
        }
        if (!madeFrom.isEmpty()) {
            out.putInt(StateFormat.MADE_FROM);
            out.putInt(madeFrom.size() * FILE_ID_BYTES);
            for (FileId file : madeFrom) {
                out.putLong(file.cutId());
                out.putLong(file.takenAtMicros());
                out.putLong(file.bytes());
            }
        }
        if (!added.isEmpty()) {
            out.putInt(StateFormat.ADDED);
            out.putInt(added.size() * Long.BYTES);
            added.forEach(out::putLong);
        }
    }

    /**
     * Writes the layout of a top-level summary.
     *
     * @param boundary see {@link ClosedWindows#boundary}
     */
    static void put(BlockBuffer out, SummaryLayout layout, long boundary) {
        out.putName(layout.name());
        out.putInt(layout.number());
        SummaryWindow window = layout.window();
        boolean closed = window != null && boundary != ClosedWindows.NO_BOUNDARY;
        out.putInt((window == null ? 0 : 1) + (closed ? 1 : 0));
        if (window != null) {
            String zone = window.zone().normalized().equals(ZoneOffset.UTC)
                    ? ""
                    : window.zone().getId();
            out.putInt(StateFormat.WINDOW);
            out.putInt(3 * Integer.BYTES + 1 + zone.getBytes(StandardCharsets.UTF_8).length);
            out.putInt(window.column());
            out.putInt(window.every());
            out.putByte(StateFormat.code(window.unit()));
            out.putName(zone);
        }
        if (closed) {
            out.putInt(StateFormat.BOUNDARY);
            out.putInt(Long.BYTES);
            out.putLong(boundary);
        }
        putColumns(out, layout);
    }

    private static void putNested(BlockBuffer out, SummaryLayout layout) {
        out.putName(layout.name());
        out.putInt(layout.number());
        out.putInt(0); // attributes
        putColumns(out, layout);
    }

    private static void putColumns(BlockBuffer out, SummaryLayout layout) {
        out.putInt(layout.keys().size());
        for (KeyColumn key : layout.keys()) {
            out.putName(key.name());
            out.putInt(key.number());
            out.putByte(StateFormat.code(key.type()));
            out.putInt(0); // attributes
        }
        out.putInt(layout.values().size());
        for (ValueColumn value : layout.values()) {
            out.putName(value.name());
            out.putInt(value.number());
            out.putByte(StateFormat.code(value.type()));
            boolean set = value.type() == AggregateType.MULTISET64;
            out.putInt(set ? 1 : 0);
            if (set) {
                out.putInt(StateFormat.PARAMETERS);
                out.putInt(2);
                out.putByte(value.log2m());
                out.putByte(value.regwidth());
            }
        }
        out.putInt(layout.nested().size());
        for (SummaryLayout nested : layout.nested()) {
            putNested(out, nested);
        }
    }

    /**
     * Reads the attributes of the file.
     *
     * @return the closed window whose rows the file has; null for a file of another kind
     * @throws StateException when the program must understand an attribute but does not know it
     */
    @Nullable
    FileWindow getFileAttributes() throws MalformedException, StateException {
        attributes("the file", this::fileAttribute);
        return fileWindow;
    }

    private boolean fileAttribute(int tag, int length) throws MalformedException {
        FileWindow window = fileWindow;
        if (tag == StateFormat.WINDOW) {
            checkAttribute(length == 2 * Long.BYTES && window == null, "the window of the file");
            FileWindow read = new FileWindow(in.getLong(), in.getLong());
            checkAttribute(read.start() < read.end(), "the window of the file");
            fileWindow = read;
            return true;
        }
        if (tag == StateFormat.MADE_FROM && window != null) {
            checkAttribute(length % FILE_ID_BYTES == 0, "the files that this file was made from");
            List<FileId> madeFrom = new ArrayList<>();
            for (int read = 0; read < length; read += FILE_ID_BYTES) {
                madeFrom.add(new FileId(in.getLong(), in.getLong(), in.getLong()));
            }
            fileWindow = new FileWindow(window.start(), window.end(), madeFrom, window.added());
            return true;
        }
        if (tag == StateFormat.ADDED && window != null) {
            checkAttribute(length % Long.BYTES == 0, "the late messages that were added");
            List<Long> added = new ArrayList<>();
            for (int read = 0; read < length; read += Long.BYTES) {
                added.add(in.getLong());
            }
            fileWindow = new FileWindow(window.start(), window.end(), window.madeFrom(), added);
            return true;
        }
        return false;
    }

    /**
     * Reads the layout of a top-level summary.
     *
     * @throws StateException when this program does not know a part of the layout
     */
    SummaryLayout getLayout() throws MalformedException, StateException {
        window = null;
        boundary = ClosedWindows.NO_BOUNDARY;
        return layout("", 0);
    }

    /** The boundary of the closed windows in the layout that was read last. */
    long boundary() {
        return boundary;
    }

    private boolean summaryAttribute(String summary, int tag, int length) throws MalformedException, StateException {
        switch (tag) {
            case StateFormat.WINDOW -> {
                checkAttribute(window == null, "the windows of summary " + summary);
                int end = in.position() + length;
                window = window(summary);
                checkAttribute(in.position() == end, "the windows of summary " + summary);
            }
            case StateFormat.BOUNDARY -> {
                checkAttribute(
                        length == Long.BYTES && boundary == ClosedWindows.NO_BOUNDARY,
                        "the closed windows of summary " + summary);
                boundary = in.getLong();
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private SummaryWindow window(String summary) throws MalformedException, StateException {
        int column = in.getInt();
        int every = in.getInt();
        int code = in.getByte();
        String zone = in.getName();
        CalendarUnit unit = StateFormat.unit(code);
        if (unit == null) {
            throw needsNewer("summary " + summary + " has windows of the unknown unit " + code);
        }
        ZoneId id;
        try {
            id = zone.isEmpty() ? ZoneOffset.UTC : ZoneId.of(zone).normalized();
        } catch (DateTimeException e) {
            throw new StateException(
                    file + ": summary " + summary + " has windows in the zone \"" + zone
                            + "\", which this Java does not know; read the file with a newer Java",
                    e);
        }
        SummaryWindow window = new SummaryWindow(column, every, unit, id);
        try {
            var unused = window.windows();
        } catch (IllegalArgumentException e) {
            throw new MalformedException("summary " + summary + " has " + e.getMessage());
        }
        return window;
    }

    private static void checkAttribute(boolean isSound, String what) throws MalformedException {
        if (!isSound) {
            throw new MalformedException(what + " are malformed");
        }
    }

    private SummaryLayout layout(String above, int depth) throws MalformedException, StateException {
        if (depth > DEPTH_MAX) {
            throw new MalformedException("summaries nested depth=" + depth);
        }
        String name = in.getName();
        String path = above + name;
        int number = in.getInt();
        if (depth == 0) {
            attributes("summary " + path, (tag, length) -> summaryAttribute(path, tag, length));
        } else {
            skipAttributes("summary " + path);
        }
        List<KeyColumn> keys = new ArrayList<>();
        for (int left = in.getCount(ENTRY_BYTES); left > 0; left--) {
            String key = in.getName();
            keys.add(new KeyColumn(key, in.getInt(), keyType(path, key)));
            skipAttributes("key column " + path + "." + key);
        }
        List<ValueColumn> values = new ArrayList<>();
        for (int left = in.getCount(ENTRY_BYTES); left > 0; left--) {
            values.add(value(path));
        }
        List<SummaryLayout> nested = new ArrayList<>();
        for (int left = in.getCount(ENTRY_BYTES); left > 0; left--) {
            nested.add(layout(path + "/", depth + 1));
        }
        if (keys.isEmpty()) {
            throw new MalformedException("summary " + name + " without a key");
        }
        return new SummaryLayout(
                name, number, keys, values, nested, SummaryLimit.DEFAULT, depth == 0 ? window(path, keys) : null);
    }

    /** The windows of the summary. Checks their column and boundary. */
    private @Nullable SummaryWindow window(String summary, List<KeyColumn> keys) throws MalformedException {
        SummaryWindow window = this.window;
        if (window == null) {
            checkAttribute(boundary == ClosedWindows.NO_BOUNDARY, "the closed windows of summary " + summary);
        } else {
            boolean isColumn = window.column() >= 0 && window.column() < keys.size();
            checkAttribute(
                    isColumn && keys.get(window.column()).type() == KeyType.TIMESTAMP,
                    "the windows of summary " + summary);
        }
        return window;
    }

    private ValueColumn value(String path) throws MalformedException, StateException {
        String name = in.getName();
        int number = in.getInt();
        int code = in.getByte();
        String column = path + "." + name;
        AggregateType type = StateFormat.aggregateType(code);
        if (type == null) {
            throw unknownType(column, code, StateFormat.reservedType(code));
        }
        boolean set = type == AggregateType.MULTISET64;
        int at = version == 1 ? in.skip(2) : parameters("column " + column, set);
        int log2m = at < 0 ? 0 : in.array()[at];
        int regwidth = at < 0 ? 0 : in.array()[at + 1];
        if (set ? log2m < 4 || log2m > 17 || regwidth < 1 || regwidth > 5 : log2m != 0 || regwidth != 0) {
            throw new MalformedException("column " + column + " has log2m=" + log2m + " regwidth=" + regwidth);
        }
        return new ValueColumn(name, number, type, log2m, regwidth);
    }

    private KeyType keyType(String path, String name) throws MalformedException, StateException {
        int code = in.getByte();
        KeyType type = StateFormat.keyType(code);
        if (type == null) {
            throw unknownType(path + "." + name, code, null);
        }
        return type;
    }

    /** Returns the position of the two bytes with the parameters of a set, or -1 when there are no parameters. */
    private int parameters(String owner, boolean set) throws MalformedException, StateException {
        int[] at = {-1};
        attributes(owner, (tag, length) -> {
            if (!set || tag != StateFormat.PARAMETERS || length != 2 || at[0] >= 0) {
                return false;
            }
            at[0] = in.skip(length);
            return true;
        });
        return at[0];
    }

    /** Skips the attributes of an object for which this program knows no attributes. */
    private void skipAttributes(String owner) throws MalformedException, StateException {
        attributes(owner, (tag, length) -> false);
    }

    /** Reads an attribute, if it is known. */
    @FunctionalInterface
    private interface AttributeReader {
        /**
         * Reads {@code length} bytes, or reads nothing and returns false.
         *
         * @return whether the tag is known
         */
        boolean read(int tag, int length) throws MalformedException, StateException;
    }

    /**
     * Reads attributes. Files of version 1 have none.
     *
     * @param owner the object with these attributes, described for messages
     * @throws StateException when the program must understand an attribute but does not know it
     */
    private void attributes(String owner, AttributeReader reader) throws MalformedException, StateException {
        if (version == 1) {
            return;
        }
        for (int left = in.getCount(ENTRY_BYTES); left > 0; left--) {
            int tag = in.getInt();
            int length = in.getCount(1);
            if (reader.read(tag, length)) {
                continue;
            }
            if ((tag & StateFormat.MUST_UNDERSTAND) != 0) {
                throw needsNewer(owner + " has " + StateFormat.attribute(tag));
            }
            var unused = in.skip(length);
        }
    }

    private StateException unknownType(String column, int code, @Nullable String keyword) throws MalformedException {
        if (version == 1) {
            throw new MalformedException("column " + column + " has the unknown type code=" + code);
        }
        return needsNewer(
                "column " + column + " is " + (keyword == null ? "of the unknown type " + code : "of type " + keyword));
    }

    private StateException needsNewer(String what) {
        return new StateException(
                file + ": " + what + ", which this program does not know; read it with a newer version of the program");
    }
}
