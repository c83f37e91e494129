package io.summarizer.flink.own;

import io.summarizer.core.dedup.SavedIds;
import io.summarizer.core.dedup.SeenIdsView;
import io.summarizer.core.evolve.LayoutMatch;
import io.summarizer.core.pipeline.RangeOwner;
import io.summarizer.core.state.StateException;
import io.summarizer.core.state.StateFile;
import io.summarizer.core.state.StateWriter;
import io.summarizer.core.store.KeyLayout;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryLayout;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.state.CheckpointStateOutputStream;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.CheckpointedStateScope;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeOffsets;
import org.apache.flink.runtime.state.KeyGroupStatePartitionStreamProvider;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The raw keyed state of owners: for each key group a state file, with the ids of events as a part. So a restore can
 * divide the state among another number of owners, and definitions may change as far as state files allow. Stateless.
 */
final class KeyGroupState {
    private static final Logger LOG = LoggerFactory.getLogger(KeyGroupState.class);

    private KeyGroupState() {}

    /** Writes the state of all key groups of an owner. Memory: one block of rows. */
    static KeyedStateHandle write(
            RangeOwner.Frozen state, KeyGroupRange range, long checkpoint, long time, CheckpointStreamFactory factory)
            throws IOException, InterruptedException {
        KeyGroupRangeOffsets offsets = new KeyGroupRangeOffsets(range);
        try (CheckpointStateOutputStream out =
                factory.createCheckpointStateOutputStream(CheckpointedStateScope.EXCLUSIVE)) {
            for (int keyGroup : range) {
                offsets.setKeyGroupOffset(keyGroup, out.getPos());
                try (OutputStream pieces = Pieces.to(out)) {
                    StateWriter.write(
                            state.rows(keyGroup, keyGroup + 1, checkpoint, time),
                            pieces,
                            1,
                            state.ids(keyGroup).stream().toList());
                }
            }
            return new KeyGroupsStateHandle(offsets, out.closeAndGetHandle());
        }
    }

    /**
     * Adds the rows of all key groups to {@code state}.
     *
     * @param folder a folder for temporary files; there is at most one file at a time
     * @return the ids of events by key group
     * @throws StateException when definitions have changed in a way that no state file allows; the message says how
     * @throws SuppressRestartsException when keys have changed
     */
    static Map<Integer, SavedIds> read(
            Iterable<KeyGroupStatePartitionStreamProvider> keyGroups, Summaries state, Path folder)
            throws IOException, InterruptedException {
        Map<Integer, SavedIds> ids = new TreeMap<>();
        Files.createDirectories(folder);
        Path file = Files.createTempFile(folder, "key-group", ".state");
        try {
            for (KeyGroupStatePartitionStreamProvider keyGroup : keyGroups) {
                try (OutputStream out = Files.newOutputStream(file)) {
                    Pieces.copy(keyGroup.getStream(), out);
                }
                try (StateFile saved = StateFile.open(file)) {
                    requireSameRows(saved.layouts(), state.layouts());
                    List<String> leftOut = saved.addTo(state, 1);
                    if (!leftOut.isEmpty()
                            && keyGroup.getKeyGroupId() == state.here().first()) {
                        LOG.info("left out, because the definitions do not have them any more: {}", leftOut);
                    }
                    Optional<InputStream> part = saved.part(SeenIdsView.PART);
                    if (part.isPresent()) {
                        try (InputStream in = part.get()) {
                            ids.put(keyGroup.getKeyGroupId(), SavedIds.readFrom(in));
                        }
                    }
                }
            }
        } finally {
            Files.deleteIfExists(file);
        }
        return ids;
    }

    /**
     * Refuses definitions that change the types of keys, or windows. With other types, the hashes of the keys would
     * change, so rows would be in wrong key groups. With other windows, the boundary of closed windows and their files
     * would not fit, also when no rows are left.
     */
    private static void requireSameRows(List<SummaryLayout> saved, List<SummaryLayout> defined) {
        for (SummaryLayout layout : saved) {
            for (SummaryLayout now : defined) {
                if (!now.name().equals(layout.name())) {
                    continue;
                }
                if (!KeyLayout.isSame(layout.keys(), now.keys())) {
                    throw refused("the key of " + layout.name()
                            + " differs from that in the savepoint. A job cannot change keys, because each row would have"
                            + " to move to another key group; begin without a savepoint, or keep the key");
                }
                if (!LayoutMatch.haveSameWindows(layout, now)) {
                    throw refused("the windows of " + layout.name()
                            + " differ from those in the savepoint. A job cannot change windows, because its closed"
                            + " windows would not fit; begin without a savepoint, keep the windows, or give the summary"
                            + " another name");
                }
            }
        }
    }

    private static SuppressRestartsException refused(String why) {
        return new SuppressRestartsException(new IOException(why));
    }
}
