package io.summarizer.generated;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.ledger.NullReason;
import io.summarizer.core.ledger.NullSite;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.pipeline.UpdateRouter;
import io.summarizer.core.store.KeyHash;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.dsl.plan.EventPlan;
import io.summarizer.dsl.runtime.Hashes;
import io.summarizer.dsl.runtime.MappingProgram;
import io.summarizer.dsl.runtime.Numbers;
import java.util.ArrayList;
import java.util.List;

/**
 * Applies the mappings of Conversion to an event.
 */
public final class ConversionProgram extends MappingProgram {
    private final ConversionDecoder decoder;
    private static final int CAMPAIGN_ID_SLOT = 0;
    private static final int INVENTORY_ID_SLOT = 1;
    private static final int CREATIVE_ID_SLOT = 2;
    private static final int AUDIENCE_ATTRIBUTE_ID_SLOT = 3;
    private static final int MODEL_ID_SLOT = 4;
    private static final int TYPE_ID_SLOT = 5;
    private static final int USER_ID_SLOT = 6;
    private static final int REVENUE_MICROS_SLOT = 7;

    public ConversionProgram(EventPlan plan) {
        super(plan, nullSites());
        decoder = new ConversionDecoder(plan.schema());
    }

    @Override
    public String process(IMessage message, boolean[] active, UpdateRouter router) {
        String problem = decoder.decode(message, event);
        if (problem != null) {
            return problem;
        }
        start(message, router);
        if (active[0]) {
            conversionToCampaignDetails();
        }
        if (active[1]) {
            conversionToCampaigns();
        }
        counts.countInvalidUtf8(event.repaired());
        return null;
    }

    // map Conversion into CampaignDetails
    private void conversionToCampaignDetails() {
        // key { campaign_id = campaign_id; inventory_id = inventory_id; creative_id = creative_id; audience_attribute_id = audience_attribute_id; }
        boolean campaignIdNull = !event.has(InputEvent.ROOT, CAMPAIGN_ID_SLOT);
        long campaignId = campaignIdNull ? 0L : event.get(InputEvent.ROOT, CAMPAIGN_ID_SLOT);
        boolean inventoryIdNull = !event.has(InputEvent.ROOT, INVENTORY_ID_SLOT);
        long inventoryId = inventoryIdNull ? 0L : event.get(InputEvent.ROOT, INVENTORY_ID_SLOT);
        boolean creativeIdNull = !event.has(InputEvent.ROOT, CREATIVE_ID_SLOT);
        long creativeId = creativeIdNull ? 0L : event.get(InputEvent.ROOT, CREATIVE_ID_SLOT);
        boolean audienceAttributeIdNull = !event.has(InputEvent.ROOT, AUDIENCE_ATTRIBUTE_ID_SLOT);
        long audienceAttributeId = audienceAttributeIdNull ? 0L : event.get(InputEvent.ROOT, AUDIENCE_ATTRIBUTE_ID_SLOT);
        long key = (campaignIdNull ? 1L : 0L) | (inventoryIdNull ? 2L : 0L) | (creativeIdNull ? 4L : 0L) | (audienceAttributeIdNull ? 8L : 0L) | campaignId << 8;
        long key2 = campaignId >>> 56 | inventoryId << 8;
        long key3 = inventoryId >>> 56 | creativeId << 8;
        long key4 = creativeId >>> 56 | audienceAttributeId << 8;
        long key5 = audienceAttributeId >>> 56;
        long hash = KeyHash.start(33);
        hash = KeyHash.word(hash, key);
        hash = KeyHash.word(hash, key2);
        hash = KeyHash.word(hash, key3);
        hash = KeyHash.word(hash, key4);
        hash = KeyHash.rest(hash, key5);
        hash = KeyHash.end(hash);
        updates = router.batchFor(0, hash);
        updates.beginRow();
        byte[] bytes = updates.reserve(124);
        int at = updates.limit();
        Bytes.putInt(bytes, at + 4, 4 << 16 | 0);
        Bytes.putLong(bytes, at + 8, hash);
        Bytes.putLong(bytes, at + 16, message.arrivalStamp());
        Bytes.putLong(bytes, at + 24, key);
        Bytes.putLong(bytes, at + 32, key2);
        Bytes.putLong(bytes, at + 40, key3);
        Bytes.putLong(bytes, at + 48, key4);
        Bytes.putLong(bytes, at + 56, key5);
        // conversions[model_id = model_id, type_id = type_id]
        boolean modelIdNull = !event.has(InputEvent.ROOT, MODEL_ID_SLOT);
        long modelId = modelIdNull ? 0L : event.get(InputEvent.ROOT, MODEL_ID_SLOT);
        boolean typeIdNull = !event.has(InputEvent.ROOT, TYPE_ID_SLOT);
        long typeId = typeIdNull ? 0L : event.get(InputEvent.ROOT, TYPE_ID_SLOT);
        long key6 = (modelIdNull ? 1L : 0L) | (typeIdNull ? 2L : 0L) | modelId << 8;
        long key7 = modelId >>> 56 | typeId << 8;
        long key8 = typeId >>> 56;
        long hash2 = KeyHash.start(17);
        hash2 = KeyHash.word(hash2, key6);
        hash2 = KeyHash.word(hash2, key7);
        hash2 = KeyHash.rest(hash2, key8);
        hash2 = KeyHash.end(hash2);
        Bytes.putShort(bytes, at + 57, (short) 16385);
        Bytes.putLong(bytes, at + 59, hash2);
        Bytes.putLong(bytes, at + 67, key6);
        Bytes.putLong(bytes, at + 75, key7);
        Bytes.putLong(bytes, at + 83, key8);
        // count += 1;
        Bytes.putShort(bytes, at + 84, (short) 0);
        Bytes.putLong(bytes, at + 86, 1L);
        // uu_count += user_id;
        at += 94;
        if (event.has(InputEvent.ROOT, USER_ID_SLOT)) {
            Bytes.putShort(bytes, at, (short) 1);
            Bytes.putLong(bytes, at + 2, Hashes.hash(event.get(InputEvent.ROOT, USER_ID_SLOT)));
            at += 10;
        }
        // revenue += revenue;
        long result = 0L;
        boolean resultNull = true;
        if (event.has(InputEvent.ROOT, REVENUE_MICROS_SLOT)) {
            long operand = event.get(InputEvent.ROOT, REVENUE_MICROS_SLOT);
            if (operand == Numbers.NO_AMOUNT) {
                nulls.count(0, NullReason.RANGE);
            } else {
                result = operand;
                resultNull = false;
            }
        }
        if (!resultNull) {
            Bytes.putShort(bytes, at, (short) 2);
            Bytes.putLong(bytes, at + 2, result);
            at += 10;
        }
        Bytes.putShort(bytes, at, (short) 32767);
        updates.limit(at + 2);
        updates.endRow();
        counts.countApplied(0);
    }

