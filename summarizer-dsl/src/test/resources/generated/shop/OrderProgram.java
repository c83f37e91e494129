package io.summarizer.generated;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.ledger.NullReason;
import io.summarizer.core.ledger.NullSite;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.pipeline.UpdateRouter;
import io.summarizer.core.store.KeyBuffer;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.core.time.CalendarUnit;
import io.summarizer.core.time.Windows;
import io.summarizer.core.window.WindowInput;
import io.summarizer.dsl.plan.EventPlan;
import io.summarizer.dsl.runtime.Builtins;
import io.summarizer.dsl.runtime.Conversions;
import io.summarizer.dsl.runtime.HashSequence;
import io.summarizer.dsl.runtime.Hashes;
import io.summarizer.dsl.runtime.LoopSteps;
import io.summarizer.dsl.runtime.MappingProgram;
import io.summarizer.dsl.runtime.Numbers;
import io.summarizer.dsl.runtime.OpenRows;
import io.summarizer.dsl.runtime.Texts;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Applies the mappings of Order to an event.
 */
public final class OrderProgram extends MappingProgram {
    private final OrderDecoder decoder;
    private static final int STATUS_SLOT = 1;
    private static final byte[] TEXT = Texts.literal("REFUNDED");
    private static final int CARD_SLOT = 2;
    private static final int GIFT_SLOT = 3;
    private final KeyBuffer customersKey;
    private static final int STORE_SLOT = 4;
    private static final int TIME_SLOT = 5;
    private WindowInput orderToCustomersWindows;
    private final OpenRows orderToCustomersOpenRows;
    private static final int DISCOUNT_SLOT = 6;
    private static final int ITEMS_SLOT = 7;
    private static final int POINTS_SLOT = 8;
    private final Windows windows = new Windows(1L, CalendarUnit.DAY, ZoneId.of("Europe/Berlin"));
    private final long[] parts = new long[3];
    private static final byte[] TEXT2 = Texts.literal("-");
    private static final int ID_SLOT = 0;
    private final HashSequence hashed = new HashSequence();
    private static final byte[] TEXT3 = Texts.literal("web");
    private static final byte[] TEXT4 = Texts.literal("app");
    private static final int QUANTITY_SLOT = 0;
    private static final int PRICE_SLOT = 2;
    private final KeyBuffer byItemKey;
    private static final int SKU_SLOT = 1;
    private static final int TAGS_SLOT = 3;
    private final KeyBuffer byTagKey;
    private static final int ELEMENT_SLOT = 0;
    private static final int FEES_SLOT = 9;
    private static final int ELEMENT_SLOT2 = 1;
    private final KeyBuffer wordsKey;
    private static final int ADDRESSES_SLOT = 10;
    private final KeyBuffer wordsKey2;
    private static final int CITY_SLOT = 1;
    private static final int COUNTRY_SLOT = 2;
    private static final byte[] TEXT5 = Texts.literal("DE");

    public OrderProgram(EventPlan plan) {
        super(plan, nullSites());
        decoder = new OrderDecoder(plan.schema());
        customersKey = keyBuffer(0, new int[] {});
        orderToCustomersOpenRows = openRows(0);
        byItemKey = keyBuffer(0, new int[] {0});
        byTagKey = keyBuffer(0, new int[] {0, 0});
        wordsKey = keyBuffer(1, new int[] {});
        wordsKey2 = keyBuffer(1, new int[] {});
    }

    @Override
    public String process(IMessage message, boolean[] active, UpdateRouter router) {
        String problem = decoder.decode(message, event);
        if (problem != null) {
            return problem;
        }
        if (takesTooManySteps(message, active)) {
            return LoopSteps.TOO_MANY;
        }
        start(message, router);
        identify();
        if (active[0]) {
            orderToCustomers();
        }
        if (active[1]) {
            orderToWords();
        }
        counts.countInvalidUtf8(event.repaired());
        return null;
    }

