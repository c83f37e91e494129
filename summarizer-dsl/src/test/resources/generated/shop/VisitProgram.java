package io.summarizer.generated;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.ledger.NullReason;
import io.summarizer.core.ledger.NullSite;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.pipeline.UpdateRouter;
import io.summarizer.core.store.KeyBuffer;
import io.summarizer.core.store.KeyHash;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.core.window.WindowInput;
import io.summarizer.dsl.plan.EventPlan;
import io.summarizer.dsl.runtime.Builtins;
import io.summarizer.dsl.runtime.HashSequence;
import io.summarizer.dsl.runtime.MappingProgram;
import io.summarizer.dsl.runtime.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Applies the mappings of Visit to an event.
 */
public final class VisitProgram extends MappingProgram {
    private final VisitDecoder decoder;
    private static final int ROBOT_SLOT = 2;
    private final KeyBuffer wordsKey;
    private static final int PAGE_SLOT = 1;
    private static final int DURATION_MS_SLOT = 3;
    private static final int TS_SLOT = 0;
    private WindowInput visitToPagesWindows;
    private final HashSequence hashed = new HashSequence();

    public VisitProgram(EventPlan plan) {
        super(plan, nullSites());
        decoder = new VisitDecoder(plan.schema());
        wordsKey = keyBuffer(0, new int[] {});
    }

    @Override
    public String process(IMessage message, boolean[] active, UpdateRouter router) {
        String problem = decoder.decode(message, event);
        if (problem != null) {
            return problem;
        }
        start(message, router);
        identify();
        if (active[0]) {
            visitToWords();
        }
        if (active[1]) {
            visitToPages();
        }
        counts.countInvalidUtf8(event.repaired());
        return null;
    }

    // map Visit into Words where not robot
    private void visitToWords() {
        if (!(event.has(InputEvent.ROOT, ROBOT_SLOT) && (!(event.get(InputEvent.ROOT, ROBOT_SLOT) != 0L)))) {
            counts.countFiltered(0);
            return;
        }
        beginMapping();
        // key { word = page; origin = topic[0]; }
        int mark = event.scratchLimit();
        this.wordsKey.reset();
        long word = event.get(InputEvent.ROOT, PAGE_SLOT);
        boolean wordNull = !event.has(InputEvent.ROOT, PAGE_SLOT);
        if (wordNull) {
            this.wordsKey.setNull(0);
        } else {
            this.wordsKey.setString(0, event.stringBytes(word), InputEvent.stringOffset(word), InputEvent.stringLength(word));
        }
        long word2 = Builtins.topicWord(event, message, 0);
        if (event.wasRefused()) {
            nulls.count(0, NullReason.SPACE);
        }
        boolean originNull = word2 == InputEvent.NULL_STRING;
        if (originNull) {
            this.wordsKey.setNull(1);
        } else {
            this.wordsKey.setString(1, event.stringBytes(word2), InputEvent.stringOffset(word2), InputEvent.stringLength(word2));
        }
        event.releaseScratch(mark);
        long hash = this.wordsKey.hash();
        updates = router.batchFor(1, hash);
        guard(0);
        updates.beginRow(1, 2, this.wordsKey, hash, message.arrivalStamp());
        identifyRow(0);
        byte[] bytes = updates.reserve(28);
        int at = updates.limit();
        // seen += 1;
        Bytes.putShort(bytes, at, (short) 0);
        Bytes.putLong(bytes, at + 2, 1L);
        // duration_ms += duration_ms where duration_ms in (1, ts);
        long operand = event.get(InputEvent.ROOT, DURATION_MS_SLOT);
        boolean operandNull = !event.has(InputEvent.ROOT, DURATION_MS_SLOT);
        boolean found = false;
        boolean unknown = false;
        if (!found) {
            unknown = unknown || ((!(!operandNull && (operand == 1L))) && (!(!operandNull && (operand != 1L))));
            found = !operandNull && (operand == 1L);
        }
        if (!found) {
            unknown = unknown || ((!((!(operandNull || !event.has(InputEvent.ROOT, TS_SLOT))) && (operand == event.get(InputEvent.ROOT, TS_SLOT)))) && (!((!(operandNull || !event.has(InputEvent.ROOT, TS_SLOT))) && (operand != event.get(InputEvent.ROOT, TS_SLOT)))));
            found = (!(operandNull || !event.has(InputEvent.ROOT, TS_SLOT))) && (operand == event.get(InputEvent.ROOT, TS_SLOT));
        }
        at += 10;
        if (found) {
            if (event.has(InputEvent.ROOT, DURATION_MS_SLOT)) {
                Bytes.putShort(bytes, at, (short) 2);
                Bytes.putLong(bytes, at + 2, event.get(InputEvent.ROOT, DURATION_MS_SLOT));
                at += 10;
            }
        }
        updates.limit(at);
        updates.endRow();
        counts.countApplied(0);
    }