    // map Conversion into Campaigns
    private void conversionToCampaigns() {
        // key { campaign_id = campaign_id; }
        boolean campaignIdNull = !event.has(InputEvent.ROOT, CAMPAIGN_ID_SLOT);
        long campaignId = campaignIdNull ? 0L : event.get(InputEvent.ROOT, CAMPAIGN_ID_SLOT);
        long key = (campaignIdNull ? 1L : 0L) | campaignId << 8;
        long key2 = campaignId >>> 56;
        long hash = KeyHash.start(9);
        hash = KeyHash.word(hash, key);
        hash = KeyHash.rest(hash, key2);
        hash = KeyHash.end(hash);
        updates = router.batchFor(1, hash);
        updates.beginRow();
        byte[] bytes = updates.reserve(61);
        int at = updates.limit();
        Bytes.putInt(bytes, at + 4, 5 << 16 | 1);
        Bytes.putLong(bytes, at + 8, hash);
        Bytes.putLong(bytes, at + 16, message.arrivalStamp());
        Bytes.putLong(bytes, at + 24, key);
        Bytes.putLong(bytes, at + 32, key2);
        // conversions += 1;
        Bytes.putShort(bytes, at + 33, (short) 3);
        Bytes.putLong(bytes, at + 35, 1L);
        // revenue += revenue;
        long result = 0L;
        boolean resultNull = true;
        if (event.has(InputEvent.ROOT, REVENUE_MICROS_SLOT)) {
            long operand = event.get(InputEvent.ROOT, REVENUE_MICROS_SLOT);
            if (operand == Numbers.NO_AMOUNT) {
                nulls.count(1, NullReason.RANGE);
            } else {
                result = operand;
                resultNull = false;
            }
        }
        at += 43;
        if (!resultNull) {
            Bytes.putShort(bytes, at, (short) 5);
            Bytes.putLong(bytes, at + 2, result);
            at += 10;
        }
        updates.limit(at);
        updates.endRow();
        counts.countApplied(1);
    }

    private static List<NullSite> nullSites() {
        List<NullSite> sites = new ArrayList<NullSite>();
        sites.add(new NullSite(0, "conversions.revenue += revenue", "ads.summ:69", NullSite.Evaluated.APPLIED));
        sites.add(new NullSite(1, "revenue += revenue", "campaigns.summ:32", NullSite.Evaluated.APPLIED));
        return sites;
    }
}