    // map Order into Customers where not (status == "REFUNDED") and (has(card) or coalesce(gift, false))
    private void orderToCustomers() {
        int mark = event.scratchLimit();
        int truth = condition();
        boolean holds = truth == 1;
        if (event.wasRefused()) {
            nulls.count(0, NullReason.SPACE);
        }
        event.releaseScratch(mark);
        if (!holds) {
            counts.countFiltered(0);
            return;
        }
        beginMapping();
        // key { status = status; gift = gift == true; store = store; hour = time; }
        this.customersKey.reset();
        long status = event.get(InputEvent.ROOT, STATUS_SLOT);
        boolean statusNull = !event.has(InputEvent.ROOT, STATUS_SLOT);
        if (statusNull) {
            this.customersKey.setNull(0);
        } else {
            this.customersKey.setString(0, event.stringBytes(status), InputEvent.stringOffset(status), InputEvent.stringLength(status));
        }
        boolean holds2 = event.has(InputEvent.ROOT, GIFT_SLOT) && (event.get(InputEvent.ROOT, GIFT_SLOT) != 0L);
        boolean fails = event.has(InputEvent.ROOT, GIFT_SLOT) && (!(event.get(InputEvent.ROOT, GIFT_SLOT) != 0L));
        boolean holds3 = (!(!holds2 && !fails)) && ((holds2 ? 1L : 0L) == (true ? 1L : 0L));
        boolean fails2 = (!(!holds2 && !fails)) && ((holds2 ? 1L : 0L) != (true ? 1L : 0L));
        long gift = holds3 ? 1L : 0L;
        boolean giftNull = !holds3 && !fails2;
        if (giftNull) {
            this.customersKey.setNull(1);
        } else {
            this.customersKey.setLong(1, gift);
        }
        long result = 0L;
        boolean resultNull = true;
        if (event.has(InputEvent.ROOT, STORE_SLOT)) {
            long operand = event.get(InputEvent.ROOT, STORE_SLOT);
            if ((operand < 0L) || (operand > 0xffffffffL)) {
                nulls.count(1, NullReason.RANGE);
            } else {
                result = operand;
                resultNull = false;
            }
        }
        if (resultNull) {
            this.customersKey.setNull(2);
        } else {
            this.customersKey.setLong(2, result);
        }
        long hour = event.get(InputEvent.ROOT, TIME_SLOT);
        boolean hourNull = !event.has(InputEvent.ROOT, TIME_SLOT);
        if (hourNull) {
            this.customersKey.setNull(3);
        } else {
            this.customersKey.setLong(3, this.orderToCustomersWindows.start(hour, message.arrivalStamp()));
        }
        long hash = this.customersKey.hash();
        updates = router.batchFor(0, hash);
        guard(0);
        updates.beginRow(0, 0, this.customersKey, hash, message.arrivalStamp());
        identifyRow(0);
        this.orderToCustomersOpenRows.begin();
        orderToCustomersPart();
        orderToCustomersPart2();
        orderToCustomersPart3();
        orderToCustomersPart4();
        orderToCustomersPart5();
        orderToCustomersPart6();
        orderToCustomersPart7();
        updates.endRow();
        counts.countApplied(0);
    }

    private int condition() {
        long text = event.get(InputEvent.ROOT, STATUS_SLOT);
        boolean textNull = !event.has(InputEvent.ROOT, STATUS_SLOT);
        boolean holds4 = !textNull && !Texts.equal(event, text, TEXT);
        boolean fails4 = !textNull && Texts.equal(event, text, TEXT);
        boolean holds5 = false;
        boolean fails5 = fails4;
        if (!fails5) {
            boolean holds2 = !event.has(InputEvent.ROOT, CARD_SLOT);
            boolean fails2 = event.has(InputEvent.ROOT, CARD_SLOT);
            boolean holds3 = false;
            boolean fails3 = fails2;
            if (!fails3) {
                boolean holds = false;
                boolean fails = false;
                holds = event.has(InputEvent.ROOT, GIFT_SLOT) && (event.get(InputEvent.ROOT, GIFT_SLOT) != 0L);
                fails = event.has(InputEvent.ROOT, GIFT_SLOT) && (!(event.get(InputEvent.ROOT, GIFT_SLOT) != 0L));
                if (!holds && !fails) {
                    holds = false;
                    fails = true;
                }
                holds3 = holds2 && fails;
                fails3 = holds;
            }
            holds5 = holds4 && fails3;
            fails5 = holds3;
        }
        return holds5 ? 1 : fails5 ? 0 : 2;
    }

