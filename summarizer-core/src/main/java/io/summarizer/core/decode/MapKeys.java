package io.summarizer.core.decode;

import io.summarizer.core.bytes.Bytes;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * Finds equal keys among the entries of a map. The last entry with a key replaces the others. The object is an
 * open-addressing table of records, and is reused for each map. Belongs to one decoder. Cost: one probe per entry.
 */
final class MapKeys {
    /** Random, so that no sender can choose keys with equal hashes. */
    private static final long SEED = new SecureRandom().nextLong();

    private int[] table = new int[64];

    /** The list with one entry for each key: the key's last entry, at the place of the key's first entry. */
    long keepLast(InputEvent event, FieldSchema key, int slots, int head, int length) {
        if (length < 2) {
            return InputEvent.list(head, length);
        }
        int size = Integer.highestOneBit(length) * 4;
        if (table.length < size) {
            table = new int[size];
        }
        int[] table = this.table;
        int mask = size - 1;
        Arrays.fill(table, 0, size, -1);
        int slot = key.valueSlot();
        boolean text = key.kind() == FieldKind.STRING;
        int newHead = -1;
        int last = -1;
        int kept = 0;
        int entry = head;
        for (int i = 0; i < length; i++) {
            int next = event.next(entry);
            int at = (int) hash(event, event.get(entry, slot), text) & mask;
            while (table[at] >= 0 && !same(event, event.get(table[at], slot), event.get(entry, slot), text)) {
                at = (at + 1) & mask;
            }
            if (table[at] >= 0) {
                // The earlier entry keeps its place and takes the contents of the later entry.
                event.copyRecord(entry, table[at], slots);
            } else {
                table[at] = entry;
                if (kept++ == 0) {
                    newHead = entry;
                } else {
                    event.link(last, entry);
                }
                last = entry;
            }
            entry = next;
        }
        return InputEvent.list(newHead, kept);
    }

    private static long hash(InputEvent event, long key, boolean text) {
        long hash = text
                ? Bytes.hash(event.stringBytes(key), InputEvent.stringOffset(key), InputEvent.stringLength(key), SEED)
                : Bytes.hashEnd(Bytes.hashWord(SEED, key));
        return hash >>> 32;
    }

    private static boolean same(InputEvent event, long a, long b, boolean text) {
        if (!text) {
            return a == b;
        }
        int fromA = InputEvent.stringOffset(a);
        int fromB = InputEvent.stringOffset(b);
        return Arrays.equals(
                event.stringBytes(a),
                fromA,
                fromA + InputEvent.stringLength(a),
                event.stringBytes(b),
                fromB,
                fromB + InputEvent.stringLength(b));
    }
}