    // map Visit into Pages
    private void visitToPages() {
        beginMapping();
        // key { day = timestamp(ts); robot = robot; }
        long result = 0L;
        boolean resultNull = true;
        if (event.has(InputEvent.ROOT, TS_SLOT)) {
            long operand = event.get(InputEvent.ROOT, TS_SLOT);
            if (Numbers.multiplyOverflows(operand, 1000L)) {
                nulls.count(1, NullReason.RANGE);
            } else {
                result = operand * 1000L;
                resultNull = false;
            }
        }
        long day = resultNull ? 0L : this.visitToPagesWindows.start(result, message.arrivalStamp());
        boolean holds = event.has(InputEvent.ROOT, ROBOT_SLOT) && (event.get(InputEvent.ROOT, ROBOT_SLOT) != 0L);
        boolean fails = event.has(InputEvent.ROOT, ROBOT_SLOT) && (!(event.get(InputEvent.ROOT, ROBOT_SLOT) != 0L));
        boolean robotNull = !holds && !fails;
        long robot = robotNull ? 0L : (holds ? 1L : 0L);
        long key = (resultNull ? 1L : 0L) | (robotNull ? 2L : 0L) | day << 8;
        long key2 = day >>> 56 | robot << 8;
        long hash = KeyHash.start(10);
        hash = KeyHash.word(hash, key);
        hash = KeyHash.rest(hash, key2);
        hash = KeyHash.end(hash);
        updates = router.batchFor(2, hash);
        guard(1);
        updates.beginRow();
        byte[] bytes = updates.reserve(42);
        int at = updates.limit();
        Bytes.putInt(bytes, at + 4, 3 << 16 | 2);
        Bytes.putLong(bytes, at + 8, hash);
        Bytes.putLong(bytes, at + 16, message.arrivalStamp());
        Bytes.putLong(bytes, at + 24, key);
        Bytes.putLong(bytes, at + 32, key2);
        updates.limit(at + 34);
        identifyRow(1);
        byte[] bytes2 = updates.reserve(18);
        int at2 = updates.limit();
        // visits += 1;
        Bytes.putShort(bytes2, at2, (short) 0);
        Bytes.putLong(bytes2, at2 + 2, 1L);
        updates.limit(at2 + 10);
        updates.endRow();
        counts.countApplied(1);
    }

    // dedup by hash64(ts, page) within 10m
    private void identify() {
        this.hashed.reset();
        boolean complete = addHashed();
        long hash = complete ? this.hashed.hash() : 0L;
        boolean idNull = !complete;
        if (idNull) {
            noId();
        } else {
            idOfInt(hash);
        }
    }

    private boolean addHashed() {
        long value = event.get(InputEvent.ROOT, TS_SLOT);
        boolean valueNull = !event.has(InputEvent.ROOT, TS_SLOT);
        if (valueNull) {
            return false;
        }
        this.hashed.addInt(value);
        long value2 = event.get(InputEvent.ROOT, PAGE_SLOT);
        boolean value2Null = !event.has(InputEvent.ROOT, PAGE_SLOT);
        if (value2Null) {
            return false;
        }
        this.hashed.addString(event, value2);
        return true;
    }

    private static List<NullSite> nullSites() {
        List<NullSite> sites = new ArrayList<NullSite>();
        sites.add(new NullSite(0, "key origin = topic[0]", "shop.summ:124", NullSite.Evaluated.APPLIED));
        sites.add(new NullSite(1, "key day = timestamp(ts)", "shop.summ:130", NullSite.Evaluated.APPLIED));
        return sites;
    }

    @Override
    public void useWindows(IntFunction<WindowInput> inputs) {
        visitToPagesWindows = windowsOf(1, inputs);
    }
}