    private void orderToCustomersPart() {
        byte[] bytes = updates.reserve(38);
        int at = updates.limit();
        // orders += 1;
        Bytes.putShort(bytes, at, (short) 0);
        Bytes.putLong(bytes, at + 2, 1L);
        // discounts += 1.5 * discount where discount > 0.25;
        boolean holds = event.has(InputEvent.ROOT, DISCOUNT_SLOT) && ((Double.longBitsToDouble(event.get(InputEvent.ROOT, DISCOUNT_SLOT))) > 0.25);
        boolean fails = event.has(InputEvent.ROOT, DISCOUNT_SLOT) && ((Double.longBitsToDouble(event.get(InputEvent.ROOT, DISCOUNT_SLOT))) <= 0.25);
        at += 10;
        if (holds) {
            double result = 0.0;
            boolean resultNull = true;
            if (event.has(InputEvent.ROOT, DISCOUNT_SLOT)) {
                double operand = Double.longBitsToDouble(event.get(InputEvent.ROOT, DISCOUNT_SLOT));
                if (!Double.isFinite(1.5 * operand)) {
                    nulls.count(2, NullReason.RANGE);
                } else {
                    result = 1.5 * operand;
                    resultNull = false;
                }
            }
            nulls.evaluated[2]++;
            if (!resultNull) {
                Bytes.putShort(bytes, at, (short) 1);
                Bytes.putLong(bytes, at + 2, Double.doubleToRawLongBits(result));
                at += 10;
            }
        }
        // rough += discount / 3;
        double result2 = 0.0;
        boolean result2Null = true;
        if (event.has(InputEvent.ROOT, DISCOUNT_SLOT)) {
            double operand2 = Double.longBitsToDouble(event.get(InputEvent.ROOT, DISCOUNT_SLOT));
            double operand3 = (double) 3L;
            if (!Double.isFinite(operand2 / operand3)) {
                nulls.count(3, operand3 == 0.0 ? NullReason.DIVISION : NullReason.RANGE);
            } else {
                result2 = operand2 / operand3;
                result2Null = false;
            }
        }
        if (!result2Null) {
            Bytes.putShort(bytes, at, (short) 2);
            Bytes.putLong(bytes, at + 2, Double.doubleToRawLongBits(result2));
            at += 10;
        }
        updates.limit(at);
    }

    private void orderToCustomersPart2() {
        byte[] bytes = updates.reserve(38);
        int at = updates.limit();
        // fees += if(gift, 0, 1.25);
        long chosen = 0L;
        boolean chosenNull = false;
        if (event.has(InputEvent.ROOT, GIFT_SLOT) && (event.get(InputEvent.ROOT, GIFT_SLOT) != 0L)) {
            chosen = Numbers.toMicros(0L);
            chosenNull = false;
        } else {
            chosen = 1250000L;
            chosenNull = false;
        }
        long result = 0L;
        boolean resultNull = true;
        if (!chosenNull) {
            if (chosen == Numbers.NO_AMOUNT) {
                nulls.count(4, NullReason.RANGE);
            } else {
                result = chosen;
                resultNull = false;
            }
        }
        if (!resultNull) {
            Bytes.putShort(bytes, at, (short) 3);
            Bytes.putLong(bytes, at + 2, result);
            at += 10;
        }
        // fewest += len(items);
        if (event.has(InputEvent.ROOT, ITEMS_SLOT)) {
            Bytes.putShort(bytes, at, (short) 4);
            Bytes.putLong(bytes, at + 2, (long) InputEvent.listLength(event.get(InputEvent.ROOT, ITEMS_SLOT)));
            at += 10;
        }
        // most += points;
        if (event.has(InputEvent.ROOT, POINTS_SLOT)) {
            Bytes.putShort(bytes, at, (short) 5);
            Bytes.putLong(bytes, at + 2, event.get(InputEvent.ROOT, POINTS_SLOT));
            at += 10;
        }
        updates.limit(at);
    }

