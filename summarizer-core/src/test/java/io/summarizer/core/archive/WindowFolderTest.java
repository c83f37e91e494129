package io.summarizer.core.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.disk.Disk;
import io.summarizer.core.disk.FileDisk;
import io.summarizer.core.state.FileId;
import io.summarizer.core.state.FileWindow;
import io.summarizer.core.state.StateException;
import io.summarizer.core.state.StateFile;
import io.summarizer.core.state.StateWriter;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.ClosedWindow;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.ModelSummary;
import io.summarizer.core.store.RowSource;
import io.summarizer.core.store.Rows;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.text.TimestampText;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WindowFolderTest {
    private static final long MINUTE = WindowRows.MINUTE;
    private static final SummaryLayout ANY = Rows.layout(
            "s", List.of(KeyType.STRING, KeyType.TIMESTAMP), List.of(AggregateType.COUNT, AggregateType.LASTSTRING));
    private static final SummaryLayout LAYOUT = WindowRows.layout(ANY.keys(), 1, ANY, 4);

    private final List<String> notes = new ArrayList<>();

    @TempDir
    private Path path;

    @SuppressWarnings("NullAway.Init")
    private WindowFolder folder;

    /** Windows that start at 0, 1, 2 and 3 minutes; some keys of each overflow. */
    @SuppressWarnings("NullAway.Init")
    private Cut cut;

    @BeforeEach
    void feed() throws IOException {
        WindowRows rows = new WindowRows(LAYOUT);
        rows.feed(100, 0, 4, new Random(5));
        cut = rows.inMemory();
        folder = WindowRows.folder(path, LAYOUT, notes);
    }

    private void write(long start) throws IOException, InterruptedException {
        folder.write(cut, start, start + MINUTE);
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(path)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private List<Long> starts() {
        return folder.current().windows().stream().map(ClosedWindow::start).toList();
    }

    private List<String> rows(long start) throws IOException {
        List<String> rows = new ArrayList<>();
        for (ClosedWindow window : folder.current().windows()) {
            if (window.start() == start) {
                try (RowSource.Rows parts = window.open(LAYOUT, List.of())) {
                    for (StoreView part = parts.next(); part != null; part = parts.next()) {
                        rows.addAll(ModelSummary.dump(part, List.of()));
                    }
                }
            }
        }
        return ModelSummary.sorted(rows);
    }

    private List<String> expected(long start) {
        List<String> rows = new ArrayList<>();
        for (StoreView part : cut.summaries().get(0).partitions()) {
            if (part.window() == start) {
                rows.addAll(ModelSummary.dump(part, List.of()));
            }
        }
        return ModelSummary.sorted(rows);
    }

    @Test
    void shouldListTheWindowsAgainAfterARestart() throws Exception {
        write(2 * MINUTE);
        write(0);
        List<ClosedWindow> before = folder.current().windows();
        assertThat(starts()).containsExactly(0L, 2 * MINUTE);
        folder = WindowRows.folder(path, LAYOUT, notes);
        assertThat(folder.current().windows())
                .extracting(Object::toString)
                .isEqualTo(before.stream().map(Object::toString).toList());
        assertThat(folder.current().windows())
                .extracting(ClosedWindow::rows)
                .isEqualTo(before.stream().map(ClosedWindow::rows).toList());
        assertThat(folder.current().overflow()).hasSize(2).allMatch(window -> window.rows() == 1);
        assertThat(folder.current().windows().stream()
                        .mapToLong(ClosedWindow::bytes)
                        .sum())
                .isEqualTo(Files.size(path.resolve("19700101T000000Z.state"))
                        + Files.size(path.resolve("19700101T000200Z.state")));
        for (long start : new long[] {0, 2 * MINUTE}) {
            assertThat(rows(start)).isNotEmpty().isEqualTo(expected(start));
        }
        assertThat(notes).isEmpty();
    }

    /** A file is the whole window, so that it can be given to commands that take state files. */
    @Test
    void shouldWriteFilesThatAreStateFiles() throws Exception {
        write(MINUTE);
        try (StateFile file = StateFile.open(path.resolve("19700101T000100Z.state"))) {
            assertThat(file.window()).contains(WindowRows.window(MINUTE));
            assertThat(file.layouts()).extracting(SummaryLayout::name).containsExactly("s", "s.overflow");
            assertThat(file.boundary(0)).as("open for late events").isLessThan(MINUTE);
        }
    }

    @Test
    void shouldDeleteFilesOnlyWhenNobodyHoldsTheirList() throws Exception {
        write(0);
        write(MINUTE);
        WindowList held = folder.acquire();
        assertThat(folder.acquire()).as("the second holder").isSameAs(held);
        assertThat(folder.expire(MINUTE - 1)).isZero();
        assertThat(folder.expire(MINUTE)).isEqualTo(1);
        write(2 * MINUTE);
        assertThat(starts()).containsExactly(MINUTE, 2 * MINUTE);
        assertThat(held.windows()).hasSize(2);
        assertThat(files()).as("held").contains("19700101T000000Z.state");
        WindowList later = folder.acquire();
        folder.release(held);
        assertThat(folder.expire(MINUTE)).isZero();
        assertThat(files()).as("held once more").contains("19700101T000000Z.state");
        folder.release(held);
        assertThat(folder.expire(MINUTE)).isZero();
        assertThat(files())
                .as("a later list does not have it")
                .containsExactly("19700101T000100Z.state", "19700101T000200Z.state");
        assertThat(folder.expire(Long.MAX_VALUE)).isEqualTo(2);
        assertThat(files()).hasSize(2);
        assertThat(folder.current().windows()).isEmpty();
        assertThat(folder.latest())
                .as("a file is still there")
                .isNotNull()
                .satisfies(latest -> assertThat(latest.start()).isEqualTo(2 * MINUTE));
        folder.release(later);
        folder.sweep();
        assertThat(files()).isEmpty();
        assertThat(folder.latest()).isNull();
        assertThatThrownBy(() -> folder.release(later)).isInstanceOf(IllegalStateException.class);
    }

    /** Holders of the older list still read the older file. */
    @Test
    void shouldReplaceAWindowByAnotherFile() throws Exception {
        write(MINUTE);
        WindowList held = folder.acquire();
        WindowRows more = new WindowRows(LAYOUT);
        more.feed(3, MINUTE, 1, new Random(6));
        List<String> before = rows(MINUTE);
        cut = more.inMemory();
        write(MINUTE);
        assertThat(rows(MINUTE)).isEqualTo(expected(MINUTE)).isNotEqualTo(before);
        assertThat(held.windows().get(0).rows()).isEqualTo(before.size());
        assertThat(files()).containsExactly("19700101T000100Z-2.state", "19700101T000100Z.state");
        assertThat(WindowRows.folder(path, LAYOUT, notes).current().windows())
                .as("the newer file, after a process ended before it deleted the older one")
                .hasSize(1)
                .allMatch(window -> window.toString().endsWith("Z-2.state"));
        assertThat(files()).containsExactly("19700101T000100Z-2.state");
    }

    /** Each changed bit of a window is an error, at the opening of the folder or when the rows are read. */
    @Test
    void shouldNeverReadAWrongRow() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        write(MINUTE);
        Path file = path.resolve("19700101T000100Z.state");
        byte[] bytes = Files.readAllBytes(file);
        List<String> expected = rows(MINUTE);
        for (int at = 0; at < bytes.length; at++) {
            byte[] damaged = bytes.clone();
            damaged[at] ^= (byte) (1 << random.nextInt(8));
            Files.write(file, damaged);
            try {
                // The rows of the overflow are in other blocks, which this does not read.
                assertThat(rows(MINUTE)).as("seed %d, byte %d", seed, at).isEqualTo(expected);
                assertThatThrownBy(() -> verify(file))
                        .as("seed %d, byte %d", seed, at)
                        .isInstanceOf(StateException.class);
            } catch (StateException e) {
                assertThat(e).hasMessageStartingWith(file.toString());
            }
        }
    }

    private static void verify(Path file) throws IOException, InterruptedException {
        try (StateFile state = StateFile.open(file)) {
            state.verify(1);
        }
    }

    @Test
    void shouldSetADamagedFileAside() throws Exception {
        write(0);
        write(MINUTE);
        Path file = path.resolve("19700101T000000Z.state");
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length - 1] ^= 1;
        Files.write(file, bytes);
        folder = WindowRows.folder(path, LAYOUT, notes);
        assertThat(starts()).containsExactly(MINUTE);
        assertThat(folder.damaged()).isEqualTo(1);
        assertThat(files()).containsExactly("19700101T000000Z.state.damaged", "19700101T000100Z.state");
        assertThat(notes)
                .singleElement()
                .asString()
                .startsWith("the window " + file + ": ")
                .endsWith("; it is kept as 19700101T000000Z.state.damaged");
        assertThat(WindowRows.folder(path, LAYOUT, notes).damaged()).isEqualTo(1);
    }

    @Test
    void shouldDeleteUnfinishedFilesAndLeaveOthersAlone() throws Exception {
        write(0);
        Files.writeString(path.resolve(".19700101T000100Z.state.77.tmp"), "unfinished");
        Files.writeString(path.resolve("README"), "of the operator");
        folder = WindowRows.folder(path, LAYOUT, notes);
        assertThat(files()).containsExactly("19700101T000000Z.state", "README");
        assertThat(starts()).containsExactly(0L);
    }

    @Test
    void shouldNameAStateFileThatIsNoWindowOfTheSummary() throws Exception {
        StateWriter.write(cut, new FileDisk(path), "19700101T000000Z.state", 1, List.of());
        assertThatThrownBy(() -> WindowRows.folder(path, LAYOUT, notes))
                .hasMessage(path
                        + "/19700101T000000Z.state is a state file, but not a window of s; move it out of this folder");
        Files.delete(path.resolve("19700101T000000Z.state"));
        write(MINUTE);
        Files.move(path.resolve("19700101T000100Z.state"), path.resolve("19700101T000700Z.state"));
        assertThatThrownBy(() -> WindowRows.folder(path, LAYOUT, notes))
                .hasMessage(path + "/19700101T000700Z.state has the window 19700101T000100Z, which is not that of its"
                        + " name; move it out of this folder");
    }

    @ParameterizedTest
    @CsvSource({
        "2026-11-20T00:05:00Z, 20261120T000500Z",
        "0000-01-01T00:00:00Z, 00000101T000000Z",
        "9999-12-31T23:59:59Z, 99991231T235959Z",
        "2026-11-20T00:05:00.5Z, us1795133100500000",
        "-0001-12-31T23:59:00Z, us-62167219260000000",
        "+10000-01-01T00:00:00Z, us253402300800000000"
    })
    void shouldNameWindowsByTheirStart(String time, String name) {
        long start = TimestampText.parse(time);
        if (start != TimestampText.INVALID) {
            assertThat(WindowName.of(start)).isEqualTo(name);
        }
        assertThat(WindowName.start(name)).isPresent();
        assertThat(WindowName.of(WindowName.start(name).getAsLong())).isEqualTo(name);
    }

    @Test
    void shouldKnowItsOwnNamesOnly() {
        for (String other : List.of(
                "",
                "us",
                "us99999999999999999999",
                "us1795133100000000",
                "20261320T000500Z",
                "20261120T000500",
                "us-0")) {
            assertThat(WindowName.start(other)).as(other).isEmpty();
        }
        for (long extreme : new long[] {Long.MIN_VALUE + 1, Long.MAX_VALUE}) {
            assertThat(WindowName.start(WindowName.of(extreme))).hasValue(extreme);
        }
    }

    private WindowUpload upload(String file) throws IOException, InterruptedException {
        WindowUpload upload = folder.begin(1 << 20);
        upload.write(ByteBuffer.wrap(Files.readAllBytes(path.resolve(file))));
        upload.verify(1);
        return upload;
    }

    private ClosedWindow put(WindowUpload upload, SummaryLayout layout, WindowFolder.Check check) throws IOException {
        FileWindow window = folder.prepare(upload, layout, check);
        return folder.put(window.start(), upload.sha256());
    }

    @Test
    void shouldReplaceAWindowThatIsPut() throws Exception {
        write(0);
        write(MINUTE);
        Path elsewhere = path.resolve("elsewhere");
        WindowFolder other = WindowRows.folder(elsewhere, LAYOUT, notes);
        WindowRows more = new WindowRows(LAYOUT);
        more.feed(300, 0, 4, new Random(6));
        other.write(more.inMemory(), MINUTE, 2 * MINUTE);
        WindowList held = folder.acquire();
        try (WindowUpload upload = upload("elsewhere/19700101T000100Z.state")) {
            upload.putAnyway();
            assertThat(put(upload, LAYOUT, (start, end) -> "").number()).isEqualTo(2);
        }
        assertThat(starts()).containsExactly(0L, MINUTE);
        List<String> corrected = rows(MINUTE);
        assertThat(corrected).isNotEqualTo(expected(MINUTE));
        assertThat(files()).contains("19700101T000100Z.state", "19700101T000100Z-2.state");
        folder.release(held);
        try (WindowUpload upload = upload("elsewhere/19700101T000100Z.state")) {
            upload.putAnyway();
            put(upload, LAYOUT, (start, end) -> "");
        }
        assertThat(files()).containsExactly("19700101T000000Z.state", "19700101T000100Z-3.state", "elsewhere");
        folder = WindowRows.folder(path, LAYOUT, notes);
        assertThat(rows(MINUTE)).as("after a restart").isEqualTo(corrected);
    }

    /** A second correction that began with the file from before the first one would undo the first one. */
    @Test
    void shouldRefuseAFileThatWasMadeFromAnEarlierFileOfTheWindow() throws Exception {
        write(0);
        String first = "19700101T000000Z.state";
        Files.copy(path.resolve(first), path.resolve("kept"));
        correct("once", first);
        correct("again", first);
        correct("further", "once");
        try (WindowUpload upload = upload("once")) {
            assertThat(put(upload, LAYOUT, (start, end) -> "").number()).isEqualTo(2);
        }
        try (WindowUpload upload = upload("again")) {
            assertThatThrownBy(() -> put(upload, LAYOUT, (start, end) -> ""))
                    .isInstanceOf(WindowRefusedException.class)
                    .hasMessageContaining("may lack a correction; make it from " + path.resolve("19700101T000000Z-2"));
        }
        try (WindowUpload upload = upload("once")) {
            assertThat(put(upload, LAYOUT, (start, end) -> "").number())
                    .as("put again")
                    .isEqualTo(3);
        }
        try (WindowUpload upload = upload("further")) {
            assertThat(put(upload, LAYOUT, (start, end) -> "").number()).isEqualTo(4);
        }
        try (WindowUpload upload = upload("kept")) {
            assertThatThrownBy(() -> put(upload, LAYOUT, (start, end) -> ""))
                    .as("a file that was made from no other file")
                    .isInstanceOf(WindowRefusedException.class);
            upload.putAnyway();
            assertThat(put(upload, LAYOUT, (start, end) -> "").number()).isEqualTo(5);
        }
        assertThat(rows(0)).isEqualTo(expected(0));
        correct("both", "once", "kept");
        correct("neither", "once", "further");
        try (WindowUpload upload = upload("neither")) {
            assertThatThrownBy(() -> put(upload, LAYOUT, (start, end) -> ""))
                    .isInstanceOf(WindowRefusedException.class);
            upload.putAnyway();
            assertThat(put(upload, LAYOUT, (start, end) -> "").number()).isEqualTo(6);
        }
        try (WindowUpload upload = upload("kept")) {
            upload.putAnyway();
            put(upload, LAYOUT, (start, end) -> "");
        }
        try (WindowUpload upload = upload("both")) {
            assertThat(put(upload, LAYOUT, (start, end) -> "").number()).isEqualTo(8);
        }
    }

    /** The put loses no rows that can be read. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldReplaceAFileThatCannotBeReadByAnyOther(boolean isThere) throws Exception {
        write(0);
        String first = "19700101T000000Z.state";
        correct("once", first);
        correct("again", first);
        try (WindowUpload upload = upload("once")) {
            put(upload, LAYOUT, (start, end) -> "");
        }
        Path present = path.resolve("19700101T000000Z-2.state");
        if (isThere) {
            Files.writeString(present, "damaged");
        } else {
            Files.delete(present);
        }
        try (WindowUpload upload = upload("again")) {
            assertThat(put(upload, LAYOUT, (start, end) -> "").number()).isEqualTo(3);
        }
    }

    /** Writes a file that was made from other files. */
    private void correct(String file, String... bases) throws Exception {
        WindowRows more = new WindowRows(LAYOUT);
        more.feed(300, 0, 1, new Random(file.hashCode()));
        List<FileId> madeFrom = new ArrayList<>();
        for (String base : bases) {
            try (StateFile of = StateFile.open(path.resolve(base))) {
                madeFrom.add(of.id());
            }
        }
        Cut rows = new Cut(1, file.hashCode(), more.inMemory().summaries());
        StateWriter.write(rows, new FileWindow(0, MINUTE, madeFrom, List.of()), new FileDisk(path), file, 1);
    }

    @Test
    void shouldFinishAPutThatWasPreparedAndDiscardOthers() throws Exception {
        write(0);
        write(MINUTE);
        Path elsewhere = path.resolve("elsewhere");
        WindowFolder other = WindowRows.folder(elsewhere, LAYOUT, notes);
        WindowRows more = new WindowRows(LAYOUT);
        more.feed(300, 0, 4, new Random(6));
        List<String> prepared = new ArrayList<>();
        for (long start : new long[] {0, MINUTE}) {
            other.write(more.inMemory(), start, start + MINUTE);
            try (WindowUpload upload = upload("elsewhere/" + WindowName.of(start) + ".state")) {
                upload.putAnyway();
                folder.prepare(upload, LAYOUT, (from, end) -> "");
                prepared.add(upload.sha256());
                Files.copy(path.resolve(upload.name()), elsewhere.resolve(upload.name()));
            }
        }
        assertThat(rows(0)).as("only prepared").isEqualTo(expected(0));
        assertThat(files()).noneMatch(file -> file.endsWith(".put")); // the uploads are over
        for (String file : elsewhere.toFile().list()) {
            if (file.endsWith(".put")) {
                Files.move(elsewhere.resolve(file), path.resolve(file));
            }
        }
        folder = WindowRows.folder(path, LAYOUT, notes);
        folder.finishPut(MINUTE, prepared.get(1));
        folder.finishPut(0, prepared.get(1));
        folder.discardPuts();
        assertThat(rows(0)).isEqualTo(expected(0));
        assertThat(rows(MINUTE)).isNotEqualTo(expected(MINUTE));
        assertThat(files()).containsExactly("19700101T000000Z.state", "19700101T000100Z-2.state", "elsewhere");
    }

    @Test
    void shouldUndoAPutThatFails() throws Exception {
        write(0);
        Path elsewhere = path.resolve("elsewhere");
        WindowRows more = new WindowRows(LAYOUT);
        more.feed(300, 0, 4, new Random(6));
        WindowRows.folder(elsewhere, LAYOUT, notes).write(more.inMemory(), 0, MINUTE);
        AtomicBoolean failing = new AtomicBoolean();
        Disk real = new FileDisk(path);
        Disk disk = (Disk) Proxy.newProxyInstance(
                Disk.class.getClassLoader(), new Class<?>[] {Disk.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("sync") && failing.get()) {
                        throw new IOException("the disk fails");
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        folder = WindowFolder.open(disk, LAYOUT.name(), 1, notes::add);
        try (WindowUpload upload = upload("elsewhere/19700101T000000Z.state")) {
            upload.putAnyway();
            FileWindow window = folder.prepare(upload, LAYOUT, (start, end) -> "");
            failing.set(true);
            assertThatThrownBy(() -> folder.put(window.start(), upload.sha256()))
                    .hasMessage("the disk fails");
            folder = WindowRows.folder(path, LAYOUT, notes);
            folder.finishPut(0, upload.sha256());
        }
        assertThat(files()).containsExactly("19700101T000000Z.state", "elsewhere");
        assertThat(rows(0)).isEqualTo(expected(0));
    }

    /** The file of a window that was deleted is still read, so that its name is taken. */
    @Test
    void shouldAddAWindowBesideAFileThatIsStillHeld() throws Exception {
        write(0);
        byte[] before = Files.readAllBytes(path.resolve("19700101T000000Z.state"));
        WindowList held = folder.acquire();
        folder.expire(MINUTE);
        assertThat(starts()).isEmpty();
        WindowUpload upload = folder.begin(1 << 20);
        upload.write(ByteBuffer.wrap(before));
        upload.verify(1);
        put(upload, LAYOUT, (start, end) -> "");
        upload.close();
        folder.expire(MINUTE);
        write(0);
        assertThat(files()).contains("19700101T000000Z-3.state", "19700101T000000Z.state");
        folder.release(held);
        folder.expire(0);
        assertThat(files()).containsExactly("19700101T000000Z-3.state");
        assertThat(rows(0)).isEqualTo(expected(0));
    }

    @Test
    void shouldRefuseWhatIsNoWindowOfTheSummary() throws Exception {
        write(0);
        byte[] good = Files.readAllBytes(path.resolve("19700101T000000Z.state"));
        try (WindowUpload upload = upload("19700101T000000Z.state")) {
            assertThatThrownBy(() -> put(upload, LAYOUT, (start, end) -> start + " is open"))
                    .isInstanceOf(WindowRefusedException.class)
                    .hasMessage("0 is open");
            SummaryLayout texts =
                    Rows.layout("s", List.of(KeyType.STRING, KeyType.STRING), List.of(AggregateType.COUNT));
            assertThatThrownBy(() -> put(upload, texts, (start, end) -> ""))
                    .isInstanceOf(WindowRefusedException.class)
                    .hasMessageContaining("the file: does not go together");
        }
        for (int at = 0; at < good.length; at += 1 + good.length / 50) {
            byte[] damaged = good.clone();
            damaged[at] ^= 4;
            try (WindowUpload upload = folder.begin(good.length)) {
                upload.write(ByteBuffer.wrap(damaged));
                assertThatThrownBy(() -> upload.verify(1))
                        .as("byte %d", at)
                        .isInstanceOf(WindowRefusedException.class)
                        .hasMessageContaining("the file");
                assertThatThrownBy(() -> put(upload, LAYOUT, (start, end) -> ""))
                        .isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(() -> upload.write(ByteBuffer.allocate(1)))
                        .isInstanceOf(WindowRefusedException.class);
            }
        }
        StateWriter.write(cut, path.resolve("all.rows"), 1);
        try (WindowUpload upload = upload("all.rows")) {
            assertThatThrownBy(() -> put(upload, LAYOUT, (start, end) -> ""))
                    .isInstanceOf(WindowRefusedException.class)
                    .hasMessageContaining("not one of a closed window");
        }
        assertThat(files()).containsExactly("19700101T000000Z.state", "all.rows");
        assertThat(rows(0)).isEqualTo(expected(0));
    }
}
