package io.summarizer.dsl.runtime;

import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.dedup.IdHash;
import io.summarizer.core.dedup.IdKey;
import io.summarizer.core.dedup.KeyWords;
import io.summarizer.core.ledger.NullSite;
import io.summarizer.core.ledger.ProgramCounts;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.pipeline.EventProgram;
import io.summarizer.core.pipeline.UpdateRouter;
import io.summarizer.core.receive.SyslogTime;
import io.summarizer.core.store.KeyBuffer;
import io.summarizer.core.store.KeyLayout;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLimit;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.core.store.ValueLimits;
import io.summarizer.core.window.WindowInput;
import io.summarizer.dsl.plan.EventPlan;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The base of the generated programs of event types. Holds the current message and the record that is being written.
 * Used by one parser worker. Allocates nothing per event, except in {@code extract}, and in {@code lower} and {@code
 * upper} of non-ASCII text.
 */
public abstract class MappingProgram extends Evaluator implements EventProgram {
    /**
     * Number of steps that all matches of {@code extract} for one event may take together, and number of bytes that its
     * loops may read. The bound on the steps of loops alone would allow an event of ordinary size to take minutes.
     */
    static final long EVENT_WORK = 40_000_000;
    /** Additional steps and bytes for each byte of the payload. */
    static final long EVENT_WORK_PER_BYTE = 16;

    protected final EventPlan plan;
    private final LoopSteps steps;
    private final List<ZoneId> zones;
    private final int year;

    /** For each mapping, the number of the table of ids that guards the mapping's records. */
    private final int[] tables;
    /** For each mapping, the object that mixes the key of a record into the hash in the record's guard. */
    private final KeyWords[] keyWords;

    private final IdHash ids = new IdHash(new IdKey(0, 0));
    /** Whether the current event is to be counted once, and has an id. */
    private boolean hasId;
    /** Whether the current mapping has written no record for this event yet. */
    private boolean first;

    /**
     * A buffer for keys with a bounded length.
     *
     * @param name the name of the summary
     * @param refused whether an oversized key is refused. Otherwise the updates of an oversized key go to the overflow
     */
    private record Key(KeyBuffer buffer, String name, boolean refused) {}

    private final List<Key> keys = new ArrayList<>();

    private int textBytesMax = Integer.MAX_VALUE;
    /** The first problem of the message; empty when there is none. */
    private String tooLong = "";

    /** The current message. */
    protected IMessage message;

    /** The destination of the message's updates. */
    protected UpdateRouter router;

    /** The batch of the open record. */
    protected UpdateBatch updates;

    /**
     * Makes a program for the mappings of {@code plan}; {@code sites} are those expressions of the program that may
     * fail.
     */
    @SuppressWarnings("NullAway.Init") // start is called before each evaluation, and a key is set before each update
    protected MappingProgram(EventPlan plan, List<NullSite> sites) {
        super(plan.mappings().size(), sites);
        this.plan = plan;
        steps = new LoopSteps(plan.mappings());
        zones = plan.schema().zones();
        year = plan.year();
        tables = plan.mappings().stream().mapToInt(EventPlan.MappingPlan::ids).toArray();
        keyWords = plan.mappings().stream()
                .map(mapping -> new KeyWords(mapping.summary().keys()))
                .toArray(KeyWords[]::new);
    }

    @Override
    public final ProgramCounts counts() {
        return counts;
    }

    /** The fields of the last event. */
    public final InputEvent event() {
        return event;
    }

    @Override
    public final void useIdKey(IdKey key) {
        ids.key(key);
    }

    @Override
    public final void useLimits(ValueLimits limits) {
        textBytesMax = limits.textBytes();
        for (Key key : keys) {
            String problem = "the key of " + key.name + " is longer than limits.key-bytes=" + limits.keyBytes();
            key.buffer.bound(limits.keyBytes(), key.refused ? () -> refuse(problem) : () -> {});
        }
    }

    /** The windows of the summary that mapping {@code mapping} updates. This summary must have windows. */
    protected final WindowInput windowsOf(int mapping, IntFunction<@Nullable WindowInput> inputs) {
        return Objects.requireNonNull(
                inputs.apply(plan.mappings().get(mapping).mapping().summary()), "a summary without its windows");
    }

    @Override
    public final String tooLong() {
        return tooLong;
    }