    private void orderToCustomersPart3() {
        byte[] bytes = updates.reserve(48);
        int at = updates.limit();
        // cheapest += double(card);
        long text = event.get(InputEvent.ROOT, CARD_SLOT);
        boolean textNull = !event.has(InputEvent.ROOT, CARD_SLOT);
        double read = 0.0;
        boolean readNull = true;
        if (!textNull) {
            if (scan(text) && !Double.isInfinite(decimal.toDouble())) {
                read = decimal.toDouble();
                readNull = false;
            } else {
                nulls.unreadable(5, event, text);
            }
        }
        if (!readNull) {
            Bytes.putShort(bytes, at, (short) 6);
            Bytes.putLong(bytes, at + 2, Double.doubleToRawLongBits(read));
            at += 10;
        }
        // dearest += discount;
        if (event.has(InputEvent.ROOT, DISCOUNT_SLOT)) {
            Bytes.putShort(bytes, at, (short) 7);
            Bytes.putLong(bytes, at + 2, Double.doubleToRawLongBits(Double.longBitsToDouble(event.get(InputEvent.ROOT, DISCOUNT_SLOT))));
            at += 10;
        }
        // first_at += bucket(time, 1d, "Europe/Berlin");
        long result = 0L;
        boolean resultNull = true;
        if (event.has(InputEvent.ROOT, TIME_SLOT)) {
            long operand = this.windows.start(event.get(InputEvent.ROOT, TIME_SLOT));
            if (operand == Windows.NO_START) {
                nulls.count(6, NullReason.RANGE);
            } else {
                result = operand;
                resultNull = false;
            }
        }
        if (!resultNull) {
            Bytes.putShort(bytes, at, (short) 8);
            Bytes.putLong(bytes, at + 2, result);
            at += 10;
        }
        // last_at += time + 5000ms;
        long result2 = 0L;
        boolean result2Null = true;
        if (event.has(InputEvent.ROOT, TIME_SLOT)) {
            long operand2 = event.get(InputEvent.ROOT, TIME_SLOT);
            if (Numbers.addOverflows(operand2, 5000000L)) {
                nulls.count(7, NullReason.RANGE);
            } else {
                result2 = operand2 + 5000000L;
                result2Null = false;
            }
        }
        if (!result2Null) {
            Bytes.putShort(bytes, at, (short) 9);
            Bytes.putLong(bytes, at + 2, result2);
            at += 10;
        }
        updates.limit(at);
    }

    private void orderToCustomersPart4() {
        // first_card += lower(card);
        int mark = event.scratchLimit();
        long operand = event.get(InputEvent.ROOT, CARD_SLOT);
        boolean operandNull = !event.has(InputEvent.ROOT, CARD_SLOT);
        long lower = operandNull ? InputEvent.NULL_STRING : Texts.lower(event, operand);
        if (event.wasRefused()) {
            nulls.count(8, NullReason.SPACE);
        }
        boolean stringNull = lower == InputEvent.NULL_STRING;
        if (!stringNull) {
            addText(10, lower, "Customers.first_card");
        }
        event.releaseScratch(mark);
        // last_card += concat(card, "-", string(id));
        int mark2 = event.scratchLimit();
        long concat = InputEvent.NULL_STRING;
        if (event.has(InputEvent.ROOT, CARD_SLOT)) {
            this.parts[0] = event.get(InputEvent.ROOT, CARD_SLOT);
            long literal = Texts.of(event, TEXT2);
            if (!(literal == InputEvent.NULL_STRING)) {
                this.parts[1] = literal;
                long operand2 = event.get(InputEvent.ROOT, ID_SLOT);
                boolean operand2Null = !event.has(InputEvent.ROOT, ID_SLOT);
                long string = operand2Null ? InputEvent.NULL_STRING : Conversions.uintText(event, operand2);
                if (!(string == InputEvent.NULL_STRING)) {
                    this.parts[2] = string;
                    concat = Texts.concat(event, this.parts);
                }
            }
        }
        if (event.wasRefused()) {
            nulls.count(9, NullReason.SPACE);
        }
        boolean stringNull2 = concat == InputEvent.NULL_STRING;
        if (!stringNull2) {
            addText(11, concat, "Customers.last_card");
        }
        event.releaseScratch(mark2);
        byte[] bytes = updates.reserve(18);
        int at = updates.limit();
        // first_id += id;
        long result = 0L;
        boolean resultNull = true;
        if (event.has(InputEvent.ROOT, ID_SLOT)) {
            long operand3 = event.get(InputEvent.ROOT, ID_SLOT);
            if (operand3 < 0L) {
                nulls.count(10, NullReason.RANGE);
            } else {
                result = operand3;
                resultNull = false;
            }
        }
        if (!resultNull) {
            Bytes.putShort(bytes, at, (short) 12);
            Bytes.putLong(bytes, at + 2, result);
            at += 10;
        }
        updates.limit(at);
    }

