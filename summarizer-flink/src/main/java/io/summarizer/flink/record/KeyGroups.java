package io.summarizer.flink.record;

import java.util.Arrays;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

/**
 * Keys that Flink assigns to given key groups. A key group is a partition of every summary. The high bits of the hash
 * of a row's key choose the key group of the row. But Flink chooses the key group of a record by its own hash of the
 * record's key. So the key of a record is not the key of a row, but a number. Flink's hash of this number gives the key
 * group of the rows in the record. Stateless.
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
