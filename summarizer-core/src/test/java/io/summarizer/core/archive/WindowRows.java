package io.summarizer.core.archive;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.disk.FileDisk;
import io.summarizer.core.state.FileWindow;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.ClosedWindow;
import io.summarizer.core.store.ClosedWindows;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.KeyBuffer;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.ModelSummary;
import io.summarizer.core.store.Partitions;
import io.summarizer.core.store.Rows;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLimit;
import io.summarizer.core.store.SummaryStore;
import io.summarizer.core.store.SummaryView;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.store.TableRowCode;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.core.time.CalendarUnit;
import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A summary with windows and random rows, all in memory, and the same rows with some windows in files. For tests. */
public final class WindowRows {
    /** The width of the windows, which start at multiples of it. */
    public static final long MINUTE = 60_000_000;

    private final SummaryLayout layout;
    private final Summaries state;
    private long stamp = 1_000_000;

    /** No rows of this summary, whose overflow is kept, too. */
    public WindowRows(SummaryLayout layout) {
        this.layout = layout;
        List<SummaryLayout> layouts = List.of(layout, layout.overflow());
        state = new Summaries(layouts, layouts.stream().map(TableRowCode::of).toList(), Long.MAX_VALUE);
        for (int partition = 0; partition < Partitions.COUNT; partition++) {
            state.partition(0, partition).overflowInto(layout, state.partition(1, partition));
        }
    }

    /** A layout with windows of a minute, which takes {@code keys} keys in each window. */
    public static SummaryLayout layout(List<KeyColumn> keys, int window, SummaryLayout others, int limit) {
        return new SummaryLayout(
                others.name(),
                0,
                keys,
                others.values(),
                others.nested(),
                new SummaryLimit(limit, 0, SummaryLimit.Overflow.OTHER),
                new SummaryWindow(window, 1, CalendarUnit.MINUTE, ZoneOffset.UTC));
    }

    /** A random layout; nested summaries have field numbers. */
    public static SummaryLayout randomLayout(Random random) {
        SummaryLayout any = numbered(ModelSummary.randomLayout("s", 2, random));
        List<KeyColumn> keys = new ArrayList<>(any.keys());
        int window = random.nextInt(keys.size() + 1);
        keys.add(window, new KeyColumn("minute", 90, KeyType.TIMESTAMP));
        return layout(keys, window, any, 20);
    }

    private static SummaryLayout numbered(SummaryLayout layout) {
        List<SummaryLayout> nested = new ArrayList<>();
        for (SummaryLayout below : layout.nested()) {
            SummaryLayout inner = numbered(below);
            nested.add(
                    new SummaryLayout(inner.name(), 100 + nested.size(), inner.keys(), inner.values(), inner.nested()));
        }
        return new SummaryLayout(layout.name(), layout.number(), layout.keys(), layout.values(), nested);
    }

    /** Applies random updates to windows that start at multiples of a minute, from {@code first} on. */
    public void feed(int updates, long first, int windows, Random random) {
        UpdateBatch batch = new UpdateBatch(64 * 1024);
        for (int i = 0; i < updates; i++) {
            batch.clear();
            KeyBuffer key = key(layout, first + MINUTE * random.nextInt(windows), random);
            batch.beginRow(0, key, key.hash(), stamp++);
            observe(layout, batch, random);
            batch.endRow();
            long hash = Bytes.getLong(batch.bytes(), UpdateBatch.HASH_OFFSET);
            SummaryStore store = state.partition(0, Partitions.ALL.of(hash)).storeOf(batch.bytes(), 0);
            assert store != null;
            store.apply(batch.bytes(), 0);
        }
    }

    private KeyBuffer key(SummaryLayout of, long window, Random random) {
        @Nullable Object[] columns = new Object[of.keys().size()];
        for (int i = 0; i < columns.length; i++) {
            columns[i] = of.equals(layout) && i == windows().column()
                    ? (Object) window
                    : random.nextInt(6) == 0 ? null : value(of.keys().get(i).type(), random);
        }
        return Rows.key(of, columns);
    }

