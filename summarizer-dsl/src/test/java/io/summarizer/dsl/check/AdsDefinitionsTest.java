package io.summarizer.dsl.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.summarizer.core.decode.EventSchema;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import io.summarizer.dsl.model.Definitions;
import io.summarizer.dsl.model.EventField;
import io.summarizer.dsl.model.EventType;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Mapping;
import io.summarizer.dsl.model.Origin;
import io.summarizer.dsl.model.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The shipped definitions are valid, and have the documented meaning. */
class AdsDefinitionsTest {
    private static Definitions ads() {
        CheckResult result = DefinitionsCompiler.check(ProjectRoot.resolve("schemas"));
        assertThat(result.render()).isEmpty();
        return result.definitions().orElseThrow();
    }

    @Test
    void declaresTheFourEventsInOrder() {
        assertThat(ads().events())
                .extracting(EventType::name, event -> event.topics().toString(), EventType::format)
                .containsExactly(
                        tuple("Impression", "[ad.impression.#]", EventSchema.Format.CSV),
                        tuple("Click", "[ad.click.#]", EventSchema.Format.CSV),
                        tuple("Conversion", "[ad.conversion.#]", EventSchema.Format.CSV),
                        tuple("Auction", "[ad.auction.v2]", EventSchema.Format.JSON));
    }

    @Test
    void laysOutTheSummaryWithBothNestedOnes() {
        SummaryLayout layout = ads().summaries().get(0);
        assertThat(layout.name()).isEqualTo("CampaignDetails");
        assertThat(layout.keys())
                .containsExactly(
                        new KeyColumn("campaign_id", 1, KeyType.INT64),
                        new KeyColumn("inventory_id", 2, KeyType.INT64),
                        new KeyColumn("creative_id", 3, KeyType.INT64),
                        new KeyColumn("audience_attribute_id", 4, KeyType.INT64));
        assertThat(layout.values())
                .containsExactly(
                        new ValueColumn("impression_count", 1, AggregateType.SUMINT32, 0, 0),
                        new ValueColumn("impression_uu", 2, AggregateType.MULTISET64, 11, 5),
                        new ValueColumn("media_cost", 3, AggregateType.SUMCURRENCY, 0, 0),
                        new ValueColumn("data_cost", 4, AggregateType.SUMCURRENCY, 0, 0));
        assertThat(layout.nested()).extracting(SummaryLayout::name).containsExactly("interactions", "conversions");
        assertThat(layout.nested()).extracting(SummaryLayout::number).containsExactly(5, 6);
        assertThat(layout.nested().get(1).keys())
                .containsExactly(
                        new KeyColumn("model_id", 1, KeyType.INT64), new KeyColumn("type_id", 2, KeyType.INT64));
    }

    @Test
    void resolvesTheAuctionMappingWithItsLoops() {
        Definitions ads = ads();
        Mapping auction = ads.mappings().get(3);
        assertThat(auction.name()).isEqualTo("Auction->CampaignDetails");
        Statement.Key key = (Statement.Key) auction.body().get(0);
        assertThat(key.columns()).hasSize(4);
        Expression.Field campaign = (Expression.Field) key.columns().get(0);
        assertThat(campaign.path()).extracting(EventField::name).containsExactly("placement", "campaign_id");
        Statement.For loop = (Statement.For) auction.body().get(5);
        assertThat(loop.list().path()).extracting(EventField::name).containsExactly("interactions");
        Statement.Nested nested = (Statement.Nested) loop.body().get(0);
        assertThat(nested.nested()).isZero();
        Expression.Field actionId = (Expression.Field) nested.keys().get(0);
        assertThat(actionId.root()).isEqualTo(new Expression.Variable(loop.id()));
        assertThat(actionId.type()).isEqualTo(Expression.Type.INT);
        assertThat(nested.body())
                .first()
                .isEqualTo(
                        new Statement.Update(0, new Expression.IntLiteral(1, Expression.Type.INT), null, Origin.NONE));
        assertThat(List.of(loop.id(), ((Statement.For) auction.body().get(6)).id()))
                .doesNotHaveDuplicates();
    }
}
