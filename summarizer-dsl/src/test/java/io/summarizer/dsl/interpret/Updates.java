package io.summarizer.dsl.interpret;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.pipeline.UpdateRouter;
import io.summarizer.core.store.AggregateType.Operand;
import io.summarizer.core.store.KeyLayout;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.UpdateBatch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A router that keeps everything in one batch and prints it: one line per record, such as {@code Campaign[7, "x", null]
 * count=1 clicks[3]{count=1}}.
 */
public final class Updates implements UpdateRouter {
    /** Beginning of the line of a guard. */
    public static final String GUARD = "once ";

    private final List<SummaryLayout> summaries;
    private final UpdateBatch batch = new UpdateBatch(1024);
    private byte[] bytes = new byte[0];
    private int at;

    Updates(List<SummaryLayout> summaries) {
        this.summaries = summaries;
    }

    @Override
    public UpdateBatch batchFor(int summary, long hash) {
        return batch;
    }

    /** The records of a batch. */
    public static List<String> of(List<SummaryLayout> summaries, UpdateBatch batch) {
        return new Updates(summaries).lines(batch);
    }

    /** The records since the last call. */
    List<String> take() {
        List<String> lines = lines(batch);
        batch.clear();
        return lines;
    }

    private List<String> lines(UpdateBatch batch) {
        List<String> lines = new ArrayList<>();
        bytes = batch.bytes();
        for (int from = 0; from < batch.limit(); from += Bytes.getInt(bytes, from)) {
            if (UpdateBatch.isGuard(bytes, from)) {
                lines.add(
                        GUARD + UpdateBatch.tableOf(bytes, from) + (UpdateBatch.isFirst(bytes, from) ? " first" : ""));
                continue;
            }
            int end = from + Bytes.getInt(bytes, from);
            SummaryLayout layout = summaries.get(Bytes.getShort(bytes, from + UpdateBatch.SUMMARY_OFFSET));
            at = from + UpdateBatch.KEY_OFFSET;
            StringBuilder line = new StringBuilder(layout.name());
            key(layout, line);
            ops(layout, end, line);
            lines.add(line.toString());
        }
        return lines;
    }

    private void key(SummaryLayout layout, StringBuilder line) {
        KeyLayout keys = new KeyLayout(layout.keys());
        int fixed = at;
        at += keys.fixedBytes() + (keys.strings() > 0 ? 4 : 0);
        line.append('[');
        for (int column = 0; column < keys.columns(); column++) {
            line.append(column == 0 ? "" : ", ");
            boolean isNull = (bytes[fixed + (column >>> 3)] >>> (column & 7) & 1) != 0;
            String text = "null";
            if (keys.type(column) == KeyType.STRING) {
                String string = string();
                text = isNull ? text : string;
            } else if (!isNull) {
                text = fixedColumn(keys.type(column), fixed + keys.offset(column));
            }
            line.append(text);
        }
        line.append(']');
    }

    private String fixedColumn(KeyType type, int offset) {
        return switch (type) {
            case INT64, TIMESTAMP -> Long.toString(Bytes.getLong(bytes, offset));
            case UINT64 -> Long.toUnsignedString(Bytes.getLong(bytes, offset));
            case INT32 -> Integer.toString(Bytes.getInt(bytes, offset));
            case UINT32 -> Integer.toUnsignedString(Bytes.getInt(bytes, offset));
            case BOOL -> Boolean.toString(bytes[offset] != 0);
            case STRING -> throw new IllegalArgumentException();
        };
    }

    private void ops(SummaryLayout layout, int end, StringBuilder line) {
        while (at < end) {
            int code = Bytes.getShort(bytes, at);
            at += 2;
            if (code == UpdateBatch.LEAVE) {
                return;
            }
            line.append(' ');
            if ((code & UpdateBatch.ENTER) != 0) {
                SummaryLayout nested = layout.nested().get(code & ~UpdateBatch.ENTER);
                at += 8;
                line.append(nested.name());
                key(nested, line);
                line.append('{');
                ops(nested, end, line);
                line.append('}');
                continue;
            }
            SummaryLayout.ValueColumn column = layout.values().get(code);
            line.append(column.name()).append('=');
            if (column.type().operand() == Operand.STRING) {
                line.append(string());
            } else {
                long bits = Bytes.getLong(bytes, at);
                at += 8;
                line.append(
                        column.type().operand() == Operand.DOUBLE
                                ? Double.toString(Double.longBitsToDouble(bits))
                                : Long.toString(bits));
            }
        }
    }

    private String string() {
        int length = Bytes.getInt(bytes, at);
        String string = new String(bytes, at + 4, length, StandardCharsets.UTF_8);
        at += 4 + length;
        return '"' + string + '"';
    }
}
