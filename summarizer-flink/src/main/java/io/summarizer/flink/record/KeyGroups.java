package io.summarizer.flink.record;

import java.util.Arrays;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

/**
 * Keys that Flink assigns to given key groups. A key group is a partition of every summary: the high bits of the hash
 * of a row's key. Flink finds the key group of a record by a hash of the record's key, so the records of a key group
 * have, as their key, a number with this hash. Stateless.
 */
public final class KeyGroups {
    private KeyGroups() {}

    /** For each key group, the smallest number that Flink assigns to it. Costs some hashes for each key group. */
    public static Integer[] representatives(int keyGroups) {
        Integer[] found = new Integer[keyGroups];
        int left = keyGroups;
        for (int key = 0; left > 0; key++) {
            int group = KeyGroupRangeAssignment.assignToKeyGroup(key, keyGroups);
            if (found[group] == null) {
                found[group] = key;
                left--;
            }
        }
        assert Arrays.stream(found).allMatch(key -> key != null);
        return found;
    }
}
