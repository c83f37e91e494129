package io.summarizer.dsl.runtime;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.pipeline.UpdateRouter;
import io.summarizer.core.store.KeyLayout;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.UpdateBatch;
import java.util.Arrays;
import java.util.List;

/**
 * The open rows of a record that is being written: the record's own row, and the nested rows that were entered. Keeps
 * the places of these rows' keys in the record. With these places, a record that grows too large can be continued in
 * another record. Used by one program.
 *
 * <p>Both records go to the same owner, in this order, so the result is the same as with one record. The division
 * bounds the size of records and batches.
 */
public final class OpenRows {
    /** Size at which a record that grows in a loop is continued in another record. */
    public static final int RECORD_BYTES = 64 * 1024;

    private static final int HASH_BYTES = 8;
    private static final int CODE_BYTES = 2;

    private final Level root;
    private int[] entered = new int[8];
    private int depth;
    private byte[] saved = new byte[256];
    private final byte[] guard = new byte[UpdateBatch.GUARD_BYTES];

    private record Level(KeyLayout keys, List<Level> nested) {
        static Level of(SummaryLayout layout) {
            return new Level(
                    new KeyLayout(layout.keys()),
                    layout.nested().stream().map(Level::of).toList());
        }

        int keyBytes(byte[] bytes, int at) {
            return keys.fixedBytes()
                    + (keys.strings() == 0 ? 0 : 4 + UpdateBatch.textBytes(bytes, at + keys.fixedBytes()));
        }
    }

    /** The open rows of records of this summary. */
    public OpenRows(SummaryLayout root) {
        this.root = Level.of(root);
    }

    /** Begins a record. */
    public void begin() {
        depth = 0;
    }

    /** Enters the nested row that the batch writes next. */
    public void enter(UpdateBatch batch) {
        if (depth == entered.length) {
            entered = Arrays.copyOf(entered, 2 * depth);
        }
        entered[depth++] = batch.limit() - batch.row();
    }

    /** Leaves the row entered last. */
    public void leave() {
        depth--;
    }

    /**
     * Ends the open record and continues it in another record with the same rows open. Returns the batch of the other
     * record.
     */
    public UpdateBatch reopen(UpdateBatch batch, UpdateRouter router) {
        byte[] bytes = batch.bytes();
        int row = batch.row();
        int summary = Bytes.getShort(bytes, row + UpdateBatch.SUMMARY_OFFSET);
        boolean guarded = batch.isGuarded();
        if (guarded) {
            System.arraycopy(bytes, row - guard.length, guard, 0, guard.length);
        }
        long hash = Bytes.getLong(bytes, row + UpdateBatch.HASH_OFFSET);
        Level level = root;
        int size = save(bytes, row, 0, UpdateBatch.KEY_OFFSET + level.keyBytes(bytes, row + UpdateBatch.KEY_OFFSET));
        for (int i = 0; i < depth; i++) {
            int at = row + entered[i];
            level = level.nested().get(Bytes.getShort(bytes, at) & ~UpdateBatch.ENTER);
            entered[i] = size;
            int header = CODE_BYTES + HASH_BYTES;
            size = save(bytes, at, size, header + level.keyBytes(bytes, at + header));
        }
        for (int i = 0; i < depth; i++) {
            batch.leave();
        }
        batch.endRow();
        UpdateBatch next = router.batchFor(summary, hash);
        if (guarded) {
            next.guardAgain(guard, 0);
        }
        next.beginRow();
        System.arraycopy(saved, 0, next.reserve(size), next.limit(), size);
        next.limit(next.limit() + size);
        return next;
    }

    private int save(byte[] bytes, int from, int at, int length) {
        if (at + length > saved.length) {
            saved = Arrays.copyOf(saved, Math.max(at + length, 2 * saved.length));
        }
        System.arraycopy(bytes, from, saved, at, length);
        return at + length;
    }
}
