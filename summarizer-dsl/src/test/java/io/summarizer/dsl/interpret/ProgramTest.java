package io.summarizer.dsl.interpret;

import static io.summarizer.dsl.interpret.Model.add;
import static io.summarizer.dsl.interpret.Model.call;
import static io.summarizer.dsl.interpret.Model.compare;
import static io.summarizer.dsl.interpret.Model.definitions;
import static io.summarizer.dsl.interpret.Model.enter;
import static io.summarizer.dsl.interpret.Model.event;
import static io.summarizer.dsl.interpret.Model.key;
import static io.summarizer.dsl.interpret.Model.keyBlock;
import static io.summarizer.dsl.interpret.Model.list;
import static io.summarizer.dsl.interpret.Model.loop;
import static io.summarizer.dsl.interpret.Model.map;
import static io.summarizer.dsl.interpret.Model.mapKey;
import static io.summarizer.dsl.interpret.Model.mapping;
import static io.summarizer.dsl.interpret.Model.message;
import static io.summarizer.dsl.interpret.Model.nested;
import static io.summarizer.dsl.interpret.Model.number;
import static io.summarizer.dsl.interpret.Model.path;
import static io.summarizer.dsl.interpret.Model.scalar;
import static io.summarizer.dsl.interpret.Model.summary;
import static io.summarizer.dsl.interpret.Model.value;
import static io.summarizer.dsl.interpret.Model.variable;
import static org.assertj.core.api.Assertions.assertThat;

