package io.summarizer.generated;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.decode.TextDecoder;
import io.summarizer.core.ledger.NullReason;
import io.summarizer.core.ledger.NullSite;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.pipeline.UpdateRouter;
import io.summarizer.core.store.KeyBuffer;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.dsl.plan.EventPlan;
import io.summarizer.dsl.runtime.Extraction;
import io.summarizer.dsl.runtime.MappingProgram;
import io.summarizer.dsl.runtime.Texts;
import java.util.ArrayList;
import java.util.List;

/**
 * Applies the mappings of Line to an event.
 */
public final class LineProgram extends MappingProgram {
    private final TextDecoder decoder;
    private final KeyBuffer wordsKey;
    private final Extraction extraction = new Extraction("(\\w+): (\\w+)", 2);
    private static final int TEXT_SLOT = 0;

    public LineProgram(EventPlan plan) {
        super(plan, nullSites());
        decoder = new TextDecoder(plan.schema());
        wordsKey = keyBuffer(0, new int[] {});
    }

    @Override
    public String process(IMessage message, boolean[] active, UpdateRouter router) {
        String problem = decoder.decode(message, event);
        if (problem != null) {
            return problem;
        }
        start(message, router);
        if (active[0]) {
            lineToWords();
        }
        counts.countInvalidUtf8(event.repaired());
        return null;
    }

    // map Line into Words
    private void lineToWords() {
        // key { word = extract(text, "(\\w+): (\\w+)", 2); origin = null; }
        int mark = event.scratchLimit();
        this.wordsKey.reset();
        long operand = event.get(InputEvent.ROOT, TEXT_SLOT);
        boolean operandNull = !event.has(InputEvent.ROOT, TEXT_SLOT);
        long extracted = operandNull ? InputEvent.NULL_STRING : this.extraction.find(event, counts, operand);
        if (event.wasRefused()) {
            nulls.count(0, NullReason.SPACE);
        }
        boolean wordNull = extracted == InputEvent.NULL_STRING;
        if (wordNull) {
            this.wordsKey.setNull(0);
        } else {
            this.wordsKey.setString(0, event.stringBytes(extracted), InputEvent.stringOffset(extracted), InputEvent.stringLength(extracted));
        }
        this.wordsKey.setNull(1);
        event.releaseScratch(mark);
        long hash = this.wordsKey.hash();
        updates = router.batchFor(1, hash);
        updates.beginRow(1, 4, this.wordsKey, hash, message.arrivalStamp());
        byte[] bytes = updates.reserve(28);
        int at = updates.limit();
        // seen += 1;
        Bytes.putShort(bytes, at, (short) 0);
        Bytes.putLong(bytes, at + 2, 1L);
        // longest += len(text);
        long text = event.get(InputEvent.ROOT, TEXT_SLOT);
        boolean textNull = !event.has(InputEvent.ROOT, TEXT_SLOT);
        long result = textNull ? 0L : Texts.length(event, text);
        at += 10;
        if (!textNull) {
            Bytes.putShort(bytes, at, (short) 1);
            Bytes.putLong(bytes, at + 2, result);
            at += 10;
        }
        updates.limit(at);
        updates.endRow();
        counts.countApplied(0);
    }

    private static List<NullSite> nullSites() {
        List<NullSite> sites = new ArrayList<NullSite>();
        sites.add(new NullSite(0, "key word = extract(text, \"(\\\\w+): (\\\\w+)\", 2)", "shop.summ:135", NullSite.Evaluated.APPLIED));
        return sites;
    }
}
