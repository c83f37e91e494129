package io.summarizer.core.state;

import io.summarizer.core.bytes.BlockBuffer;
import io.summarizer.core.bytes.MalformedException;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes and reads layouts of summaries, with their attributes, in the format of state files. Not thread-safe. */
final class LayoutCodec {
    /** Minimum number of bytes of an entry of a list. Every entry has at least two ints. */
    private static final int ENTRY_BYTES = 8;

    private static final int DEPTH_MAX = 64;

    private final BlockBuffer in;
    private final int version;
    private final String file;

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

    static void put(BlockBuffer out, SummaryLayout layout) {
        out.putName(layout.name());
        out.putInt(layout.number());
        out.putInt(0); // attributes
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
            put(out, nested);
        }
    }

    /**
     * Reads a layout.
     *
     * @throws StateException when this program does not know a part of the layout
     */
    SummaryLayout getLayout() throws MalformedException, StateException {
        return layout("", 0);
    }

    private SummaryLayout layout(String above, int depth) throws MalformedException, StateException {
        if (depth > DEPTH_MAX) {
            throw new MalformedException("summaries nested depth=" + depth);
        }
        String name = in.getName();
        String path = above + name;
        int number = in.getInt();
        getAttributes("summary " + path);
        List<KeyColumn> keys = new ArrayList<>();
        for (int left = in.getCount(ENTRY_BYTES); left > 0; left--) {
            String key = in.getName();
            keys.add(new KeyColumn(key, in.getInt(), keyType(path, key)));
            getAttributes("key column " + path + "." + key);
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
        return new SummaryLayout(name, number, keys, values, nested);
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
        int at = version == 1 ? in.skip(2) : attributes("column " + column, set);
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

    /**
     * Skips attributes. Files of version 1 have none.
     *
     * @param owner description, for messages, of the object with these attributes
     * @throws StateException when one of these attributes must be understood, because this program knows no attributes
     *     here
     */
    void getAttributes(String owner) throws MalformedException, StateException {
        if (version > 1) {
            var unused = attributes(owner, false);
        }
    }

    /**
     * Reads attributes. Returns the place of the two bytes with a set's parameters, or -1 when there are no parameters.
     */
    private int attributes(String owner, boolean set) throws MalformedException, StateException {
        int parameters = -1;
        for (int left = in.getCount(ENTRY_BYTES); left > 0; left--) {
            int tag = in.getInt();
            int length = in.getCount(1);
            int at = in.skip(length);
            if (set && tag == StateFormat.PARAMETERS && length == 2 && parameters < 0) {
                parameters = at;
            } else if ((tag & StateFormat.MUST_UNDERSTAND) != 0) {
                throw needsNewer(owner + " has " + StateFormat.attribute(tag));
            }
        }
        return parameters;
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