import com.dynatrace.hash4j.hashing.Hashing;
import io.summarizer.core.decode.EventSchema.Format;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.dsl.model.EventField.Kind;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Expression.BinaryOperator;
import io.summarizer.dsl.model.Expression.Function;
import io.summarizer.dsl.model.MessageType;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProgramTest {
    private static final MessageType IMPRESSION = message(
            "Impression",
            scalar("ts", 1, Kind.INT64),
            scalar("campaign_id", 2, Kind.INT64),
            scalar("inventory_id", 3, Kind.INT64),
            scalar("user_id", 4, Kind.INT64),
            scalar("media_cost", 5, Kind.DOUBLE),
            scalar("country", 6, Kind.STRING));

    private static final SummaryLayout INTERACTIONS = summary(
            "interactions",
            List.of(key("action_id", 1, KeyType.INT64)),
            List.of(
                    value("count", 1, AggregateType.SUMINT32),
                    value("uu", 2, AggregateType.MULTISET64),
                    value("revenue", 3, AggregateType.SUMCURRENCY)));

    private static final SummaryLayout CAMPAIGN = summary(
            "Campaign",
            List.of(key("campaign_id", 1, KeyType.INT64), key("country", 2, KeyType.STRING)),
            List.of(
                    value("impressions", 1, AggregateType.SUMINT32),
                    value("uu", 2, AggregateType.MULTISET64),
                    value("media_cost", 3, AggregateType.SUMCURRENCY),
                    value("greatest", 4, AggregateType.MAXDOUBLE),
                    value("last_country", 5, AggregateType.LASTSTRING)),
            INTERACTIONS);

    private static long hash(long value) {
        return Hashing.murmur3_128().hashLongToLong(value);
    }

    private static Program csv() {
        return new Program(definitions(
                event("ad.impression.#", IMPRESSION, Format.CSV),
                CAMPAIGN,
                mapping(
                        0,
                        0,
                        compare(path(IMPRESSION, "media_cost"), BinaryOperator.GE, number(0)),
                        keyBlock(path(IMPRESSION, "campaign_id"), path(IMPRESSION, "country")),
                        add(0, number(1)),
                        add(1, path(IMPRESSION, "user_id")),
                        add(2, path(IMPRESSION, "media_cost")),
                        add(
                                3,
                                path(IMPRESSION, "media_cost"),
                                compare(path(IMPRESSION, "media_cost"), BinaryOperator.GT, Model.decimal("0.5"))),
                        add(4, path(IMPRESSION, "country")))));
    }

    @Test
    void mapsACsvLineIntoARow() {
        assertThat(csv().run("1000,7,8,99,0.1234565,US"))
                .containsExactly(
                        "Campaign[7, \"US\"] impressions=1 uu=" + hash(99) + " media_cost=123457 last_country=\"US\"");
    }

    @Test
    void addsNothingForANullButKeepsTheRow() {
        assertThat(csv().run("1000,,8,,1"))
                .containsExactly("Campaign[null, null] impressions=1 media_cost=1000000 greatest=1.0");
        assertThat(csv().run(",7,,,0,\"\""))
                .containsExactly("Campaign[7, \"\"] impressions=1 media_cost=0 last_country=\"\"");
    }

    @Test
    void leavesOutWhatTheConditionDoesNotHoldFor() {
        Program program = csv();
        assertThat(program.run("1,7,8,99,-1,US")).isEmpty();
        assertThat(program.run("1,7,8,99,,US"))
                .as("a null condition does not hold")
                .isEmpty();
        assertThat(program.run("1,7,8,99,2,US")).hasSize(1);
        assertThat(program.counts().filtered).containsExactly(2);
        assertThat(program.counts().applied).containsExactly(1);
    }

    @Test
    void doesNotRunMappingsThatAreNotActive() {
        Program program = csv().active(false);
        assertThat(program.run("1,7,8,99,1,US")).isEmpty();
        assertThat(program.counts().filtered).containsExactly(0);
        assertThat(program.counts().applied).containsExactly(0);
    }

    @Test
    void rejectsABadValueInAUsedColumnOnly() {
        Program program = csv();
        assertThat(program.reject("1,x7,8,99,1,US")).isEqualTo("campaign_id: \"x7\" is not an int64");
        assertThat(program.run("what,7,ever,99,1,US")).hasSize(1);
    }

    private static final MessageType USER =
            message("User", scalar("id", 1, Kind.INT64), list("segments", 2, Kind.INT64));
    private static final MessageType INTERACTION =
            message("Interaction", scalar("action_id", 1, Kind.INT64), scalar("revenue", 2, Kind.DOUBLE));
    private static final MessageType AUCTION = message(
            "Auction",
            nested("user", 1, USER),
            scalar("country", 2, Kind.STRING),
            scalar("campaign_id", 3, Kind.INT64),
            list("interactions", 4, INTERACTION),
            map("zones", 5, Kind.STRING, Kind.INT64));

    @Test
    void goesThroughListsWithinOneRow() {
        Program program = new Program(definitions(
                event("ad.auction", AUCTION, Format.JSON),
                CAMPAIGN,
                mapping(
                        0,
                        0,
                        null,
                        keyBlock(path(AUCTION, "campaign_id"), path(AUCTION, "country")),
                        add(0, number(1)),
                        loop(
                                0,
                                path(AUCTION, "interactions"),
                                compare(path(0, INTERACTION, "revenue"), BinaryOperator.GT, number(0)),
                                enter(
                                        0,
                                        path(0, INTERACTION, "action_id"),
                                        add(0, number(1)),
                                        add(1, path(AUCTION, "user.id")),
                                        add(2, path(0, INTERACTION, "revenue")))),
                        add(0, number(5)))));
        assertThat(program.run("""
                        {"campaign_id":3,"country":"DE","user":{"id":5},"interactions":[
                          {"action_id":1,"revenue":0.5},{"action_id":2,"revenue":0},{"revenue":"1.25"},{}]}"""))
                .containsExactly("Campaign[3, \"DE\"] impressions=1"
                        + " interactions[1]{ count=1 uu=" + hash(5) + " revenue=500000}"
                        + " interactions[null]{ count=1 uu=" + hash(5) + " revenue=1250000}"
                        + " impressions=5");
        assertThat(program.run("{}")).containsExactly("Campaign[null, null] impressions=1 impressions=5");
    }

    @Test
    void makesARecordForEachElementWhenTheKeyIsWithinTheLoop() {
        Program program = new Program(definitions(
                event("ad.auction", AUCTION, Format.JSON),
                CAMPAIGN,
                mapping(
                        0,
                        0,
                        null,
                        loop(
                                0,
                                path(AUCTION, "user.segments"),
                                null,
                                keyBlock(variable(0, Expression.Type.INT), path(AUCTION, "country")),
                                add(0, variable(0, Expression.Type.INT))),
                        loop(
                                1,
                                path(AUCTION, "zones"),
                                null,
                                keyBlock(variable(1, Expression.Type.INT), mapKey(1, Expression.Type.STRING)),
                                add(0, call(Expression.Type.INT, Function.LEN, path(AUCTION, "user.segments")))))));
        assertThat(program.run("""
                        {"country":"DE","user":{"segments":[4,null,6]},"zones":{"a":1,"b":2,"a":3}}"""))
                .containsExactly(
                        "Campaign[4, \"DE\"] impressions=4",
                        "Campaign[null, \"DE\"]",
                        "Campaign[6, \"DE\"] impressions=6",
                        "Campaign[3, \"a\"] impressions=3",
                        "Campaign[2, \"b\"] impressions=3");
        assertThat(program.reject("{\"zones\":{\"a\":\"x\"}}")).isEqualTo("zones value: \"x\" is not an int64");
        assertThat(program.counts().applied).containsExactly(1);
    }

    @Test
    void keepsSeveralMappingsApart() {
        MessageType type = IMPRESSION;
        Program program = new Program(definitions(
                event("x", type, Format.CSV),
                CAMPAIGN,
                mapping(
                        0,
                        0,
                        compare(path(type, "ts"), BinaryOperator.EQ, number(1)),
                        keyBlock(path(type, "campaign_id"), path(type, "country")),
                        add(0, number(1))),
                mapping(0, 0, null, keyBlock(path(type, "inventory_id"), Model.text("all")), add(0, number(2)))));
        assertThat(program.run("1,7,8,9,1,US"))
                .containsExactly("Campaign[7, \"US\"] impressions=1", "Campaign[8, \"all\"] impressions=2");
        assertThat(program.run("2,7,8,9,1,US")).containsExactly("Campaign[8, \"all\"] impressions=2");
        assertThat(program.counts().applied).containsExactly(1, 2);
        assertThat(program.counts().filtered).containsExactly(1, 0);
    }

    @Test
    void makesKeysThatDoNotFitNullAndCountsThem() {
        SummaryLayout keys = summary(
                "K",
                List.of(
                        key("a", 1, KeyType.INT32),
                        key("b", 2, KeyType.UINT32),
                        key("c", 3, KeyType.UINT64),
                        key("d", 4, KeyType.INT64),
                        key("e", 5, KeyType.BOOL),
                        key("f", 6, KeyType.TIMESTAMP)),
                List.of(value("n", 1, AggregateType.COUNT)));
        MessageType type = message(
                "T",
                scalar("i", 1, Kind.INT64),
                scalar("u", 2, Kind.UINT64),
                scalar("b", 3, Kind.BOOL),
                scalar("t", 4, Kind.TIMESTAMP));
        Program program = new Program(definitions(
                event("x", type, Format.CSV),
                keys,
                mapping(
                        0,
                        0,
                        null,
                        keyBlock(
                                path(type, "i"),
                                path(type, "i"),
                                path(type, "i"),
                                path(type, "u"),
                                path(type, "b"),
                                path(type, "t")),
                        add(0, path(type, "b")))));
        assertThat(program.run("5,6,true,1970-01-01T00:00:01Z")).containsExactly("K[5, 5, 5, 6, true, 1000000] n=1");
        assertThat(program.counts().nulls.total()).isZero();
        assertThat(program.run("-1,18446744073709551615,false,2"))
                .containsExactly("K[-1, null, null, null, false, 2000] n=1");
        assertThat(program.counts().nulls.total()).isEqualTo(3);
        assertThat(program.run("4294967295,0,,")).containsExactly("K[null, 4294967295, 4294967295, 0, null, null]");
        assertThat(program.counts().nulls.total()).isEqualTo(4);
    }
}
