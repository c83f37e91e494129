package io.summarizer.server.oracle;

import java.util.List;
import java.util.Random;

/**
 * Random conditions over the columns of {@link QueryOracleTest}, which are the fields of the events of {@link
 * RandomAggregatesTest}, in the language and in SQL. They are limited to what means the same in both: no integer
 * overflows, no decimal is compared with a double, texts are compared by their bytes.
 */
final class RandomCondition {
    private static final int DEPTH = 4;
    private static final List<String> COMPARISONS = List.of("<", "<=", ">", ">=", "==", "!=");

    private final Random random;

    RandomCondition(Random random) {
        this.random = random;
    }

    /** A condition, and the same in SQL. */
    record Text(String summ, String sql) {
        static Text same(String text) {
            return new Text(text, text);
        }

        Text then(String between, Text next) {
            return then(between, between, next);
        }

        Text then(String summ, String sql, Text next) {
            return new Text('(' + this.summ + summ + next.summ + ')', '(' + this.sql + sql + next.sql + ')');
        }

        Text within(String before) {
            return new Text(before + '(' + summ + ')', before + '(' + sql + ')');
        }
    }

    Text next() {
        return condition(DEPTH);
    }

    private Text condition(int depth) {
        return switch (depth == 0 ? 6 + random.nextInt(6) : random.nextInt(12)) {
            case 0, 1 -> condition(depth - 1).then(" and ", condition(depth - 1));
            case 2, 3 -> condition(depth - 1).then(" or ", condition(depth - 1));
            case 4, 5 -> condition(depth - 1).within("not ");
            case 6, 7 -> compared(integer(2), integer(2));
            case 8 -> compared(amount(), amount());
            case 9 -> random.nextBoolean() ? compared(fraction(), fraction()) : compared(time(), time());
            case 10 -> compared(text(), text());
            default -> simple();
        };
    }

    private Text simple() {
        String column = one("host", "latest", "least", "small");
        return switch (random.nextInt(4)) {
            case 0 -> new Text("has(" + column + ")", column + " is not null");
            case 1 -> Text.same("live");
            case 2 ->
                Text.same(one("hits", "least", "small", "users") + " in (" + random.nextInt(9) + ", "
                        + (random.nextInt(9) - 9) + ", 17)");
            default -> Text.same("big " + one("<", ">=") + " " + (random.nextLong() >>> 1));
        };
    }

    private Text compared(Text left, Text right) {
        String comparison = COMPARISONS.get(random.nextInt(COMPARISONS.size()));
        String sql = comparison.equals("==") ? "=" : comparison.equals("!=") ? "<>" : comparison;
        return left.then(' ' + comparison + ' ', ' ' + sql + ' ', right);
    }

    /** Makes an integer, without overflow at any depth up to 2. */
    Text integer(int depth) {
        return switch (random.nextInt(depth == 0 ? 2 : 5)) {
            case 0 -> Text.same(one("id", "hits", "small", "least", "users"));
            case 1 -> Text.same(Integer.toString(random.nextInt(250)));
            case 2 -> integer(depth - 1).then(one(" + ", " - ", " * "), integer(depth - 1));
            case 3 -> integer(depth - 1).within("-");
            default -> {
                String column = one("latest", "host");
                yield new Text("len(" + column + ")", "length(" + column + ")");
            }
        };
    }

    private Text amount() {
        return Text.same(random.nextBoolean() ? "cost" : random.nextInt(40) + "." + random.nextInt(1000));
    }

    /** Makes a double that is a multiple of a quarter, as are all its parts. */
    Text fraction() {
        return random.nextBoolean()
                ? Text.same("seconds").then(one(" + ", " - "), Text.same(one("hits", "small")))
                : Text.same(random.nextInt(100) + ".25");
    }

    private Text time() {
        int minute = 10 + random.nextInt(50);
        return random.nextBoolean()
                ? Text.same("seen")
                : new Text(
                        "timestamp('2026-11-20T12:" + minute + ":00Z')",
                        "timestamptz '2026-11-20 12:" + minute + ":00+00'");
    }

    private Text text() {
        return switch (random.nextInt(6)) {
            case 0, 1 -> Text.same(one("host", "latest"));
            case 2 -> Text.same("'" + one("a", "b", "bb", "web1", "Web1", "w\u00e9b", "", "\u6f22") + "'");
            case 3 -> Text.same("lower(" + one("host", "latest") + ")");
            case 4 -> Text.same("coalesce(latest, 'none')");
            default -> new Text("host + latest", "host || latest");
        };
    }

    private String one(String... of) {
        return of[random.nextInt(of.length)];
    }
}
