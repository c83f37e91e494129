package io.summarizer.dsl.diagnose;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Advice for aggregates of SQL and of other languages that somebody takes for a type of values. Stateless. */
public final class ForeignAggregates {
    private static final String DISTINCT = "`multiset64 users = 1;` estimates how many values are different";
    private static final String SUM = "sums are `sumint64`, `sumdouble` and `sumcurrency`";
    /** Advice for averages, which no type of values has. */
    public static final String AVERAGE = "keep a sum and a `count`, and divide them where they are read";

    private static final String TOP =
            "a nested summary counts all values; pull the largest counts with `order_by` and `limit`";
    private static final String QUANTILE =
            "there is no type for quantiles; a nested summary with a key of ranges counts the values of each range";

    private static final Map<String, String> ADVICE = Map.ofEntries(
            Map.entry("sum", SUM),
            Map.entry("min", "minima are `minint64`, `mindouble` and `mintimestamp`"),
            Map.entry("max", "maxima are `maxint64`, `maxdouble` and `maxtimestamp`"),
            Map.entry("avg", AVERAGE),
            Map.entry("mean", AVERAGE),
            Map.entry("average", AVERAGE),
            Map.entry("distinct", DISTINCT),
            Map.entry("countdistinct", DISTINCT),
            Map.entry("count_distinct", DISTINCT),
            Map.entry("approx_count_distinct", DISTINCT),
            Map.entry("uniq", DISTINCT),
            Map.entry("hll", DISTINCT),
            Map.entry("set", DISTINCT),
            Map.entry("top", TOP),
            Map.entry("topk", TOP),
            Map.entry("topn", TOP),
            Map.entry("quantile", QUANTILE),
            Map.entry("quantiles", QUANTILE),
            Map.entry("percentile", QUANTILE),
            Map.entry("median", QUANTILE),
            Map.entry("histogram", QUANTILE));

    private ForeignAggregates() {}

    /** Returns the advice for a name; empty when there is none. */
    public static List<String> help(String name) {
        String advice = ADVICE.get(name.toLowerCase(Locale.ROOT));
        return advice == null ? List.of() : List.of(advice);
    }

    /**
     * Returns the advice for a field that could not be parsed; empty when there is none.
     *
     * @param first first word of the field
     * @param second its next word
     */
    public static List<String> help(String first, String second) {
        boolean isDistinct =
                first.equalsIgnoreCase("count") && (second.equals("(") || second.equalsIgnoreCase("distinct"));
        return isDistinct ? List.of(DISTINCT) : help(first);
    }
}
