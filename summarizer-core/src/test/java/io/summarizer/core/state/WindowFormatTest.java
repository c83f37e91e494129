package io.summarizer.core.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.bytes.BlockBuffer;
import io.summarizer.core.bytes.MalformedException;
import io.summarizer.core.disk.FileDisk;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.ClosedWindows;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import io.summarizer.core.store.SummaryLimit;
import io.summarizer.core.store.SummaryView;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.time.CalendarUnit;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The attributes of summaries with time windows, and of files with one window. */
class WindowFormatTest {
    private static final SummaryWindow FIVE_MINUTES =
            new SummaryWindow(1, 5, CalendarUnit.MINUTE, ZoneOffset.UTC, 120_000_000, 9_000_000);

    @TempDir
    private Path folder;

    private static SummaryLayout layout(SummaryWindow window) {
        return new SummaryLayout(
                "Traffic",
                0,
                List.of(new KeyColumn("host", 1, KeyType.STRING), new KeyColumn("minute", 2, KeyType.TIMESTAMP)),
                List.of(new ValueColumn("requests", 3, AggregateType.COUNT, 0, 0)),
                List.of(new SummaryLayout(
                        "paths", 4, List.of(new KeyColumn("path", 1, KeyType.STRING)), List.of(), List.of())),
                SummaryLimit.DEFAULT,
                window);
    }

    private static LayoutCodec reader(byte[] bytes, int length) {
        BlockBuffer in = new BlockBuffer();
        in.fill(length);
        System.arraycopy(bytes, 0, in.array(), 0, length);
        return new LayoutCodec(in, StateFormat.VERSION, "x.state");
    }

    private static BlockBuffer written(SummaryWindow window, long boundary) {
        BlockBuffer out = new BlockBuffer();
        LayoutCodec.put(out, layout(window), boundary);
        return out;
    }

    @ParameterizedTest
    @CsvSource({
        "30, SECOND, Z",
        "5, MINUTE, UTC",
        "1, HOUR, +02:00",
        "1, DAY, Europe/Berlin",
        "2, WEEK, Asia/Tokyo",
        "3, MONTH, America/New_York",
        "1, YEAR, Z"
    })
    void shouldReadBackWindowsOfEveryUnitWithoutTheTimesOfClosingAndKeeping(int every, CalendarUnit unit, String zone)
            throws Exception {
        ZoneId id = ZoneId.of(zone).normalized();
        SummaryWindow window = new SummaryWindow(1, every, unit, id, 120_000_000, 9_000_000);
        for (long boundary : new long[] {ClosedWindows.NO_BOUNDARY, -1, 1_764_000_000_000_000L}) {
            BlockBuffer out = written(window, boundary);
            LayoutCodec codec = reader(out.array(), out.position());
            assertThat(codec.getLayout()).isEqualTo(layout(new SummaryWindow(1, every, unit, id)));
            assertThat(codec.boundary()).isEqualTo(boundary);
        }
    }

    /** The bytes that docs/understand/state-files.md promises. */
    @Test
    void shouldWriteTheDocumentedBytes() {
        SummaryWindow window = new SummaryWindow(1, 2, CalendarUnit.DAY, ZoneId.of("Asia/Tokyo"));
        BlockBuffer expected = new BlockBuffer();
        expected.putName("Traffic");
        expected.putInt(0);
        expected.putInt(2);
        expected.putInt(0x80000010);
        expected.putInt(13 + 10);
        expected.putInt(1);
        expected.putInt(2);
        expected.putByte(4);
        expected.putName("Asia/Tokyo");
        expected.putInt(0x80000011);
        expected.putInt(8);
        expected.putLong(77);
        int length = expected.position();
        assertThat(Arrays.copyOf(written(window, 77).array(), length))
                .isEqualTo(Arrays.copyOf(expected.array(), length));
    }

