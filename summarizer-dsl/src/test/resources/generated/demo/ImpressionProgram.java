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
 * Applies the mappings of Impression to an event.
 */
public final class ImpressionProgram extends MappingProgram {
    private final ImpressionDecoder decoder;
    private static final int CAMPAIGN_ID_SLOT = 0;
    private static final int INVENTORY_ID_SLOT = 1;
    private static final int CREATIVE_ID_SLOT = 2;
    private static final int AUDIENCE_ATTRIBUTE_ID_SLOT = 3;
    private static final int USER_ID_SLOT = 4;
    private static final int MEDIA_COST_MICROS_SLOT = 5;
    private static final int DATA_COST_MICROS_SLOT = 6;

    public ImpressionProgram(EventPlan plan) {
        super(plan, nullSites());
        decoder = new ImpressionDecoder(plan.schema());
    }

    @Override
    public String process(IMessage message, boolean[] active, UpdateRouter router) {
        String problem = decoder.decode(message, event);
        if (problem != null) {
            return problem;
        }
        start(message, router);
        if (active[0]) {
            impressionToCampaignDetails();
        }
        if (active[1]) {
            impressionToCampaigns();
        }
        counts.countInvalidUtf8(event.repaired());
        return null;
    }

    // map Impression into CampaignDetails
    private void impressionToCampaignDetails() {
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
        byte[] bytes = updates.reserve(105);
        int at = updates.limit();
        Bytes.putInt(bytes, at + 4, 0);
        Bytes.putLong(bytes, at + 8, hash);
        Bytes.putLong(bytes, at + 16, message.arrivalStamp());
        Bytes.putLong(bytes, at + 24, key);
        Bytes.putLong(bytes, at + 32, key2);
        Bytes.putLong(bytes, at + 40, key3);
        Bytes.putLong(bytes, at + 48, key4);
        Bytes.putLong(bytes, at + 56, key5);
        // impression_count += 1;
        Bytes.putShort(bytes, at + 57, (short) 0);
        Bytes.putLong(bytes, at + 59, 1L);
        // impression_uu += user_id;
        at += 67;
        if (event.has(InputEvent.ROOT, USER_ID_SLOT)) {
            Bytes.putShort(bytes, at, (short) 1);
            Bytes.putLong(bytes, at + 2, Hashes.hash(event.get(InputEvent.ROOT, USER_ID_SLOT)));
            at += 10;
        }
        // media_cost += media_cost;
        long result = 0L;
        boolean resultNull = true;
        if (event.has(InputEvent.ROOT, MEDIA_COST_MICROS_SLOT)) {
            long operand = event.get(InputEvent.ROOT, MEDIA_COST_MICROS_SLOT);
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
        // data_cost += data_cost;
        long result2 = 0L;
        boolean result2Null = true;
        if (event.has(InputEvent.ROOT, DATA_COST_MICROS_SLOT)) {
            long operand2 = event.get(InputEvent.ROOT, DATA_COST_MICROS_SLOT);
            if (operand2 == Numbers.NO_AMOUNT) {
                nulls.count(1, NullReason.RANGE);
            } else {
                result2 = operand2;
                result2Null = false;
            }
        }
        if (!result2Null) {
            Bytes.putShort(bytes, at, (short) 3);
            Bytes.putLong(bytes, at + 2, result2);
            at += 10;
        }
        updates.limit(at);
        updates.endRow();
        counts.countApplied(0);
    }

    // map Impression into Campaigns
    private void impressionToCampaigns() {
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
        byte[] bytes = updates.reserve(81);
        int at = updates.limit();
        Bytes.putInt(bytes, at + 4, 1 << 16 | 1);
        Bytes.putLong(bytes, at + 8, hash);
        Bytes.putLong(bytes, at + 16, message.arrivalStamp());
        Bytes.putLong(bytes, at + 24, key);
        Bytes.putLong(bytes, at + 32, key2);
        // impressions += 1;
        Bytes.putShort(bytes, at + 33, (short) 0);
        Bytes.putLong(bytes, at + 35, 1L);
        // users += user_id;
        at += 43;
        if (event.has(InputEvent.ROOT, USER_ID_SLOT)) {
            Bytes.putShort(bytes, at, (short) 1);
            Bytes.putLong(bytes, at + 2, Hashes.hash(event.get(InputEvent.ROOT, USER_ID_SLOT)));
            at += 10;
        }
        // cost += media_cost;
        long result = 0L;
        boolean resultNull = true;
        if (event.has(InputEvent.ROOT, MEDIA_COST_MICROS_SLOT)) {
            long operand = event.get(InputEvent.ROOT, MEDIA_COST_MICROS_SLOT);
            if (operand == Numbers.NO_AMOUNT) {
                nulls.count(2, NullReason.RANGE);
            } else {
                result = operand;
                resultNull = false;
            }
        }
        if (!resultNull) {
            Bytes.putShort(bytes, at, (short) 4);
            Bytes.putLong(bytes, at + 2, result);
            at += 10;
        }
        // cost += data_cost;
        long result2 = 0L;
        boolean result2Null = true;
        if (event.has(InputEvent.ROOT, DATA_COST_MICROS_SLOT)) {
            long operand2 = event.get(InputEvent.ROOT, DATA_COST_MICROS_SLOT);
            if (operand2 == Numbers.NO_AMOUNT) {
                nulls.count(3, NullReason.RANGE);
            } else {
                result2 = operand2;
                result2Null = false;
            }
        }
        if (!result2Null) {
            Bytes.putShort(bytes, at, (short) 4);
            Bytes.putLong(bytes, at + 2, result2);
            at += 10;
        }
        updates.limit(at);
        updates.endRow();
        counts.countApplied(1);
    }

    private static List<NullSite> nullSites() {
        List<NullSite> sites = new ArrayList<NullSite>();
        sites.add(new NullSite(0, "media_cost += media_cost", "ads.summ:51", NullSite.Evaluated.APPLIED));
        sites.add(new NullSite(0, "data_cost += data_cost", "ads.summ:52", NullSite.Evaluated.APPLIED));
        sites.add(new NullSite(1, "cost += media_cost", "campaigns.summ:19", NullSite.Evaluated.APPLIED));
        sites.add(new NullSite(1, "cost += data_cost", "campaigns.summ:20", NullSite.Evaluated.APPLIED));
        return sites;
    }
}
