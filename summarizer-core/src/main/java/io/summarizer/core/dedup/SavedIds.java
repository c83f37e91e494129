package io.summarizer.core.dedup;

import io.summarizer.core.bytes.Bytes;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Ids that {@link SeenIdsView} wrote, and with which a pipeline starts. Each process assigns keys to partitions by its
 * own seed, so an id's former partition says nothing about its present partition. So every partition searches all saved
 * ids, for the length of one window. Belongs to one thread until it is handed over.
 */
public final class SavedIds {
    /** Maximum number of bytes in a text. A longer text shows that the data are damaged. */
    private static final int TEXT_MAX = 1 << 20;

    private static final int TABLES_MAX = 1 << 20;

    private final IdKey key;
    private final List<Table> tables;

    private record Table(DedupRule rule, InheritedIds.Builder ids) {}

    private SavedIds(IdKey key, List<Table> tables) {
        this.key = key;
        this.tables = tables;
    }

    /** Makes an object without ids, with a key that was never used. */
    public static SavedIds none() {
        return none(IdKey.draw());
    }

    /** Makes an object without ids, for hashes with this key. */
    public static SavedIds none(IdKey key) {
        return new SavedIds(key, List.of());
    }

    /**
     * Reads saved ids. The caller has to check that the bytes are unchanged.
     *
     * @throws IOException also when the bytes are malformed
     */
    public static SavedIds readFrom(InputStream in) throws IOException {
        DataInputStream data = new DataInputStream(in);
        int version = data.readInt();
        if (version != SeenIdsView.VERSION) {
            throw new IOException("ids of version " + version + "; this program reads " + SeenIdsView.VERSION);
        }
        IdKey key = new IdKey(data.readLong(), data.readLong());
        int count = data.readInt();
        if (count < 0 || count > TABLES_MAX) {
            throw new IOException(count + " tables of ids");
        }
        List<Table> tables = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            DedupRule rule = new DedupRule(readText(data), readText(data), readText(data), data.readLong());
            InheritedIds.Builder ids = new InheritedIds.Builder();
            readIds(data, ids);
            tables.add(new Table(rule, ids));
        }
        return new SavedIds(key, tables);
    }

    private static String readText(DataInputStream data) throws IOException {
        int length = data.readInt();
        if (length < 0 || length > TEXT_MAX) {
            throw new IOException("a text of " + length + " bytes");
        }
        byte[] bytes = data.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException();
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static void readIds(DataInputStream data, InheritedIds.Builder into) throws IOException {
        byte[] run = new byte[SeenIdsView.RUN * IdLog.ID_BYTES];
        for (int count = data.readInt(); count != 0; count = data.readInt()) {
            if (count < 0 || count > SeenIdsView.RUN) {
                throw new IOException("a run of " + count + " ids");
            }
            data.readFully(run, 0, count * IdLog.ID_BYTES);
            for (int at = 0; at < count * IdLog.ID_BYTES; at += IdLog.ID_BYTES) {
                into.id(Bytes.getLong(run, at), Bytes.getLong(run, at + 8), Bytes.getLong(run, at + 16));
            }
        }
    }

    /** The key of the hashes. */
    public IdKey key() {
        return key;
    }

    /** Ids of all tables. */
    public long size() {
        return tables.stream().mapToLong(table -> table.ids().count()).sum();
    }

    /** The latest stamp of any id, or 0 when there are no ids. New messages must get higher stamps. */
    public long lastStamp() {
        return tables.stream().mapToLong(table -> table.ids().latest()).max().orElse(0);
    }

    /** The ids of a rule's table. Returns only the latest ids, at most {@code idsMax}. */
    Optional<InheritedIds> ids(DedupRule rule, long idsMax) {
        return tables.stream()
                .filter(table -> table.rule().hasIdsOf(rule))
                .findFirst()
                .map(table -> table.ids().build(idsMax, rule.windowMicros()));
    }
}
