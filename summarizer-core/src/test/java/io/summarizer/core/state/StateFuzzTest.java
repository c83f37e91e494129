package io.summarizer.core.state;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.summarizer.core.store.Partitions;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/**
 * Any bytes at all: as a file, and as what is in a block, where no checksum stands in the way. Runs the recorded inputs;
 * {@code junit-platform.properties} says how to look for new ones.
 */
class StateFuzzTest {
    @FuzzTest(maxDuration = "10m")
    void readsAnyFileOrSaysWhyNot(byte[] input) throws IOException, InterruptedException {
        Path file = Files.createTempFile("fuzz", ".state");
        try {
            Files.write(file, input);
            States.load(file, States.empty(List.of(StateFileTest.everything())));
        } catch (StateException expected) {
            // as it should
        } finally {
            Files.delete(file);
        }
    }

    @FuzzTest(maxDuration = "10m")
    void readsAnyBlockOrSaysWhyNot(byte[] input) throws IOException {
        readBlock(input);
    }

    /** What is nearly right gets further than what is not: blocks of real rows with some bytes changed. */
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

    /** The rows of one partition, as they are in a block. */
    private static byte[] block() throws StateException {
        Summaries state = StateFileTest.small();
        int rows = 0;
        StateBuffer out = new StateBuffer();
        for (int partition = 0; partition < Partitions.COUNT && rows == 0; partition++) {
            rows = (int) state.store(0, partition).rows();
            if (rows > 0) {
                TableWriter writer =
                        new TableWriter(0, state.store(0, partition).freeze(), null);
                writer.putRows(writer.fill(), out);
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
        LayoutMatch match = LayoutMatch.of(List.of(layout), summary -> 0, List.of(layout), "in the file");
        ReentrantLock[] locks = new ReentrantLock[Partitions.COUNT];
        Arrays.setAll(locks, i -> new ReentrantLock());
        LayoutMatch.TableMatch table = match.table(0, 0);
        if (table == null) {
            throw new AssertionError("a layout matches itself");
        }
        StateBuffer in = new StateBuffer();
        in.fill(input.length);
        System.arraycopy(input, 0, in.array(), 0, input.length);
        try {
            int rows = in.getInt();
            new TableReader(version, Table.of(layout).get(0), table, target, locks, null, new RowMap(), true)
                    .read(in, rows);
            var unused = States.dump(target);
        } catch (MalformedException expected) {
            // as it should
        }
    }
}