    private void orderToCustomersPart5() {
        byte[] bytes = updates.reserve(28);
        int at = updates.limit();
        // last_id += hash64(id, card);
        this.hashed.reset();
        boolean complete = addHashed();
        long hash = complete ? this.hashed.hash() : 0L;
        if (complete) {
            Bytes.putShort(bytes, at, (short) 13);
            Bytes.putLong(bytes, at + 2, hash);
            at += 10;
        }
        // ids += id;
        if (event.has(InputEvent.ROOT, ID_SLOT)) {
            Bytes.putShort(bytes, at, (short) 14);
            Bytes.putLong(bytes, at + 2, Hashes.hash(event.get(InputEvent.ROOT, ID_SLOT)));
            at += 10;
        }
        updates.limit(at);
    }

    private boolean addHashed() {
        long value = event.get(InputEvent.ROOT, ID_SLOT);
        boolean valueNull = !event.has(InputEvent.ROOT, ID_SLOT);
        if (valueNull) {
            return false;
        }
        this.hashed.addUint(value);
        long value2 = event.get(InputEvent.ROOT, CARD_SLOT);
        boolean value2Null = !event.has(InputEvent.ROOT, CARD_SLOT);
        if (value2Null) {
            return false;
        }
        this.hashed.addString(event, value2);
        return true;
    }

    private void orderToCustomersPart6() {
        byte[] bytes = updates.reserve(18);
        int at = updates.limit();
        // cards += card where (topic[2] in ("web", "app")) or null;
        int mark = event.scratchLimit();
        long word = Builtins.topicWord(event, message, 2);
        boolean operandNull = word == InputEvent.NULL_STRING;
        boolean found = false;
        boolean unknown = false;
        if (!found) {
            unknown = unknown || ((!(!operandNull && Texts.equal(event, word, TEXT3))) && (!(!operandNull && !Texts.equal(event, word, TEXT3))));
            found = !operandNull && Texts.equal(event, word, TEXT3);
        }
        if (!found) {
            unknown = unknown || ((!(!operandNull && Texts.equal(event, word, TEXT4))) && (!(!operandNull && !Texts.equal(event, word, TEXT4))));
            found = !operandNull && Texts.equal(event, word, TEXT4);
        }
        if (event.wasRefused()) {
            nulls.count(11, NullReason.SPACE);
        }
        if (found) {
            long text = event.get(InputEvent.ROOT, CARD_SLOT);
            boolean textNull = !event.has(InputEvent.ROOT, CARD_SLOT);
            long result = textNull ? 0L : Hashes.hash(event, text);
            if (!textNull) {
                Bytes.putShort(bytes, at, (short) 15);
                Bytes.putLong(bytes, at + 2, result);
                at += 10;
            }
        }
        event.releaseScratch(mark);
        updates.limit(at);
    }

