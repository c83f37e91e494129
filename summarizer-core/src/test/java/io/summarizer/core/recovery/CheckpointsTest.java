package io.summarizer.core.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.disk.FileDisk;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.pipeline.PipelineOptions;
import io.summarizer.core.pipeline.PipelineTopics;
import io.summarizer.core.pipeline.SumPlan;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.state.StateException;
import io.summarizer.core.state.StateFile;
import io.summarizer.core.state.StateWriter;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.CutPart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointsTest {
    private static final PipelineTopics TOPICS =
            new PipelineTopics(List.of(List.of(), List.of("ad.#", "bid.*"), List.of("b")));

    @TempDir
    Path folder;

    private final List<String> notes = new ArrayList<>();

    private Checkpoints open() throws IOException {
        return Checkpoints.open(new FileDisk(folder), 2, notes::add);
    }

    private static CheckpointInfo info(long position) {
        return new CheckpointInfo(
                "defs-" + position, TOPICS, List.of(position, position + 5, position + 2), position / 10);
    }

    /** A cut of a state without rows. */
    private static Cut cut(CutPart... parts) {
        SumPlan plan = new SumPlan(1, List.of("A"));
        Cut rows = plan.newSummaries(10).freeze(1, 2);
        return new Cut(3, 4, rows.summaries(), CutLease.unmanaged(), List.of(), List.of(parts));
    }

    private CheckpointInfo newest(Checkpoints checkpoints) throws Exception {
        return checkpoints
                .newest((file, info) -> {
                    file.verify(1);
                    return info;
                })
                .orElseThrow();
    }

    private List<String> files() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private void damage(String name, int at) throws IOException {
        byte[] bytes = Files.readAllBytes(folder.resolve(name));
        bytes[at < 0 ? bytes.length + at : at] ^= 1;
        Files.write(folder.resolve(name), bytes);
    }

    @Test
    void shouldKeepTheTwoNewestAndSayFromWhereTheyNeedTheJournal() throws Exception {
        Checkpoints checkpoints = open();
        assertThat(checkpoints.isEmpty()).isTrue();
        assertThat(checkpoints.newest((file, info) -> info)).isEmpty();
        assertThat(checkpoints.neededFrom()).isZero();
        checkpoints.write(cut(), info(100));
        assertThat(checkpoints.neededFrom()).isEqualTo(100);
        checkpoints.write(cut(), info(200));
        checkpoints.write(cut(), info(300));
        assertThat(checkpoints.neededFrom()).isEqualTo(200);
        assertThat(checkpoints.controlsFrom()).isEqualTo(20);
        assertThat(checkpoints.definitions()).containsExactlyInAnyOrder("defs-200", "defs-300");
        assertThat(files()).containsExactly("0000000002.state", "0000000003.state");

        Checkpoints again = open();
        assertThat(newest(again)).isEqualTo(info(300));
        assertThat(again.neededFrom()).isEqualTo(200);
        again.write(cut(), info(400));
        assertThat(files()).containsExactly("0000000003.state", "0000000004.state");
        assertThat(notes).isEmpty();
    }

    @Test
    void shouldKeepWhatACutHasBesideRows() throws Exception {
        open().write(cut(CutPart.of("ledger", out -> out.write(new byte[] {9, 8}))), info(1));
        byte[] found = open().newest(
                        (file, info) -> file.part("ledger").orElseThrow().readAllBytes())
                .orElseThrow();
        assertThat(found).containsExactly(9, 8);
    }

    @Test
    void shouldSetADamagedOneAsideAndTakeTheOneBefore() throws Exception {
        for (int at : new int[] {3, 40, -3}) { // the header, the layouts, the trailer
            Checkpoints checkpoints = open();
            checkpoints.write(cut(), info(100));
            checkpoints.write(cut(), info(200));
            String newest = files().stream()
                    .filter(name -> name.endsWith(".state"))
                    .reduce((a, b) -> b)
                    .orElseThrow();
            damage(newest, at);
            notes.clear();
            assertThat(newest(open())).isEqualTo(info(100));
            assertThat(notes).hasSize(2);
            assertThat(notes.get(0)).contains(newest, "kept as " + newest + ".damaged");
            assertThat(notes.get(1))
                    .startsWith("going on from the checkpoint 0")
                    .contains("what the journal has");
            assertThat(files()).contains(newest + ".damaged").doesNotContain(newest);
        }
    }

    @Test
    void shouldNotSayThatAnythingIsMissingWhenTheOlderOneIsDamaged() throws Exception {
        Checkpoints checkpoints = open();
        checkpoints.write(cut(), info(100));
        checkpoints.write(cut(), info(200));
        String oldest = files().stream()
                .filter(name -> name.endsWith(".state"))
                .findFirst()
                .orElseThrow();
        damage(oldest, 3);
        notes.clear();
        assertThat(newest(open())).isEqualTo(info(200));
        assertThat(notes).singleElement().asString().contains("kept as " + oldest + ".damaged");
    }

    @Test
    void shouldLeaveASoundOneWhereItIsWhenItCannotBeLoaded() throws Exception {
        Checkpoints checkpoints = open();
        try (Pipeline pipeline =
                Pipeline.start(new SumPlan(1, List.of("A")), PipelineOptions.DEFAULT, RejectSink.NONE)) {
            MessageBatch batch = pipeline.acquire();
            SumPlan.add(batch, "t", 1, 1);
            pipeline.put(batch);
            pipeline.drain();
            for (int position = 100; position <= 200; position += 100) {
                Cut cut = pipeline.cut();
                checkpoints.write(cut, info(position));
                cut.release();
            }
        }
        assertThatThrownBy(() ->
                        open().newest((file, info) -> file.addTo(new SumPlan(1, List.of("B")).newSummaries(10), 1)))
                .isInstanceOf(StateException.class)
                .hasMessageContaining("none of the summaries in the file is defined");
        assertThat(files()).containsExactly("0000000001.state", "0000000002.state");
        assertThat(newest(open())).isEqualTo(info(200));
    }

    @Test
    void shouldDeleteWhatAProcessThatWasKilledLeftUnfinished() throws Exception {
        open().write(cut(), info(100));
        Files.write(folder.resolve(".0000000002.state.4711.tmp"), new byte[10]);
        open();
        assertThat(files()).containsExactly("0000000001.state");
    }

    @Test
    void shouldWriteOnWhereASupersededOneCannotBeDeleted() throws Exception {
        Checkpoints checkpoints = open();
        checkpoints.write(cut(), info(100));
        checkpoints.write(cut(), info(200));
        // A folder with contents stands for a file that the system does not delete.
        Path first = folder.resolve("0000000001.state");
        Files.delete(first);
        Files.createDirectories(first.resolve("x"));
        checkpoints.write(cut(), info(300));
        checkpoints.write(cut(), info(400));
        assertThat(notes).singleElement().asString().contains("0000000001.state", "could not be deleted");
        assertThat(files()).containsExactly("0000000001.state", "0000000003.state", "0000000004.state");
        assertThat(checkpoints.neededFrom()).isEqualTo(300);
        Files.delete(first.resolve("x"));
        checkpoints.write(cut(), info(500));
        assertThat(files()).containsExactly("0000000004.state", "0000000005.state");
    }

    @Test
    void shouldNoticeDamageThatOnlyLoadingShows() throws Exception {
        Checkpoints checkpoints = open();
        checkpoints.write(cut(), info(100));
        checkpoints.write(cut(), info(200));
        CheckpointInfo taken = open().newest((file, info) -> {
                    if (info.from() == 200) {
                        throw damaged();
                    }
                    return info;
                })
                .orElseThrow();
        assertThat(taken).isEqualTo(info(100));
        assertThat(files()).containsExactly("0000000001.state", "0000000002.state.damaged");
    }

    /** The exception for a truncated file. */
    private StateException damaged() throws IOException {
        Path file = folder.resolveSibling("short.state");
        Files.write(file, new byte[3]);
        try (StateFile broken = StateFile.open(file)) {
            throw new AssertionError(broken);
        } catch (StateException e) {
            return e;
        }
    }

    @Test
    void shouldNotBeginAnewWhenAllAreDamaged() throws Exception {
        open().write(cut(), info(100));
        damage("0000000001.state", 20);
        for (int start = 0; start < 2; start++) {
            Checkpoints checkpoints = open();
            assertThatThrownBy(() -> checkpoints.newest((file, info) -> info))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("no sound checkpoint is left")
                    .hasMessageContaining("delete the damaged ones");
        }
        Files.delete(folder.resolve("0000000001.state.damaged"));
        assertThat(open().newest((file, info) -> info)).isEmpty();
    }

    @Test
    void shouldNotTakeAnyStateFileForACheckpoint() throws Exception {
        StateWriter.write(cut(), folder.resolve("0000000001.state"), 1);
        assertThatThrownBy(this::open).hasMessageContaining("no checkpoint");
    }
}
