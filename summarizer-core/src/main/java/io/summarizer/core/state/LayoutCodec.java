package io.summarizer.core.state;

import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import java.util.ArrayList;
import java.util.List;

/** Layouts of summaries as they stand in a file. */
final class LayoutCodec {
    /** The least that anything in a list takes: its name's length and its number. */
    private static final int ENTRY_BYTES = 8;

    private static final int DEPTH_MAX = 64;

    private LayoutCodec() {}

    static void put(StateBuffer out, SummaryLayout layout) {
        out.putName(layout.name());
        out.putInt(layout.number());
        out.putInt(layout.keys().size());
        for (KeyColumn key : layout.keys()) {
            out.putName(key.name());
            out.putInt(key.number());
            out.putByte(StateFormat.code(key.type()));
        }
        out.putInt(layout.values().size());
        for (ValueColumn value : layout.values()) {
            out.putName(value.name());
            out.putInt(value.number());
            out.putByte(StateFormat.code(value.type()));
            out.putByte(value.log2m());
            out.putByte(value.regwidth());
        }
        out.putInt(layout.nested().size());
        for (SummaryLayout nested : layout.nested()) {
            put(out, nested);
        }
    }

    static SummaryLayout get(StateBuffer in) throws MalformedException {
        return get(in, 0);
    }

    private static SummaryLayout get(StateBuffer in, int depth) throws MalformedException {
        if (depth > DEPTH_MAX) {
            throw new MalformedException("summaries nested depth=" + depth);
        }
        String name = in.getName();
        int number = in.getInt();
        List<KeyColumn> keys = new ArrayList<>();
        for (int left = in.getCount(ENTRY_BYTES); left > 0; left--) {
            keys.add(new KeyColumn(in.getName(), in.getInt(), keyType(in.getByte())));
        }
        List<ValueColumn> values = new ArrayList<>();
        for (int left = in.getCount(ENTRY_BYTES); left > 0; left--) {
            values.add(value(in));
        }
        List<SummaryLayout> nested = new ArrayList<>();
        for (int left = in.getCount(ENTRY_BYTES); left > 0; left--) {
            nested.add(get(in, depth + 1));
        }
        if (keys.isEmpty()) {
            throw new MalformedException("summary " + name + " without a key");
        }
        return new SummaryLayout(name, number, keys, values, nested);
    }

    private static ValueColumn value(StateBuffer in) throws MalformedException {
        String name = in.getName();
        int number = in.getInt();
        int code = in.getByte();
        AggregateType type = StateFormat.aggregateType(code);
        if (type == null) {
            throw new MalformedException("column " + name + " has the unknown type code=" + code);
        }
        int log2m = in.getByte();
        int regwidth = in.getByte();
        boolean set = type == AggregateType.MULTISET64;
        if (set ? log2m < 4 || log2m > 17 || regwidth < 1 || regwidth > 5 : log2m != 0 || regwidth != 0) {
            throw new MalformedException("column " + name + " has log2m=" + log2m + " regwidth=" + regwidth);
        }
        return new ValueColumn(name, number, type, log2m, regwidth);
    }

    private static KeyType keyType(int code) throws MalformedException {
        KeyType type = StateFormat.keyType(code);
        if (type == null) {
            throw new MalformedException("a key column has the unknown type code=" + code);
        }
        return type;
    }
}