    private void orderToCustomersPart7() {
        // for i in items where i.quantity > 0
        if (event.has(InputEvent.ROOT, ITEMS_SLOT)) {
            long list = event.get(InputEvent.ROOT, ITEMS_SLOT);
            int item = InputEvent.listHead(list);
            for (int left = InputEvent.listLength(list); left > 0; left--) {
                if (event.has(item, QUANTITY_SLOT) && (event.get(item, QUANTITY_SLOT) > 0L)) {
                    // by_item[sku = i.sku, bulk = i.quantity >= 100] where i.price != 0
                    if (event.has(item, PRICE_SLOT) && (Numbers.compare(0L, Double.longBitsToDouble(event.get(item, PRICE_SLOT))) != 0)) {
                        this.orderToCustomersOpenRows.enter(updates);
                        this.byItemKey.reset();
                        long sku = event.get(item, SKU_SLOT);
                        boolean skuNull = !event.has(item, SKU_SLOT);
                        if (skuNull) {
                            this.byItemKey.setNull(0);
                        } else {
                            this.byItemKey.setString(0, event.stringBytes(sku), InputEvent.stringOffset(sku), InputEvent.stringLength(sku));
                        }
                        boolean holds = event.has(item, QUANTITY_SLOT) && (event.get(item, QUANTITY_SLOT) >= 100L);
                        boolean fails = event.has(item, QUANTITY_SLOT) && (event.get(item, QUANTITY_SLOT) < 100L);
                        long bulk = holds ? 1L : 0L;
                        boolean bulkNull = !holds && !fails;
                        if (bulkNull) {
                            this.byItemKey.setNull(1);
                        } else {
                            this.byItemKey.setLong(1, bulk);
                        }
                        updates.enter(0, this.byItemKey, this.byItemKey.hash());
                        orderToCustomersPart8(item);
                        orderToCustomersPart9(item);
                        byte[] bytes = updates.reserve(10);
                        int at = updates.limit();
                        Bytes.putShort(bytes, at, (short) 32767);
                        updates.limit(at + 2);
                        this.orderToCustomersOpenRows.leave();
                    }
                }
                if (updates.rowBytes() > OpenRows.RECORD_BYTES) {
                    updates = this.orderToCustomersOpenRows.reopen(updates, router);
                }
                item = event.next(item);
            }
        }
    }

    private void orderToCustomersPart8(int item) {
        byte[] bytes = updates.reserve(28);
        int at = updates.limit();
        // pieces += i.quantity;
        if (event.has(item, QUANTITY_SLOT)) {
            Bytes.putShort(bytes, at, (short) 0);
            Bytes.putLong(bytes, at + 2, event.get(item, QUANTITY_SLOT));
            at += 10;
        }
        // buyers += id;
        if (event.has(InputEvent.ROOT, ID_SLOT)) {
            Bytes.putShort(bytes, at, (short) 1);
            Bytes.putLong(bytes, at + 2, Hashes.hash(event.get(InputEvent.ROOT, ID_SLOT)));
            at += 10;
        }
        updates.limit(at);
        // last_tag += substr(i.sku, 1, 4);
        int mark = event.scratchLimit();
        long substr = InputEvent.NULL_STRING;
        long text = event.get(item, SKU_SLOT);
        boolean textNull = !event.has(item, SKU_SLOT);
        if (!textNull) {
            substr = affordPart(text, 1L, 4L, 12);
        }
        if (event.wasRefused()) {
            nulls.count(12, NullReason.SPACE);
        }
        nulls.evaluated[12]++;
        boolean stringNull = substr == InputEvent.NULL_STRING;
        if (!stringNull) {
            addText(2, substr, "by_item.last_tag");
        }
        event.releaseScratch(mark);
    }

    private void orderToCustomersPart9(int item) {
        // for t in i.tags
        if (event.has(item, TAGS_SLOT)) {
            long list = event.get(item, TAGS_SLOT);
            int tag = InputEvent.listHead(list);
            for (int left = InputEvent.listLength(list); left > 0; left--) {
                // by_tag[tag = upper(t)]
                int mark = event.scratchLimit();
                this.byTagKey.reset();
                long text = event.get(tag, ELEMENT_SLOT);
                boolean textNull = !event.has(tag, ELEMENT_SLOT);
                long read = textNull ? InputEvent.NULL_STRING : afford(text, 13);
                boolean operandNull = read == InputEvent.NULL_STRING;
                long upper = operandNull ? InputEvent.NULL_STRING : Texts.upper(event, read);
                if (event.wasRefused()) {
                    nulls.count(13, NullReason.SPACE);
                }
                nulls.evaluated[13]++;
                boolean tagNull = upper == InputEvent.NULL_STRING;
                if (tagNull) {
                    this.byTagKey.setNull(0);
                } else {
                    this.byTagKey.setString(0, event.stringBytes(upper), InputEvent.stringOffset(upper), InputEvent.stringLength(upper));
                }
                event.releaseScratch(mark);
                updates.enter(0, this.byTagKey, this.byTagKey.hash());
                byte[] bytes = updates.reserve(20);
                int at = updates.limit();
                // tags += 1;
                Bytes.putShort(bytes, at, (short) 0);
                Bytes.putLong(bytes, at + 2, 1L);
                Bytes.putShort(bytes, at + 10, (short) 32767);
                updates.limit(at + 12);
                if (updates.rowBytes() > OpenRows.RECORD_BYTES) {
                    updates = this.orderToCustomersOpenRows.reopen(updates, router);
                }
                tag = event.next(tag);
            }
        }
    }

