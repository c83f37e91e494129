package io.summarizer.core.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.summarizer.core.ledger.ProgramCounts;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.receive.EnvelopeParser;
import io.summarizer.core.receive.TopicRule;
import io.summarizer.core.route.TopicPattern;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.KeyBuffer;
import io.summarizer.core.store.KeyLayout;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.RowCode;
import io.summarizer.core.store.RowCursor;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLimit;
import io.summarizer.core.store.SummaryView;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.store.TableRowCode;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.core.window.WindowInput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Definitions for tests: messages {@code KEY VALUE} of any topic, counted in each summary, with the sum of their values
 * times a factor, by key. So the numbers of a row tell its messages, and the definitions that processed them.
 * Summaries with windows take messages {@code KEY VALUE TIME}, with a time in µs or {@code -}.
 */
public final class SumPlan implements Plan {
    private static final List<String> LINE_ENDS = List.of("", "\n", "\r\n");
    private static final EnvelopeParser PARSER = new EnvelopeParser(TopicRule.MSGID);

    private final long factor;
    private final List<SummaryLayout> layouts;

    /** A plan with these summaries, all alike. */
    public SumPlan(long factor, List<String> summaries) {
        this(summaries.stream().map(SumPlan::layout).toList(), factor);
    }

    private SumPlan(List<SummaryLayout> layouts, long factor) {
        this.factor = factor;
        this.layouts = layouts;
    }

    /**
     * A plan with these summaries, each of which has a key of whole numbers, a count {@code n} and a sum {@code s}.
     * Summaries that take overflow are the last ones.
     */
    public static SumPlan of(long factor, List<SummaryLayout> layouts) {
        return new SumPlan(List.copyOf(layouts), factor);
    }

    /** A summary like the others, with a window {@code w}. */
    public static SummaryLayout windowed(String name, SummaryWindow window, SummaryLimit limit) {
        SummaryLayout plain = layout(name);
        List<SummaryLayout.KeyColumn> keys = new ArrayList<>(plain.keys());
        keys.add(window.column(), new SummaryLayout.KeyColumn("w", 2, KeyType.TIMESTAMP));
        return new SummaryLayout(name, 0, keys, plain.values(), List.of(), limit, window);
    }

    private static SummaryLayout layout(String name) {
        return new SummaryLayout(
                name,
                0,
                List.of(new SummaryLayout.KeyColumn("k", 1, KeyType.INT64)),
                List.of(
                        new SummaryLayout.ValueColumn("n", 1, AggregateType.COUNT, 0, 0),
                        new SummaryLayout.ValueColumn("s", 2, AggregateType.SUMINT64, 0, 0)),
                List.of());
    }

    /** Appends a message as a listener would, with any line end, or none. */
    public static void add(MessageBatch batch, String topic, long key, long value) {
        append(batch, topic, key + " " + value + LINE_ENDS.get((int) (value % LINE_ENDS.size())));
    }

    /** Appends a message with a time in µs, or without one. */
    public static void add(MessageBatch batch, String topic, long key, long value, @Nullable Long time) {
        append(batch, topic, key + " " + value + " " + (time == null ? "-" : time));
    }

    /** Appends a message that is refused. */
    static void addBad(MessageBatch batch, String topic) {
        append(batch, topic, "none");
    }

    /** Appends a message that is a fault of the program, after a part of its update was written. */
    static void addFaulty(MessageBatch batch, String topic, long key) {
        append(batch, topic, key + " fault");
    }

    private static void append(MessageBatch batch, String topic, String payload) {
        byte[] text = ("<134>1 - host app - " + topic + " - " + payload).getBytes(UTF_8);
        int offset = batch.limit();
        batch.ensureCapacity(offset + text.length);
        System.arraycopy(text, 0, batch.bytes(), offset, text.length);
        batch.limit(offset + text.length);
        PARSER.parse(batch, batch.append(offset, text.length));
    }

