package io.summarizer.dsl.runtime;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.pipeline.UpdateRouter;
import io.summarizer.core.store.KeyLayout;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.UpdateBatch;
import java.util.Arrays;
import java.util.List;

/**
 * The rows open while a record is written: the record's own, and those entered within it. Knows where their keys lie in
 * the record, so that a record that grows too large can be continued in another one. Belongs to one program.
 *
 * <p>Both records go to the same owner in their order, so that the rows become the same as by one; but neither a record
 * nor a batch grows without bound.
 */
public final class OpenRows {
    /** A record that a loop has made larger than this is continued in another one. */
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

    /** The rows of records of this summary. */
    public OpenRows(SummaryLayout root) {
        this.root = Level.of(root);
    }

    /** Says that a record was begun. */
    public void begin() {
        depth = 0;
    }

    /** Says that a nested row will be entered by what comes next in the batch. */
    public void enter(UpdateBatch batch) {
        if (depth == entered.length) {
            entered = Arrays.copyOf(entered, 2 * depth);
        }
        entered[depth++] = batch.limit() - batch.row();
    }

    /** Says that the row entered last was left. */
    public void leave() {
        depth--;
    }

    /** Ends the open record and continues it in another one, with the same rows open; returns where. */
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