    // map Order into Words
    private void orderToWords() {
        beginMapping();
        orderToWordsPart();
        orderToWordsPart2();
        counts.countApplied(1);
    }

    private void orderToWordsPart() {
        // for name, fee in fees where fee > 0
        if (event.has(InputEvent.ROOT, FEES_SLOT)) {
            long list = event.get(InputEvent.ROOT, FEES_SLOT);
            int fee = InputEvent.listHead(list);
            for (int left = InputEvent.listLength(list); left > 0; left--) {
                if (event.has(fee, ELEMENT_SLOT2) && (Numbers.compare(0L, Double.longBitsToDouble(event.get(fee, ELEMENT_SLOT2))) < 0)) {
                    // key { word = name; origin = string(fee); }
                    int mark = event.scratchLimit();
                    this.wordsKey.reset();
                    long word = event.get(fee, ELEMENT_SLOT);
                    boolean wordNull = !event.has(fee, ELEMENT_SLOT);
                    if (wordNull) {
                        this.wordsKey.setNull(0);
                    } else {
                        this.wordsKey.setString(0, event.stringBytes(word), InputEvent.stringOffset(word), InputEvent.stringLength(word));
                    }
                    double operand = Double.longBitsToDouble(event.get(fee, ELEMENT_SLOT2));
                    boolean operandNull = !event.has(fee, ELEMENT_SLOT2);
                    long string = operandNull ? InputEvent.NULL_STRING : Conversions.doubleText(event, operand);
                    if (event.wasRefused()) {
                        nulls.count(14, NullReason.SPACE);
                    }
                    nulls.evaluated[14]++;
                    boolean originNull = string == InputEvent.NULL_STRING;
                    if (originNull) {
                        this.wordsKey.setNull(1);
                    } else {
                        this.wordsKey.setString(1, event.stringBytes(string), InputEvent.stringOffset(string), InputEvent.stringLength(string));
                    }
                    event.releaseScratch(mark);
                    long hash = this.wordsKey.hash();
                    updates = router.batchFor(1, hash);
                    guard(1);
                    updates.beginRow(1, 1, this.wordsKey, hash, message.arrivalStamp());
                    identifyRow(1);
                    byte[] bytes = updates.reserve(18);
                    int at = updates.limit();
                    // seen += 1;
                    Bytes.putShort(bytes, at, (short) 0);
                    Bytes.putLong(bytes, at + 2, 1L);
                    updates.limit(at + 10);
                    updates.endRow();
                }
                fee = event.next(fee);
            }
        }
    }

    private void orderToWordsPart2() {
        // for label, at in addresses
        if (event.has(InputEvent.ROOT, ADDRESSES_SLOT)) {
            long list = event.get(InputEvent.ROOT, ADDRESSES_SLOT);
            int addresse = InputEvent.listHead(list);
            for (int left = InputEvent.listLength(list); left > 0; left--) {
                // key { word = at.city; origin = label; }
                this.wordsKey2.reset();
                long word = event.get(addresse, CITY_SLOT);
                boolean wordNull = !event.has(addresse, CITY_SLOT);
                if (wordNull) {
                    this.wordsKey2.setNull(0);
                } else {
                    this.wordsKey2.setString(0, event.stringBytes(word), InputEvent.stringOffset(word), InputEvent.stringLength(word));
                }
                long origin = event.get(addresse, ELEMENT_SLOT);
                boolean originNull = !event.has(addresse, ELEMENT_SLOT);
                if (originNull) {
                    this.wordsKey2.setNull(1);
                } else {
                    this.wordsKey2.setString(1, event.stringBytes(origin), InputEvent.stringOffset(origin), InputEvent.stringLength(origin));
                }
                long hash = this.wordsKey2.hash();
                updates = router.batchFor(1, hash);
                guard(1);
                updates.beginRow(1, 1, this.wordsKey2, hash, message.arrivalStamp());
                identifyRow(1);
                byte[] bytes = updates.reserve(28);
                int at = updates.limit();
                // seen += 1 where at.country == "DE";
                int mark = event.scratchLimit();
                long text = event.get(addresse, COUNTRY_SLOT);
                boolean textNull = !event.has(addresse, COUNTRY_SLOT);
                if (event.wasRefused()) {
                    nulls.count(15, NullReason.SPACE);
                }
                nulls.evaluated[15]++;
                if (!textNull && Texts.equal(event, text, TEXT5)) {
                    Bytes.putShort(bytes, at, (short) 0);
                    Bytes.putLong(bytes, at + 2, 1L);
                    at += 10;
                }
                event.releaseScratch(mark);
                // longest += len(at.city);
                long text2 = event.get(addresse, CITY_SLOT);
                boolean text2Null = !event.has(addresse, CITY_SLOT);
                long read = text2Null ? InputEvent.NULL_STRING : afford(text2, 16);
                boolean textNull2 = read == InputEvent.NULL_STRING;
                long result = textNull2 ? 0L : Texts.length(event, read);
                nulls.evaluated[16]++;
                if (!textNull2) {
                    Bytes.putShort(bytes, at, (short) 1);
                    Bytes.putLong(bytes, at + 2, result);
                    at += 10;
                }
                updates.limit(at);
                updates.endRow();
                addresse = event.next(addresse);
            }
        }
    }

