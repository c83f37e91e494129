package io.summarizer.core.state;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.summarizer.core.bytes.BlockBuffer;
import io.summarizer.core.bytes.MalformedException;
import io.summarizer.core.evolve.LayoutMatch;
import io.summarizer.core.evolve.RowBlock;
import io.summarizer.core.evolve.RowRefusedException;
import io.summarizer.core.evolve.SummaryLoader;
import io.summarizer.core.evolve.Table;
import io.summarizer.core.evolve.TableUnloader;
import io.summarizer.core.store.Partitions;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Feeds arbitrary bytes: as a file, and as the contents of a block, where no checksum protects. Runs the recorded
 * inputs; {@code junit-platform.properties} says how to look for new ones.
 */
class StateFuzzTest {
    @FuzzTest(maxDuration = "10m")
    void readsAnyFileOrSaysWhyNot(byte[] input) throws IOException, InterruptedException {
        Path file = Files.createTempFile("fuzz", ".state");
        try {
            Files.write(file, input);
            States.load(file, States.empty(List.of(StateFileTest.everything())));
        } catch (StateException expected) {
            // expected
        } finally {
            Files.delete(file);
        }
    }

    @FuzzTest(maxDuration = "10m")
    void readsAnyBlockOrSaysWhyNot(byte[] input) throws IOException {
        readBlock(input);
    }

    /** Nearly correct bytes get further than random ones: blocks of real rows with some bytes changed. */
    @Test
    void readsDamagedBlocksOrSaysWhyNot() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        byte[] block = block();
        readBlock(block.clone());
        try {
            for (int i = 0; i < 3_000; i++) {
                byte[] damaged =
                        random.nextInt(5) == 0 ? Arrays.copyOf(block, random.nextInt(block.length)) : block.clone();
                for (int change = random.nextInt(4); change >= 0 && damaged.length > 0; change--) {
                    damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
                }
                readBlock(damaged);
            }
        } catch (RuntimeException | Error e) {
            throw new AssertionError("seed " + seed, e);
        }
    }

    /** The rows of one partition, as a block. */
    private static byte[] block() throws RowRefusedException {
        Summaries state = StateFileTest.small();
        int rows = 0;
        BlockBuffer out = new BlockBuffer();
        for (int partition = 0; partition < Partitions.COUNT && rows == 0; partition++) {
            rows = (int) state.store(0, partition).rows();
            if (rows > 0) {
                StoreView view = state.store(0, partition).freeze();
                TableUnloader rowsOf = new TableUnloader(Table.of(view.layout()).get(0), view, null);
                RowFormat.write(rowsOf.next(), out);
            }
        }
        return Arrays.copyOf(out.array(), out.position());
    }

    private static void readBlock(byte[] input) throws IOException {
        for (int version = 1; version <= StateFormat.VERSION; version++) {
            readBlock(version, input);
        }
    }

    private static void readBlock(int version, byte[] input) throws IOException {
        SummaryLayout layout = StateFileTest.everything();
        Summaries target = States.empty(List.of(layout), 100_000);
        LayoutMatch match = LayoutMatch.of(List.of(layout), (summary, path) -> 0, List.of(layout), "in the file");
        SummaryLoader loader = new SummaryLoader(match, 0, target, SummaryLoader.newLocks(Partitions.ALL));
        RowBlock block = new RowBlock(Table.of(layout).get(0));
        BlockBuffer in = new BlockBuffer();
        in.fill(input.length);
        System.arraycopy(input, 0, in.array(), 0, input.length);
        try {
            int rows = in.getInt();
            RowFormat.read(version, in, rows, block);
            loader.add(0, block);
            var unused = States.dump(target);
        } catch (MalformedException | RowRefusedException expected) {
            // expected
        }
    }
}
