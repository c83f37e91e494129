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
import io.summarizer.dsl.runtime.LoopSteps;
import io.summarizer.dsl.runtime.MappingProgram;
import io.summarizer.dsl.runtime.Numbers;
import io.summarizer.dsl.runtime.OpenRows;
import java.util.ArrayList;
import java.util.List;

/**
 * Applies the mappings of Auction to an event.
 */
public final class AuctionProgram extends MappingProgram {
    private final AuctionDecoder decoder;
    private static final int PLACEMENT_CAMPAIGN_ID_SLOT = 0;
    private static final int PLACEMENT_INVENTORY_ID_SLOT = 1;
    private static final int PLACEMENT_CREATIVE_ID_SLOT = 2;
    private static final int AUDIENCE_ATTRIBUTE_ID_SLOT = 3;
    private final OpenRows auctionToCampaignDetailsOpenRows;
    private static final int USER_ID_SLOT = 4;
    private static final int COST_MEDIA_MICROS_SLOT = 5;
    private static final int COST_DATA_MICROS_SLOT = 6;
    private static final int INTERACTIONS_SLOT = 7;
    private static final int ACTION_ID_SLOT = 0;
    private static final int REVENUE_MICROS_SLOT = 1;
    private static final int CONVERSIONS_SLOT = 8;
    private static final int MODEL_ID_SLOT = 0;
    private static final int TYPE_ID_SLOT = 1;
    private static final int REVENUE_MICROS_SLOT2 = 2;
    private final OpenRows auctionToCampaignsOpenRows;

    public AuctionProgram(EventPlan plan) {
        super(plan, nullSites());
        decoder = new AuctionDecoder(plan.schema());
        auctionToCampaignDetailsOpenRows = openRows(0);
        auctionToCampaignsOpenRows = openRows(1);
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
        if (active[0]) {
            auctionToCampaignDetails();
        }
        if (active[1]) {
            auctionToCampaigns();
        }
        counts.countInvalidUtf8(event.repaired());
        return null;
    }

    // map Auction into CampaignDetails
    private void auctionToCampaignDetails() {
        // key { campaign_id = placement.campaign_id; inventory_id = placement.inventory_id; creative_id = placement.creative_id; audience_attribute_id = audience_attribute_id; }
        boolean campaignIdNull = !event.has(InputEvent.ROOT, PLACEMENT_CAMPAIGN_ID_SLOT);
        long campaignId = campaignIdNull ? 0L : event.get(InputEvent.ROOT, PLACEMENT_CAMPAIGN_ID_SLOT);
        boolean inventoryIdNull = !event.has(InputEvent.ROOT, PLACEMENT_INVENTORY_ID_SLOT);
        long inventoryId = inventoryIdNull ? 0L : event.get(InputEvent.ROOT, PLACEMENT_INVENTORY_ID_SLOT);
        boolean creativeIdNull = !event.has(InputEvent.ROOT, PLACEMENT_CREATIVE_ID_SLOT);
        long creativeId = creativeIdNull ? 0L : event.get(InputEvent.ROOT, PLACEMENT_CREATIVE_ID_SLOT);
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
        this.auctionToCampaignDetailsOpenRows.begin();
        byte[] bytes = updates.reserve(65);
        int at = updates.limit();
        Bytes.putInt(bytes, at + 4, 6 << 16 | 0);
        Bytes.putLong(bytes, at + 8, hash);
        Bytes.putLong(bytes, at + 16, message.arrivalStamp());
        Bytes.putLong(bytes, at + 24, key);
        Bytes.putLong(bytes, at + 32, key2);
        Bytes.putLong(bytes, at + 40, key3);
        Bytes.putLong(bytes, at + 48, key4);
        Bytes.putLong(bytes, at + 56, key5);
        updates.limit(at + 57);
        auctionToCampaignDetailsPart();
        auctionToCampaignDetailsPart2();
        auctionToCampaignDetailsPart3();
        updates.endRow();
        counts.countApplied(0);
    }