    // dedup by id within 1h
    private void identify() {
        long id = event.get(InputEvent.ROOT, ID_SLOT);
        boolean idNull = !event.has(InputEvent.ROOT, ID_SLOT);
        if (idNull) {
            noId();
        } else {
            idOfUint(id);
        }
    }

    private static List<NullSite> nullSites() {
        List<NullSite> sites = new ArrayList<NullSite>();
        sites.add(new NullSite(0, "where not (status == \"REFUNDED\") and (has(card) or coalesce(gift, false))", "shop.summ:76", NullSite.Evaluated.TAKEN));
        sites.add(new NullSite(0, "key store = store", "shop.summ:80", NullSite.Evaluated.APPLIED));
        sites.add(new NullSite(0, "discounts += 1.5 * discount", "shop.summ:84", NullSite.Evaluated.COUNTED));
        sites.add(new NullSite(0, "rough += discount / 3", "shop.summ:85", NullSite.Evaluated.APPLIED));
        sites.add(new NullSite(0, "fees += if(gift, 0, 1.25)", "shop.summ:86", NullSite.Evaluated.APPLIED));
        sites.add(new NullSite(0, "cheapest += double(card)", "shop.summ:89", NullSite.Evaluated.APPLIED));
        sites.add(new NullSite(0, "first_at += bucket(time, 1d, \"Europe/Berlin\")", "shop.summ:91", NullSite.Evaluated.APPLIED));
        sites.add(new NullSite(0, "last_at += time + 5000ms", "shop.summ:92", NullSite.Evaluated.APPLIED));
        sites.add(new NullSite(0, "first_card += lower(card)", "shop.summ:93", NullSite.Evaluated.APPLIED));
        sites.add(new NullSite(0, "last_card += concat(card, \"-\", string(id))", "shop.summ:94", NullSite.Evaluated.APPLIED));
        sites.add(new NullSite(0, "first_id += id", "shop.summ:95", NullSite.Evaluated.APPLIED));
        sites.add(new NullSite(0, "cards where (topic[2] in (\"web\", \"app\")) or null", "shop.summ:98", NullSite.Evaluated.APPLIED));
        sites.add(new NullSite(0, "by_item.last_tag += substr(i.sku, 1, 4)", "shop.summ:103", NullSite.Evaluated.COUNTED));
        sites.add(new NullSite(0, "by_tag[tag] = upper(t)", "shop.summ:105", NullSite.Evaluated.COUNTED));
        sites.add(new NullSite(1, "key origin = string(fee)", "shop.summ:113", NullSite.Evaluated.COUNTED));
        sites.add(new NullSite(1, "seen where at.country == \"DE\"", "shop.summ:118", NullSite.Evaluated.COUNTED));
        sites.add(new NullSite(1, "longest += len(at.city)", "shop.summ:119", NullSite.Evaluated.COUNTED));
        return sites;
    }

    @Override
    public void useWindows(IntFunction<WindowInput> inputs) {
        orderToCustomersWindows = windowsOf(0, inputs);
    }
}