    @Test
    void shouldNameAUnitOrZoneThatItDoesNotKnow() {
        BlockBuffer out = written(FIVE_MINUTES, 77);
        out.array()["Traffic".length() + 4 + 4 + 4 + 8 + 8] = 9;
        assertThatThrownBy(() -> reader(out.array(), out.position()).getLayout())
                .isExactlyInstanceOf(StateException.class)
                .hasMessage("x.state: summary Traffic has windows of the unknown unit 9, which this program does not"
                        + " know; read it with a newer version of the program");
        BlockBuffer zoned = written(new SummaryWindow(1, 1, CalendarUnit.DAY, ZoneId.of("Asia/Tokyo")), 77);
        zoned.array()["Traffic".length() + 4 + 4 + 4 + 8 + 8 + 1 + 4] = 'E';
        assertThatThrownBy(() -> reader(zoned.array(), zoned.position()).getLayout())
                .isExactlyInstanceOf(StateException.class)
                .hasMessage("x.state: summary Traffic has windows in the zone \"Esia/Tokyo\", which this Java does not"
                        + " know; read the file with a newer Java");
    }

    @ParameterizedTest
    @CsvSource({"0, 5, 2", "2, 5, 2", "-1, 5, 2", "1, 0, 2", "1, 7, 2", "1, -1, 4", "1, 2, 3"})
    void shouldTakeImpossibleWindowsForDamage(int column, int every, int unit) throws Exception {
        BlockBuffer out = new BlockBuffer();
        out.putInt(0);
        out.putInt(column);
        out.putInt(every);
        BlockBuffer sound = written(FIVE_MINUTES, 77);
        int at = "Traffic".length() + 4 + 4 + 4 + 8;
        System.arraycopy(out.array(), 4, sound.array(), at, 8);
        sound.array()[at + 8] = (byte) unit;
        if (column == 1 && every == 2) { // two hours divide a day
            assertThat(reader(sound.array(), sound.position()).getLayout().window())
                    .isEqualTo(new SummaryWindow(1, 2, CalendarUnit.HOUR, ZoneOffset.UTC));
        } else {
            assertThatThrownBy(() -> reader(sound.array(), sound.position()).getLayout())
                    .isInstanceOf(MalformedException.class);
        }
    }