    private SummaryWindow windows() {
        SummaryWindow window = layout.window();
        assert window != null;
        return window;
    }

    private static Object value(KeyType type, Random random) {
        return switch (type) {
            case STRING ->
                List.of("", "a", "b\"", "a\u0000", "long, enough to matter").get(random.nextInt(5));
            case BOOL -> random.nextBoolean();
            case INT32, UINT32 -> (long) random.nextInt(4);
            default -> random.nextInt(4) == 0 ? Long.MIN_VALUE + random.nextInt(2) : (Object) (long) random.nextInt(4);
        };
    }

    /** Sums of doubles are exact in any order, sums of integers need 128 bits, and a few sets have registers. */
    private void observe(SummaryLayout of, UpdateBatch batch, Random random) {
        for (int column = 0; column < of.values().size(); column++) {
            AggregateType type = of.values().get(column).type();
            boolean large = type == AggregateType.MULTISET64 && random.nextInt(100) == 0;
            for (int i = large ? 3_000 : random.nextInt(3); i > 0; i--) {
                switch (type.operand()) {
                    case STRING -> Rows.addText(batch, column, "text" + random.nextInt(1_000));
                    case DOUBLE -> batch.addLong(column, Double.doubleToRawLongBits(random.nextInt(1_000) / 8.0 - 50));
                    default ->
                        batch.addLong(column, type == AggregateType.SUMINT32 ? random.nextInt() : number(type, random));
                }
            }
        }
        for (int nested = 0; nested < of.nested().size(); nested++) {
            for (int i = random.nextInt(3); i > 0; i--) {
                SummaryLayout below = of.nested().get(nested);
                KeyBuffer key = key(below, 0, random);
                batch.enter(nested, key, key.hash());
                observe(below, batch, random);
                batch.leave();
            }
        }
    }

    private static long number(AggregateType type, Random random) {
        return switch (type) {
            case MINTIMESTAMP, MAXTIMESTAMP -> random.nextInt();
            default -> random.nextLong();
        };
    }

    /** The rows: the summary, and its overflow. */
    public Summaries state() {
        return state;
    }

    /** All rows in memory: the summary, and its overflow. */
    public Cut inMemory() {
        return state.freeze(1, 1);
    }

    /** The starts of all windows. */
    public static Set<Long> starts(Cut cut) {
        return cut.summaries().stream()
                .flatMap(view -> view.partitions().stream())
                .map(StoreView::window)
                .collect(Collectors.toSet());
    }

    /** The same rows, with those of some windows in the files of a folder and not in memory. */
    public static Cut inFiles(Cut cut, WindowFolder folder, LongPredicate closed)
            throws IOException, InterruptedException {
        for (long start : starts(cut)) {
            if (closed.test(start)) {
                folder.write(cut, start, start + MINUTE);
            }
        }
        WindowList list = folder.current();
        List<SummaryView> views = new ArrayList<>();
        for (SummaryView view : cut.summaries()) {
            List<ClosedWindow> files = view.layout().isKeyless() ? list.overflow() : list.windows();
            List<StoreView> rest = view.partitions().stream()
                    .filter(rows -> !closed.test(rows.window()))
                    .toList();
            views.add(new SummaryView(
                    view.layout(), rest, view.updates(), new ClosedWindows(ClosedWindows.NO_BOUNDARY, files)));
        }
        return new Cut(cut.id(), cut.takenAtMicros(), views);
    }

    /** The folder of this layout in a folder of the file system. */
    public static WindowFolder folder(Path path, SummaryLayout layout, List<String> notes) throws IOException {
        return WindowFolder.open(new FileDisk(path), layout.name(), 2, notes::add);
    }

    /** A window of a minute. */
    static FileWindow window(long start) {
        return new FileWindow(start, start + MINUTE);
    }
}