    /** By summary and key, the number of messages and their sum. */
    public static Map<String, Map<Long, Sum>> sums(Cut cut) {
        Map<String, Map<Long, Sum>> sums = new TreeMap<>();
        for (SummaryView summary : cut.summaries()) {
            Map<Long, Sum> rows = new TreeMap<>();
            int count = column(summary.layout(), "n");
            int sum = column(summary.layout(), "s");
            for (StoreView partition : summary.partitions()) {
                RowCursor cursor = partition.cursor();
                while (cursor.next()) {
                    rows.put(cursor.keyLong(0), new Sum(cursor.longValue(count), cursor.longValue(sum)));
                }
            }
            sums.put(summary.layout().name(), rows);
        }
        return sums;
    }

    private static int column(SummaryLayout layout, String name) {
        return layout.values().stream()
                .map(SummaryLayout.ValueColumn::name)
                .toList()
                .indexOf(name);
    }

    /** The rows of one summary; none when there is no such summary. */
    public static Map<Long, Sum> rows(Cut cut, String summary) {
        return sums(cut).getOrDefault(summary, Map.of());
    }

    /** A row. */
    public record Sum(long count, long sum) {
        /** A sum with one message more. */
        public static Sum plus(Sum a, Sum b) {
            return new Sum(a.count + b.count, a.sum + b.sum);
        }
    }

    @Override
    public List<SummaryLayout> summaries() {
        return layouts;
    }

    @Override
    public RowCode.Tree rowCode(int summary) {
        return TableRowCode.of(layouts.get(summary));
    }

    @Override
    public List<Event> events() {
        return List.of(new Event(
                "E",
                List.of(TopicPattern.of("#")),
                "text",
                layouts.stream()
                        .filter(layout -> !layout.isKeyless())
                        .map(layout -> new Mapping("E->" + layout.name(), layouts.indexOf(layout), List.of()))
                        .toList()));
    }

    @Override
    public EventProgram newProgram(int event) {
        int mapped =
                (int) layouts.stream().filter(layout -> !layout.isKeyless()).count();
        ProgramCounts counts = new ProgramCounts(mapped);
        KeyBuffer[] keys = layouts.stream()
                .map(layout -> new KeyBuffer(new KeyLayout(layout.keys())))
                .toArray(KeyBuffer[]::new);
        int[] count = layouts.stream().mapToInt(layout -> column(layout, "n")).toArray();
        int[] sum = layouts.stream().mapToInt(layout -> column(layout, "s")).toArray();
        @Nullable WindowInput[] windows = new WindowInput[layouts.size()];
        return new EventProgram() {
            @Override
            public void useWindows(IntFunction<@Nullable WindowInput> inputs) {
                Arrays.setAll(windows, inputs);
            }

            @Override
            public @Nullable String process(IMessage message, boolean[] active, UpdateRouter router) {
                String payload = new String(
                        message.bytes(),
                        message.offset(MessageBatch.PAYLOAD),
                        message.length(MessageBatch.PAYLOAD),
                        UTF_8);
                String[] words = payload.strip().split(" ");
                if (words.length < 2) {
                    return "no value";
                }
                for (int summary = 0; summary < mapped; summary++) {
                    KeyBuffer key = keys[summary];
                    key.reset();
                    SummaryWindow window = layouts.get(summary).window();
                    int column = window == null ? -1 : window.column();
                    key.setLong(column == 0 ? 1 : 0, Long.parseLong(words[0]));
                    WindowInput input = windows[summary];
                    if (input != null && words[2].equals("-")) {
                        key.setNull(column);
                    } else if (input != null) {
                        key.setLong(column, input.start(Long.parseLong(words[2]), message.arrivalStamp()));
                    }
                    UpdateBatch updates = router.batchFor(summary, key.hash());
                    updates.beginRow(summary, summary, key, key.hash(), message.arrivalStamp());
                    updates.addLong(count[summary], 1);
                    updates.addLong(sum[summary], factor * Long.parseLong(words[1]));
                    updates.endRow();
                    counts.countApplied(summary);
                }
                return null;
            }

            @Override
            public ProgramCounts counts() {
                return counts;
            }
        };
    }
}