    /** Damaged attributes are read, or there is one of the two exceptions. */
    @Test
    void shouldReadDamagedAttributesOrSayWhyNot() {
        long seed = Long.getLong("summarizer.seed", System.nanoTime());
        Random random = new Random(seed);
        BlockBuffer out = written(new SummaryWindow(1, 2, CalendarUnit.DAY, ZoneId.of("Asia/Tokyo")), 77);
        int refused = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = Arrays.copyOf(out.array(), out.position());
            for (int change = random.nextInt(3); change >= 0; change--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(random.nextBoolean() ? 8 : 256);
            }
            try {
                SummaryLayout layout = reader(bytes, bytes.length).getLayout();
                if (layout.window() != null) {
                    var unused = layout.window().windows().start(random.nextLong());
                }
            } catch (MalformedException | StateException e) {
                refused++;
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
        assertThat(refused).as("seed %d", seed).isPositive();
    }

    @Test
    void shouldKeepTheWindowOfAFile() throws Exception {
        SummaryLayout layout = layout(FIVE_MINUTES);
        FileDisk disk = new FileDisk(folder);
        Cut cut = new Cut(3, 4, List.of(new SummaryView(layout, List.of(), 0)));
        long bytes = StateWriter.write(cut, new FileWindow(-300_000_000, 0), disk, "w.state", 1);
        try (StateFile file = StateFile.open(disk, "w.state")) {
            assertThat(file.window()).contains(new FileWindow(-300_000_000, 0));
            assertThat(file.bytes()).isEqualTo(bytes);
            assertThat(file.boundary(0)).isEqualTo(ClosedWindows.NO_BOUNDARY);
            assertThat(file.id()).isEqualTo(new FileId(3, 4, bytes));
        }
    }

    @Test
    void shouldKeepTheFilesThatAFileWasMadeFrom() throws Exception {
        FileWindow window = new FileWindow(5, 6, List.of(new FileId(7, 8, 9), new FileId(10, 11, 12)), List.of());
        BlockBuffer out = new BlockBuffer();
        LayoutCodec.put(out, window);
        assertThat(reader(out.array(), out.position()).getFileAttributes()).isEqualTo(window);
        BlockBuffer wrong = new BlockBuffer();
        wrong.putInt(2);
        wrong.putInt(StateFormat.WINDOW);
        wrong.putInt(16);
        wrong.putLong(5);
        wrong.putLong(6);
        wrong.putInt(StateFormat.MADE_FROM);
        wrong.putInt(8);
        wrong.putLong(7);
        assertThatThrownBy(() -> reader(wrong.array(), wrong.position()).getFileAttributes())
                .isInstanceOf(MalformedException.class);
    }

    @Test
    void shouldKeepTheNewestLateMessagesThatWereAdded() throws Exception {
        List<Long> stamps =
                LongStream.range(0, FileWindow.ADDED_MAX + 10L).boxed().toList();
        FileWindow window = new FileWindow(-300_000_000, 0, List.of(new FileId(7, 8, 9)), stamps);
        assertThat(window.added()).hasSize(FileWindow.ADDED_MAX).startsWith(10L);
        Cut cut = new Cut(3, 4, List.of(new SummaryView(layout(FIVE_MINUTES), List.of(), 0)));
        FileDisk disk = new FileDisk(folder);
        var unused = StateWriter.write(cut, window, disk, "w.state", 1);
        try (StateFile file = StateFile.open(disk, "w.state")) {
            assertThat(file.window()).contains(window);
        }
        BlockBuffer wrong = new BlockBuffer();
        LayoutCodec.put(wrong, new FileWindow(5, 6, List.of(), List.of(7L)));
        wrong.array()[wrong.position() - 2 * Long.BYTES + 3 + 4] = 7; // the length of the attribute
        assertThatThrownBy(() -> reader(wrong.array(), wrong.position()).getFileAttributes())
                .isInstanceOf(MalformedException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void shouldRefuseAMalformedWindowOfAFile(int how) {
        BlockBuffer out = new BlockBuffer();
        out.putInt(how == 1 ? 2 : 1);
        for (int i = 0; i <= how % 2; i++) {
            out.putInt(StateFormat.WINDOW);
            out.putInt(how == 2 ? 8 : 16);
            out.putLong(5);
            out.putLong(how == 0 ? 5 : 6);
        }
        assertThatThrownBy(() -> reader(out.array(), out.position()).getFileAttributes())
                .isInstanceOf(MalformedException.class);
    }

    /** The least boundary stays, in any order: in the file that has it, the windows after it may be open. */
    @Test
    void shouldKeepTheLeastBoundaryOfAllFiles() throws Exception {
        Path five = save("5.state", 5);
        Path nine = save("9.state", 9);
        Path none = save("none.state", ClosedWindows.NO_BOUNDARY);
        assertThat(boundaryOf(five)).isEqualTo(5);
        assertThat(boundaryOf(five, nine)).isEqualTo(5);
        assertThat(boundaryOf(nine, five)).isEqualTo(5);
        assertThat(boundaryOf(nine, none, five)).isEqualTo(ClosedWindows.NO_BOUNDARY);
        Summaries united = States.empty(List.of(layout(FIVE_MINUTES)));
        States.load(five, united);
        united.closeBefore(0, 8);
        Path again = States.save(united, folder.resolve("again.state"));
        assertThat(boundaryOf(again, nine)).isEqualTo(8);
    }

    private Path save(String name, long boundary) throws Exception {
        Summaries state = States.empty(List.of(layout(FIVE_MINUTES)));
        state.closeBefore(0, boundary);
        return States.save(state, folder.resolve(name));
    }

    private long boundaryOf(Path... files) throws Exception {
        Summaries united = States.empty(List.of(layout(FIVE_MINUTES)));
        for (Path file : files) {
            States.load(file, united);
        }
        assertThat(united.freeze(1, 1).summaries().get(0).closed().boundary()).isEqualTo(united.boundary(0));
        return united.boundary(0);
    }
}
