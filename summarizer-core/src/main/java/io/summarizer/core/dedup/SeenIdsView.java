package io.summarizer.core.dedup;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.snapshot.ChunkedBytes;
import io.summarizer.core.store.CutPart;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All ids at the moment of one cut, to be saved. Valid while the cut is held; any thread.
 *
 * <p>Format: a version, the key of the hashes, and for each table its rule and runs of ids. Each run begins with its
 * length, and the runs of a table end with an empty run. Ids have 24 bytes, and are in no order. They are not
 * compressed, because their bits are random. Ids whose window is over are left out, because no later event can be their
 * duplicate.
 */
public final class SeenIdsView implements CutPart {
    /** Name of the part in a checkpoint. */
    public static final String PART = "dedup";

    static final int VERSION = 1;

    /** Maximum number of ids in a run. */
    static final int RUN = 1 << 10;

    private final IdKey key;
    private final List<Table> tables;
    private final int idsPerChunk;

    /** A table. */
    record Table(DedupRule rule, long lag, List<InheritedIds> inherited, List<RecentIds.View> partitions) {
        /** The stamp from which on ids are still needed. */
        long earliest() {
            long latest = 0;
            for (InheritedIds ids : inherited) {
                latest = Math.max(latest, ids.latest());
            }
            for (RecentIds.View view : partitions) {
                latest = Math.max(latest, view.latest());
            }
            return latest - rule.windowMicros() - lag;
        }
    }

    SeenIdsView(IdKey key, List<Table> tables, int idsPerChunk) {
        this.key = key;
        this.tables = List.copyOf(tables);
        this.idsPerChunk = idsPerChunk;
    }

    @Override
    public String name() {
        return PART;
    }

    /**
     * Writes all ids.
     *
     * @throws io.summarizer.core.snapshot.CutRevokedException when the cut has ended
     */
    @Override
    public void writeTo(OutputStream out) throws IOException {
        DataOutputStream data = new DataOutputStream(out);
        data.writeInt(VERSION);
        data.writeLong(key.first());
        data.writeLong(key.second());
        data.writeInt(tables.size());
        for (Table table : tables) {
            DedupRule rule = table.rule();
            writeText(data, rule.event());
            writeText(data, rule.summary());
            writeText(data, rule.by());
            data.writeLong(rule.windowMicros());
            Runs runs = new Runs(data, table.earliest());
            for (InheritedIds ids : table.inherited()) {
                ids.forEach(runs);
                runs.end();
            }
            for (RecentIds.View view : table.partitions()) {
                write(view.recent(), runs);
                if (view.older() != null) {
                    write(view.older(), runs);
                }
            }
            data.writeInt(0);
        }
        data.flush();
    }

    private void write(ChunkedBytes.Frozen chunks, Runs runs) throws IOException {
        for (int i = 0; i < chunks.count(); i++) {
            byte[] copy = chunks.chunk(i).clone();
            chunks.check(); // only after this check, the copy is known to be a copy of the view
            IdVisitor.ofChunk(copy, idsPerChunk, runs);
            runs.end();
        }
    }

    private static void writeText(DataOutputStream data, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        data.writeInt(bytes.length);
        data.write(bytes);
    }

    /** Gathers ids into runs. */
    private static final class Runs implements IdVisitor {
        private final DataOutputStream out;
        private final long earliest;
        private final byte[] bytes = new byte[RUN * IdLog.ID_BYTES];
        private int limit;
        private @Nullable IOException failure;

        Runs(DataOutputStream out, long earliest) {
            this.out = out;
            this.earliest = earliest;
        }

        @Override
        public void id(long high, long low, long stamp) {
            if (stamp < earliest || failure != null) {
                return;
            }
            if (limit == bytes.length) {
                try {
                    end();
                } catch (IOException e) {
                    failure = e; // thrown after the whole chunk was visited
                    return;
                }
            }
            Bytes.putLong(bytes, limit, high);
            Bytes.putLong(bytes, limit + 8, low);
            Bytes.putLong(bytes, limit + 16, stamp);
            limit += IdLog.ID_BYTES;
        }

        /** Writes the gathered ids. */
        void end() throws IOException {
            if (failure != null) {
                throw failure;
            }
            if (limit > 0) {
                out.writeInt(limit / IdLog.ID_BYTES);
                out.write(bytes, 0, limit);
                limit = 0;
            }
        }
    }
}