    private void refuse(String problem) {
        counts.tooLong++;
        if (tooLong.isEmpty()) {
            tooLong = problem;
        }
    }

    /** Adds a string of the event to a column of the open record; {@code name} is the name of the column. */
    protected final void addText(int column, long string, String name) {
        int length = InputEvent.stringLength(string);
        if (length > textBytesMax) {
            updates.addTooLong(column);
            refuse("the text of " + name + " is longer than limits.text-bytes=" + textBytesMax);
        } else {
            updates.addString(column, event.stringBytes(string), InputEvent.stringOffset(string), length);
        }
    }

    /** Starts a message. */
    protected final void start(IMessage message, UpdateRouter router) {
        if (!tooLong.isEmpty()) { // a write of a reference costs more than this comparison
            tooLong = "";
        }
        this.message = message;
        this.router = router;
        long work = EVENT_WORK + EVENT_WORK_PER_BYTE * message.length(MessageBatch.PAYLOAD);
        counts.extractSteps = work;
        counts.loopBytes = work;
    }

    /** Whether expressions became null because the last event took too much work. */
    public final boolean tookTooMuchWork() {
        return counts.extractSteps < 0 || counts.loopBytes < 0;
    }

    /** Sets that the current event has no id. */
    protected final void noId() {
        hasId = false;
        counts.countWithoutId(1);
    }

    /** Sets the id of the current event to a signed integer. */
    protected final void idOfInt(long id) {
        hasId = true;
        ids.ofInt(id);
    }

    /** Sets the id of the current event to an unsigned integer. */
    protected final void idOfUint(long id) {
        hasId = true;
        ids.ofUint(id);
    }

    /** Sets the id of the current event, a double. */
    protected final void idOfDouble(double id) {
        hasId = true;
        ids.ofDouble(id);
    }

    /** Sets the id of the current event, a time. */
    protected final void idOfTimestamp(long micros) {
        hasId = true;
        ids.ofTimestamp(micros);
    }

    /** Sets the id of the current event to a string in this event. */
    protected final void idOfText(long string) {
        hasId = true;
        ids.ofText(event.stringBytes(string), InputEvent.stringOffset(string), InputEvent.stringLength(string));
    }

    /** Starts a mapping whose records are guarded. */
    protected final void beginMapping() {
        first = true;
    }

    /** Puts a guard before the next record, if the event has an id. */
    protected final void guard(int mapping) {
        if (hasId) {
            updates.guard(tables[mapping], first, message.eventStamp());
            first = false;
        }
    }

    /** Completes the guard of the current record, after the key of the record was written. */
    protected final void identifyRow(int mapping) {
        if (hasId) {
            ids.beginRow();
            keyWords[mapping].addTo(ids, updates.bytes(), updates.row() + UpdateBatch.KEY_OFFSET);
            ids.endRow();
            updates.identify(ids.high(), ids.low());
        }
    }

    /** Whether the loops of the active mappings would take too many steps for the decoded event. */
    protected final boolean takesTooManySteps(IMessage message, boolean[] active) {
        return steps.exceeded(event, active, message.length(MessageBatch.PAYLOAD));
    }

    /** Year for times without a year, or {@link SyslogTime#NO_YEAR}. */
    protected final int year() {
        return year;
    }

    /** Zone for times of the current message without a zone. */
    protected final ZoneId zone() {
        return zones.get(Math.min(message.listener(), zones.size() - 1));
    }

    /**
     * A buffer for keys. The keys belong to the summary of mapping {@code mapping}, or to the summary nested in it
     * along {@code path}.
     */
    protected final KeyBuffer keyBuffer(int mapping, int[] path) {
        SummaryLayout layout = plan.mappings().get(mapping).summary();
        boolean kept = layout.limit().bytes() > 0 && layout.limit().overflow() == SummaryLimit.Overflow.OTHER;
        String name = layout.name();
        for (int nested : path) {
            layout = layout.nested().get(nested);
            name += "." + layout.name();
        }
        KeyBuffer key = new KeyBuffer(new KeyLayout(layout.keys()));
        if (key.layout().strings() > 0) {
            keys.add(new Key(key, name, !kept && layout.limit().overflow() != SummaryLimit.Overflow.OTHER));
        }
        return key;
    }

    /** Makes an object that tracks the open rows in records of mapping {@code mapping}. */
    protected final OpenRows openRows(int mapping) {
        return new OpenRows(plan.mappings().get(mapping).summary());
    }
}