    private void auctionToCampaignDetailsPart() {
        byte[] bytes = updates.reserve(48);
        int at = updates.limit();
        // impression_count += 1;
        Bytes.putShort(bytes, at, (short) 0);
        Bytes.putLong(bytes, at + 2, 1L);
        // impression_uu += user.id;
        at += 10;
        if (event.has(InputEvent.ROOT, USER_ID_SLOT)) {
            Bytes.putShort(bytes, at, (short) 1);
            Bytes.putLong(bytes, at + 2, Hashes.hash(event.get(InputEvent.ROOT, USER_ID_SLOT)));
            at += 10;
        }
        // media_cost += cost.media;
        long result = 0L;
        boolean resultNull = true;
        if (event.has(InputEvent.ROOT, COST_MEDIA_MICROS_SLOT)) {
            long operand = event.get(InputEvent.ROOT, COST_MEDIA_MICROS_SLOT);
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
        // data_cost += cost.data;
        long result2 = 0L;
        boolean result2Null = true;
        if (event.has(InputEvent.ROOT, COST_DATA_MICROS_SLOT)) {
            long operand2 = event.get(InputEvent.ROOT, COST_DATA_MICROS_SLOT);
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
    }

    private void auctionToCampaignDetailsPart2() {
        // for i in interactions
        if (event.has(InputEvent.ROOT, INTERACTIONS_SLOT)) {
            long list = event.get(InputEvent.ROOT, INTERACTIONS_SLOT);
            int interaction = InputEvent.listHead(list);
            for (int left = InputEvent.listLength(list); left > 0; left--) {
                byte[] bytes = updates.reserve(59);
                int at = updates.limit();
                // interactions[action_id = i.action_id]
                boolean actionIdNull = !event.has(interaction, ACTION_ID_SLOT);
                long actionId = actionIdNull ? 0L : event.get(interaction, ACTION_ID_SLOT);
                long key = (actionIdNull ? 1L : 0L) | actionId << 8;
                long key2 = actionId >>> 56;
                long hash = KeyHash.start(9);
                hash = KeyHash.word(hash, key);
                hash = KeyHash.rest(hash, key2);
                hash = KeyHash.end(hash);
                Bytes.putShort(bytes, at, (short) 16384);
                Bytes.putLong(bytes, at + 2, hash);
                Bytes.putLong(bytes, at + 10, key);
                Bytes.putLong(bytes, at + 18, key2);
                // count += 1;
                Bytes.putShort(bytes, at + 19, (short) 0);
                Bytes.putLong(bytes, at + 21, 1L);
                // uu_count += user.id;
                at += 29;
                if (event.has(InputEvent.ROOT, USER_ID_SLOT)) {
                    Bytes.putShort(bytes, at, (short) 1);
                    Bytes.putLong(bytes, at + 2, Hashes.hash(event.get(InputEvent.ROOT, USER_ID_SLOT)));
                    at += 10;
                }
                // revenue += i.revenue;
                long result = 0L;
                boolean resultNull = true;
                if (event.has(interaction, REVENUE_MICROS_SLOT)) {
                    long operand = event.get(interaction, REVENUE_MICROS_SLOT);
                    if (operand == Numbers.NO_AMOUNT) {
                        nulls.count(2, NullReason.RANGE);
                    } else {
                        result = operand;
                        resultNull = false;
                    }
                }
                nulls.evaluated[2]++;
                if (!resultNull) {
                    Bytes.putShort(bytes, at, (short) 2);
                    Bytes.putLong(bytes, at + 2, result);
                    at += 10;
                }
                Bytes.putShort(bytes, at, (short) 32767);
                updates.limit(at + 2);
                if (updates.rowBytes() > OpenRows.RECORD_BYTES) {
                    updates = this.auctionToCampaignDetailsOpenRows.reopen(updates, router);
                }
                interaction = event.next(interaction);
            }
        }
    }

    private void auctionToCampaignDetailsPart3() {
        // for c in conversions
        if (event.has(InputEvent.ROOT, CONVERSIONS_SLOT)) {
            long list = event.get(InputEvent.ROOT, CONVERSIONS_SLOT);
            int conversion = InputEvent.listHead(list);
            for (int left = InputEvent.listLength(list); left > 0; left--) {
                byte[] bytes = updates.reserve(67);
                int at = updates.limit();
                // conversions[model_id = c.model_id, type_id = c.type_id]
                boolean modelIdNull = !event.has(conversion, MODEL_ID_SLOT);
                long modelId = modelIdNull ? 0L : event.get(conversion, MODEL_ID_SLOT);
                boolean typeIdNull = !event.has(conversion, TYPE_ID_SLOT);
                long typeId = typeIdNull ? 0L : event.get(conversion, TYPE_ID_SLOT);
                long key = (modelIdNull ? 1L : 0L) | (typeIdNull ? 2L : 0L) | modelId << 8;
                long key2 = modelId >>> 56 | typeId << 8;
                long key3 = typeId >>> 56;
                long hash = KeyHash.start(17);
                hash = KeyHash.word(hash, key);
                hash = KeyHash.word(hash, key2);
                hash = KeyHash.rest(hash, key3);
                hash = KeyHash.end(hash);
                Bytes.putShort(bytes, at, (short) 16385);
                Bytes.putLong(bytes, at + 2, hash);
                Bytes.putLong(bytes, at + 10, key);
                Bytes.putLong(bytes, at + 18, key2);
                Bytes.putLong(bytes, at + 26, key3);
                // count += 1;
                Bytes.putShort(bytes, at + 27, (short) 0);
                Bytes.putLong(bytes, at + 29, 1L);
                // uu_count += user.id;
                at += 37;
                if (event.has(InputEvent.ROOT, USER_ID_SLOT)) {
                    Bytes.putShort(bytes, at, (short) 1);
                    Bytes.putLong(bytes, at + 2, Hashes.hash(event.get(InputEvent.ROOT, USER_ID_SLOT)));
                    at += 10;
                }
                // revenue += c.revenue;
                long result = 0L;
                boolean resultNull = true;
                if (event.has(conversion, REVENUE_MICROS_SLOT2)) {
                    long operand = event.get(conversion, REVENUE_MICROS_SLOT2);
                    if (operand == Numbers.NO_AMOUNT) {
                        nulls.count(3, NullReason.RANGE);
                    } else {
                        result = operand;
                        resultNull = false;
                    }
                }
                nulls.evaluated[3]++;
                if (!resultNull) {
                    Bytes.putShort(bytes, at, (short) 2);
                    Bytes.putLong(bytes, at + 2, result);
                    at += 10;
                }
                Bytes.putShort(bytes, at, (short) 32767);
                updates.limit(at + 2);
                if (updates.rowBytes() > OpenRows.RECORD_BYTES) {
                    updates = this.auctionToCampaignDetailsOpenRows.reopen(updates, router);
                }
                conversion = event.next(conversion);
            }
        }
    }

    // map Auction into Campaigns
    private void auctionToCampaigns() {
        // key { campaign_id = placement.campaign_id; }
        boolean campaignIdNull = !event.has(InputEvent.ROOT, PLACEMENT_CAMPAIGN_ID_SLOT);
        long campaignId = campaignIdNull ? 0L : event.get(InputEvent.ROOT, PLACEMENT_CAMPAIGN_ID_SLOT);
        long key = (campaignIdNull ? 1L : 0L) | campaignId << 8;
        long key2 = campaignId >>> 56;
        long hash = KeyHash.start(9);
        hash = KeyHash.word(hash, key);
        hash = KeyHash.rest(hash, key2);
        hash = KeyHash.end(hash);
        updates = router.batchFor(1, hash);
        updates.beginRow();
        this.auctionToCampaignsOpenRows.begin();
        byte[] bytes = updates.reserve(41);
        int at = updates.limit();
        Bytes.putInt(bytes, at + 4, 7 << 16 | 1);
        Bytes.putLong(bytes, at + 8, hash);
        Bytes.putLong(bytes, at + 16, message.arrivalStamp());
        Bytes.putLong(bytes, at + 24, key);
        Bytes.putLong(bytes, at + 32, key2);
        updates.limit(at + 33);
        auctionToCampaignsPart();
        auctionToCampaignsPart2();
        updates.endRow();
        counts.countApplied(1);
    }

    private void auctionToCampaignsPart() {
        byte[] bytes = updates.reserve(48);
        int at = updates.limit();
        // impressions += 1;
        Bytes.putShort(bytes, at, (short) 0);
        Bytes.putLong(bytes, at + 2, 1L);
        // users += user.id;
        at += 10;
        if (event.has(InputEvent.ROOT, USER_ID_SLOT)) {
            Bytes.putShort(bytes, at, (short) 1);
            Bytes.putLong(bytes, at + 2, Hashes.hash(event.get(InputEvent.ROOT, USER_ID_SLOT)));
            at += 10;
        }
        // cost += cost.media;
        long result = 0L;
        boolean resultNull = true;
        if (event.has(InputEvent.ROOT, COST_MEDIA_MICROS_SLOT)) {
            long operand = event.get(InputEvent.ROOT, COST_MEDIA_MICROS_SLOT);
            if (operand == Numbers.NO_AMOUNT) {
                nulls.count(4, NullReason.RANGE);
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
        // cost += cost.data;
        long result2 = 0L;
        boolean result2Null = true;
        if (event.has(InputEvent.ROOT, COST_DATA_MICROS_SLOT)) {
            long operand2 = event.get(InputEvent.ROOT, COST_DATA_MICROS_SLOT);
            if (operand2 == Numbers.NO_AMOUNT) {
                nulls.count(5, NullReason.RANGE);
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
        // for i in interactions
        if (event.has(InputEvent.ROOT, INTERACTIONS_SLOT)) {
            long list = event.get(InputEvent.ROOT, INTERACTIONS_SLOT);
            int interaction = InputEvent.listHead(list);
            for (int left = InputEvent.listLength(list); left > 0; left--) {
                byte[] bytes2 = updates.reserve(28);
                int at2 = updates.limit();
                // clicks += 1;
                Bytes.putShort(bytes2, at2, (short) 2);
                Bytes.putLong(bytes2, at2 + 2, 1L);
                // revenue += i.revenue;
                long result3 = 0L;
                boolean result3Null = true;
                if (event.has(interaction, REVENUE_MICROS_SLOT)) {
                    long operand3 = event.get(interaction, REVENUE_MICROS_SLOT);
                    if (operand3 == Numbers.NO_AMOUNT) {
                        nulls.count(6, NullReason.RANGE);
                    } else {
                        result3 = operand3;
                        result3Null = false;
                    }
                }
                nulls.evaluated[6]++;
                at2 += 10;
                if (!result3Null) {
                    Bytes.putShort(bytes2, at2, (short) 5);
                    Bytes.putLong(bytes2, at2 + 2, result3);
                    at2 += 10;
                }
                updates.limit(at2);
                if (updates.rowBytes() > OpenRows.RECORD_BYTES) {
                    updates = this.auctionToCampaignsOpenRows.reopen(updates, router);
                }
                interaction = event.next(interaction);
            }
        }
    }

    private void auctionToCampaignsPart2() {
        // for c in conversions
        if (event.has(InputEvent.ROOT, CONVERSIONS_SLOT)) {
            long list = event.get(InputEvent.ROOT, CONVERSIONS_SLOT);
            int conversion = InputEvent.listHead(list);
            for (int left = InputEvent.listLength(list); left > 0; left--) {
                byte[] bytes = updates.reserve(28);
                int at = updates.limit();
                // conversions += 1;
                Bytes.putShort(bytes, at, (short) 3);
                Bytes.putLong(bytes, at + 2, 1L);
                // revenue += c.revenue;
                long result = 0L;
                boolean resultNull = true;
                if (event.has(conversion, REVENUE_MICROS_SLOT2)) {
                    long operand = event.get(conversion, REVENUE_MICROS_SLOT2);
                    if (operand == Numbers.NO_AMOUNT) {
                        nulls.count(7, NullReason.RANGE);
                    } else {
                        result = operand;
                        resultNull = false;
                    }
                }
                nulls.evaluated[7]++;
                at += 10;
                if (!resultNull) {
                    Bytes.putShort(bytes, at, (short) 5);
                    Bytes.putLong(bytes, at + 2, result);
                    at += 10;
                }
                updates.limit(at);
                if (updates.rowBytes() > OpenRows.RECORD_BYTES) {
                    updates = this.auctionToCampaignsOpenRows.reopen(updates, router);
                }
                conversion = event.next(conversion);
            }
        }
    }

    private static List<NullSite> nullSites() {
        List<NullSite> sites = new ArrayList<NullSite>();
        sites.add(new NullSite(0, "media_cost += cost.media", "ads.summ:82", NullSite.Evaluated.APPLIED));
        sites.add(new NullSite(0, "data_cost += cost.data", "ads.summ:83", NullSite.Evaluated.APPLIED));
        sites.add(new NullSite(0, "interactions.revenue += i.revenue", "ads.summ:88", NullSite.Evaluated.COUNTED));
        sites.add(new NullSite(0, "conversions.revenue += c.revenue", "ads.summ:95", NullSite.Evaluated.COUNTED));
        sites.add(new NullSite(1, "cost += cost.media", "campaigns.summ:39", NullSite.Evaluated.APPLIED));
        sites.add(new NullSite(1, "cost += cost.data", "campaigns.summ:40", NullSite.Evaluated.APPLIED));
        sites.add(new NullSite(1, "revenue += i.revenue", "campaigns.summ:43", NullSite.Evaluated.COUNTED));
        sites.add(new NullSite(1, "revenue += c.revenue", "campaigns.summ:47", NullSite.Evaluated.COUNTED));
        return sites;
    }
}
