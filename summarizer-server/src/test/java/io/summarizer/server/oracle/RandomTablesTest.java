package io.summarizer.server.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.Seeds;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.ledger.LedgerJson;
import io.summarizer.core.ledger.NullReason;
import io.summarizer.core.ledger.NullValues;
import io.summarizer.server.cli.Commands;
import io.summarizer.server.oracle.PlainModel.Block;
import io.summarizer.server.oracle.PlainModel.Column;
import io.summarizer.server.oracle.PlainModel.Mapping;
import io.summarizer.server.oracle.PlainModel.Operand;
import io.summarizer.server.oracle.PlainModel.Result;
import io.summarizer.server.oracle.PlainModel.Run;
import io.summarizer.server.oracle.PlainModel.Scope;
import io.summarizer.server.oracle.PlainModel.Statement;
import io.summarizer.server.oracle.PlainModel.Table;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random definitions over random events, through {@code run}, make the tables, nulls and refusals of a {@link
 * PlainModel}: all types of values, sums far beyond 64 bits, amounts of several scales and at their bound, texts at
 * theirs, times with and without a zone, enums, a {@code oneof}, loops, nested rows, bounds on keys with and without an
 * overflow, and state files between two runs.
 */
class RandomTablesTest {
    private static final int TEXT_BYTES = 64;
    private static final int KEY_BYTES = 256;
    /** Longer than the longest key. */
    private static final String LONG = "k".repeat(300);

    private static final String PROTO = """
            syntax = "proto3";
            import "google/protobuf/timestamp.proto";
            enum Shade { NONE = 0; RED = 1; GREEN = 5; }
            message Item { string sku = 1; int64 q = 2; string paid = 3; }
            message E {
                int64 n = 1; int32 s = 2; uint64 u = 3; double d = 4; string t = 5; string amount = 6; double price = 7;
                bool b = 8; google.protobuf.Timestamp at = 9; string moment = 10; Shade e = 11;
                oneof way { int64 lane = 12; string road = 13; }
                repeated Item items = 14;
            }
            """;
    private static final List<String> MEMBERS =
            List.of("n", "s", "u", "d", "t", "amount", "price", "b", "at", "moment", "e", "lane", "road");
    private static final Set<String> NUMBERS = Set.of("n", "s", "u", "d", "price", "b", "lane", "q");
    private static final Map<String, String> SHADES = Map.of("NONE", "0", "RED", "1", "GREEN", "5", "77", "77");

    private static final List<String> TEXTS = List.of(
            "a",
            "b",
            "bb",
            "",
            "c,d",
            "\u6f22",
            "q\"q",
            "12",
            "-5",
            "12,50",
            "y".repeat(TEXT_BYTES),
            "\u00e9".repeat(TEXT_BYTES / 2),
            "\u00e9".repeat(TEXT_BYTES / 2) + "z");
    private static final List<String> AMOUNTS = List.of(
            "0",
            "1",
            "-1",
            "12.5",
            "0.01",
            "-0.000001",
            "0.0000005",
            "-0.0000005",
            "0.00000049",
            "3.1415926535",
            "1e3",
            "-2.5E-3",
            "9223372036854.775807",
            "-9223372036854.775807",
            "9223372036854.775808",
            "9223372036854.7758074",
            "12,50",
            "free",
            "");
    private static final List<String> PRICES =
            List.of("0.1", "0.1234565", "-0.1234565", "7", "19.99", "1e-6", "123456789.123456", "-0.25");
    private static final List<String> TIMES = List.of(
            "2026-11-20T10:00:00Z",
            "2026-11-20T10:00:00.1234567Z",
            "2026-11-20T10:59:59.999999+01:30",
            "2026-07-01T12:00:00",
            "2026-03-29T02:30:00",
            "2026-10-25T02:30:00",
            "2026-12-31T23:59:59.5-05:00",
            "1795132800123");
    private static final List<ZoneId> ZONES =
            List.of(ZoneId.of("UTC"), ZoneId.of("Europe/Berlin"), ZoneId.of("America/New_York"), ZoneId.of("+05:30"));

    private static Operand operand(char type, String text, Function<Scope, @Nullable Object> value) {
        return new Operand(type, text, value);
    }

    private static Operand text(String text, Function<String, Object> value) {
        String field = text.replaceAll(".*\\b(t|e|road|sku)\\b.*", "$1");
        String name = field.equals("sku") ? "x.sku" : field;
        return operand(value.apply("12") instanceof Boolean ? 'b' : 's', text, scope -> {
            String of = scope.text(name);
            return of == null ? null : value.apply(of);
        });
    }

    private static Operand calculated(String text, Function<Scope, @Nullable Object> value) {
        return operand('i', text, value);
    }

    private static @Nullable Object integer(Scope scope, String name) {
        return PlainModel.integer(scope.text(name));
    }

    private static @Nullable Object flag(Scope scope, String name) {
        String text = scope.text(name);
        return text == null ? null : (Object) text.equals("true");
    }

    private static @Nullable Object compared(@Nullable Object left, Function<Object, Boolean> holds) {
        return left == null ? null : (Object) holds.apply(left);
    }

    /** The expressions; those with {@code x.} in loops alone. */
    private static final List<Operand> OPERANDS = List.of(
            calculated("n", scope -> integer(scope, "n")),
            calculated("s", scope -> integer(scope, "s")),
            calculated("lane", scope -> integer(scope, "lane")),
            calculated("x.q", scope -> integer(scope, "x.q")),
            calculated("int64(t)", scope -> PlainModel.parsed(scope.text("t"))),
            calculated("int64(x.sku)", scope -> PlainModel.parsed(scope.text("x.sku"))),
            calculated("n + 1", scope -> PlainModel.arithmetic('+', integer(scope, "n"), 1L)),
            calculated("n - x.q", scope -> PlainModel.arithmetic('-', integer(scope, "n"), integer(scope, "x.q"))),
            calculated("n * s", scope -> PlainModel.arithmetic('*', integer(scope, "n"), integer(scope, "s"))),
            calculated("-n", scope -> PlainModel.arithmetic('-', 0L, integer(scope, "n"))),
            calculated("s % lane", scope -> PlainModel.arithmetic('%', integer(scope, "s"), integer(scope, "lane"))),
            calculated("coalesce(lane, 7)", scope -> Objects.requireNonNullElse(integer(scope, "lane"), 7L)),
            calculated("if(b, s, n)", scope -> integer(scope, Boolean.TRUE.equals(flag(scope, "b")) ? "s" : "n")),
            calculated("len(t)", scope -> {
                String text = scope.text("t");
                return text == null ? null : (Object) (long) text.codePointCount(0, text.length());
            }),
            operand('u', "u", scope -> {
                String text = scope.text("u");
                return text == null ? null : new BigInteger(text);
            }),
            operand('d', "d", scope -> {
                String text = scope.text("d");
                return text == null ? null : (Object) Double.parseDouble(text);
            }),
            operand('d', "s / 4", scope -> {
                Object value = integer(scope, "s");
                return value == null ? null : (Object) ((Long) value / 4.0);
            }),
            operand('d', "s", scope -> integer(scope, "s")),
            operand('c', "amount", scope -> PlainModel.amount(scope.text("amount"))),
            operand('c', "x.paid", scope -> PlainModel.amount(scope.text("x.paid"))),
            operand('c', "price", scope -> PlainModel.amount(scope.text("price"))),
            operand('c', "-price", scope -> PlainModel.amount(negated(scope.text("price")))),
            operand(
                    'c',
                    "coalesce(price, 0.25)",
                    scope -> PlainModel.amount(Objects.requireNonNullElse(scope.text("price"), "0.25"))),
            operand('c', "n", scope -> integer(scope, "n")),
            operand('c', "s * 1000", scope -> PlainModel.arithmetic('*', integer(scope, "s"), 1000L)),
            operand('c', "-(n * 1)", scope -> PlainModel.arithmetic('-', 0L, integer(scope, "n"))),
            text("t", value -> value),
            text("e", value -> value),
            text("road", value -> value),
            text("x.sku", value -> value),
            text("lower(t)", value -> value.toLowerCase(Locale.ROOT)),
            text("concat(t, \"!\")", value -> value + "!"),
            text("upper(e)", value -> value.toUpperCase(Locale.ROOT)),
            operand('b', "b", scope -> flag(scope, "b")),
            operand('b', "not b", scope -> PlainModel.not(flag(scope, "b"))),
            operand('b', "s > 3", scope -> compared(integer(scope, "s"), value -> (Long) value > 3)),
            operand(
                    'b',
                    "s in (1, 2, -3, 17)",
                    scope -> compared(integer(scope, "s"), Set.of(1L, 2L, -3L, 17L)::contains)),
            operand('b', "x.q != 2", scope -> compared(integer(scope, "x.q"), value -> (Long) value != 2)),
            operand('b', "has(lane)", scope -> scope.text("lane") != null),
            operand('b', "has(moment)", scope -> scope.text("moment") != null),
            text("e == \"RED\"", "RED"::equals),
            text("t < \"bb\"", value -> value.compareTo("bb") < 0),
            operand(
                    'b',
                    "b and s > 0",
                    scope ->
                            PlainModel.and(flag(scope, "b"), compared(integer(scope, "s"), value -> (Long) value > 0))),
            operand('t', "at", scope -> PlainModel.time(scope.text("at"), scope.zone())),
            operand('t', "timestamp(moment)", scope -> PlainModel.time(scope.text("moment"), scope.zone())),
            operand(
                    't',
                    "bucket(at, 1h)",
                    scope -> PlainModel.bucket(PlainModel.time(scope.text("at"), scope.zone()), 3_600_000_000L)),
            operand(
                    't',
                    "bucket(at, 1mo, \"America/St_Johns\")",
                    scope -> PlainModel.month(
                            PlainModel.time(scope.text("at"), scope.zone()), ZoneId.of("America/St_Johns"))));

    private static @Nullable String negated(@Nullable String number) {
        return number == null ? null : number.startsWith("-") ? number.substring(1) : "-" + number;
    }

    /** Types of values, each with the types of its operands. */
    private static final Map<String, String> VALUES = new TreeMap<>(Map.ofEntries(
            Map.entry("sumint32", "i"),
            Map.entry("sumint64", "i"),
            Map.entry("sumcurrency", "c"),
            Map.entry("sumfloat", "d"),
            Map.entry("sumdouble", "d"),
            Map.entry("count", "iudsbt"),
            Map.entry("minint64", "i"),
            Map.entry("maxint64", "i"),
            Map.entry("mindouble", "d"),
            Map.entry("maxdouble", "d"),
            Map.entry("mintimestamp", "t"),
            Map.entry("maxtimestamp", "t"),
            Map.entry("firststring", "s"),
            Map.entry("laststring", "s"),
            Map.entry("firstint64", "i"),
            Map.entry("lastint64", "i"),
            Map.entry("multiset64", "stb")));

    private static final Map<Character, List<String>> KEYS = Map.of(
            'i',
            List.of("int64", "int32"),
            'u',
            List.of("uint64"),
            's',
            List.of("string"),
            'b',
            List.of("bool"),
            't',
            List.of("timestamp"));

    @TempDir
    private Path folder;

    @Test
    void areThoseOfAPlainModel() throws IOException {
        assertThat(compare(8, 600)).containsKeys("rows");
    }

    @Test
    @Tag("long")
    void areThoseOfAPlainModelForManyEvents() throws IOException {
        assertThat(compare(150, 2_500))
                .containsKeys("rows", "nested rows", "wide sums", "nulls", "refused", "overflow", "states");
    }

    /** Returns the frequency of each case. */
    private Map<String, Integer> compare(int rounds, int events) throws IOException {
        long seed = Seeds.first();
        Random seeds = new Random(seed);
        Map<String, Integer> seen = new TreeMap<>();
        for (int round = 0; round < rounds; round++) {
            Path own = Files.createDirectories(folder.resolve("" + round));
            new Comparison(new Random(seeds.nextLong()), own, "seed " + seed + ", round " + round).run(events, seen);
        }
        return seen;
    }

    /** An event and its message; {@code event} is null for one that cannot be read. */
    private record Made(@Nullable Map<String, String> event, List<Map<String, String>> items, String payload) {}

    /** One set of definitions and its events. */
    private static final class Comparison {
        private final Random random;
        private final Path folder;
        private final String round;
        private final boolean json;
        private final boolean longTexts;
        private final ZoneId zone;
        private final Table top;
        private final List<Mapping> mappings = new ArrayList<>();
        private final Map<String, Table> tables = new HashMap<>();
        private final StringBuilder summ = new StringBuilder();
        /** Names of the expressions of a mapping; the number of evaluations of equal ones is not specified. */
        private final Set<String> expressions = new HashSet<>();

        private boolean equalExpressions;

        Comparison(Random random, Path folder, String round) {
            this.random = random;
            this.folder = folder;
            this.round = round;
            json = random.nextInt(3) != 0;
            longTexts = random.nextInt(3) == 0;
            zone = one(ZONES);
            boolean limited = random.nextBoolean();
            top = table("S", 0, limited, limited && random.nextInt(3) != 0);
            summ.append("import \"e.proto\";\nevent E on \"e\" as ")
                    .append(json ? "json" : "csv")
                    .append(";\n");
            declare(top, "S");
            for (int i = 1 + random.nextInt(2); i > 0; i--) {
                mappings.add(mapping());
            }
        }

        private <T> T one(List<T> all) {
            return all.get(random.nextInt(all.size()));
        }

        // Definitions

        private Table table(String path, int depth, boolean limited, boolean overflow) {
            List<Column> keys = new ArrayList<>();
            List<Column> values = new ArrayList<>();
            for (int i = 1 + random.nextInt(3 - depth); i > 0; i--) {
                char type = "iussbt".charAt(random.nextInt(6));
                keys.add(new Column("k" + depth + keys.size(), one(Objects.requireNonNull(KEYS.get(type)))));
            }
            for (int i = 1 + random.nextInt(5); i > 0; i--) {
                values.add(new Column("v" + depth + values.size(), one(List.copyOf(VALUES.keySet()))));
            }
            boolean own = limited && (depth == 0 || random.nextBoolean());
            Table nested = depth < 2 && random.nextInt(4) != 0
                    ? table(path + "." + "nm".charAt(depth), depth + 1, limited, overflow)
                    : null;
            Table table = new Table(path, keys, values, nested, own ? 3 + random.nextInt(20) : 0, own && overflow);
            tables.put(path, table);
            return table;
        }

        private void declare(Table table, String name) {
            summ.append("summary ").append(name).append(" {\n");
            if (table.limit() > 0) {
                summ.append("limit keys = ")
                        .append(table.limit())
                        .append(table.overflow() ? " overflow = other;\n" : ";\n");
            }
            summ.append("key {");
            declare(table.keys());
            summ.append(" }\nvalue {");
            declare(table.values());
            Table nested = table.nested();
            if (nested != null) {
                String type = nested.field().toUpperCase(Locale.ROOT);
                summ.append('\n');
                declare(nested, type);
                summ.append("repeated ")
                        .append(type)
                        .append(' ')
                        .append(nested.field())
                        .append(" = 100;");
            }
            summ.append(" }\n}\n");
        }

        private void declare(List<Column> columns) {
            for (int i = 0; i < columns.size(); i++) {
                Column column = columns.get(i);
                summ.append(String.format(" %s %s = %d;", column.type(), column.name(), i + 1));
            }
        }

        private Mapping mapping() {
            expressions.clear();
            Operand where = condition(false);
            boolean keyed = json && random.nextInt(4) == 0;
            Operand itemWhere = keyed ? condition(true) : null;
            summ.append("map E into S").append(where(where)).append(" {\n");
            if (keyed) {
                summ.append("for x in items").append(where(itemWhere)).append(" {\n");
            }
            List<Operand> key = key(top, keyed);
            summ.append("key {");
            for (int i = 0; i < key.size(); i++) {
                summ.append(String.format(
                        " %s = %s;", top.keys().get(i).name(), key.get(i).text()));
            }
            summ.append(" }\n");
            Block block = new Block(top, key, statements(top, keyed));
            summ.append(keyed ? "}\n}\n" : "}\n");
            return new Mapping(where, keyed, itemWhere, block);
        }

        private List<Operand> key(Table table, boolean inLoop) {
            return table.keys().stream()
                    .map(column -> operand(
                            column,
                            KEYS.entrySet().stream()
                                    .filter(type -> type.getValue().contains(column.type()))
                                    .map(type -> type.getKey().toString())
                                    .findFirst()
                                    .orElseThrow(),
                            inLoop))
                    .toList();
        }

        /** Returns an operand for a column, mostly one that it does not have yet. */
        private Operand operand(Column column, String types, boolean inLoop) {
            for (int tries = 0; tries < 5; tries++) {
                Operand operand = operand(types, inLoop);
                if (expressions.add(column.name() + " " + operand.text())) {
                    return operand;
                }
            }
            equalExpressions = true;
            return operand(types, inLoop);
        }

        private Operand operand(String types, boolean inLoop) {
            return one(OPERANDS.stream()
                    .filter(operand -> types.indexOf(operand.type()) >= 0)
                    .filter(operand -> inLoop || !operand.text().contains("x."))
                    .toList());
        }

        private @Nullable Operand condition(boolean inLoop) {
            return random.nextInt(3) == 0 ? operand("b", inLoop) : null;
        }

        private static String where(@Nullable Operand condition) {
            return condition == null ? "" : " where " + condition.text();
        }

        private List<Statement> statements(Table table, boolean inLoop) {
            List<Statement> statements = new ArrayList<>();
            for (int i = 1 + random.nextInt(4); i > 0; i--) {
                boolean loop = json && !inLoop && random.nextInt(4) == 0;
                boolean inner = inLoop || loop;
                Operand where = condition(inner);
                if (loop) {
                    summ.append("for x in items").append(where(where)).append(" {\n");
                }
                Table nested = table.nested();
                if (nested != null && random.nextInt(2) == 0) {
                    List<Operand> key = key(nested, inner);
                    summ.append(nested.field()).append('[');
                    for (int k = 0; k < key.size(); k++) {
                        summ.append(k == 0 ? "" : ", ")
                                .append(nested.keys().get(k).name())
                                .append(" = ")
                                .append(key.get(k).text());
                    }
                    summ.append(']').append(loop ? "" : where(where)).append(" {\n");
                    Block block = new Block(nested, key, statements(nested, inner));
                    summ.append("}\n");
                    statements.add(new Statement(0, null, where, block, loop));
                } else {
                    int column = random.nextInt(table.values().size());
                    Column value = table.values().get(column);
                    Operand operand = operand(value, Objects.requireNonNull(VALUES.get(value.type())), inner);
                    summ.append(value.name()).append(" += ").append(operand.text());
                    summ.append(loop ? "" : where(where)).append(";\n");
                    statements.add(new Statement(column, operand, where, null, loop));
                }
                summ.append(loop ? "}\n" : "");
            }
            return statements;
        }

        // Events

        private Made event() {
            if (json && random.nextInt(100) == 0) {
                return new Made(null, List.of(), "{\"n\":");
            }
            Map<String, String> event = new LinkedHashMap<>();
            for (String member : MEMBERS) {
                if (random.nextInt(8) != 0) {
                    event.put(member, value(member));
                }
            }
            boolean overridden = event.containsKey("lane") && event.containsKey("road");
            String lane = overridden ? event.remove("lane") : null;
            List<Map<String, String>> items = new ArrayList<>();
            for (int i = json ? random.nextInt(4) : 0; i > 0; i--) {
                Map<String, String> item = new LinkedHashMap<>();
                for (String member : List.of("sku", "q", "paid")) {
                    if (random.nextInt(8) != 0) {
                        item.put(member, value(member));
                    }
                }
                items.add(item);
            }
            return new Made(event, items, json ? object(event, lane, items) : line(event, lane));
        }

        private String value(String member) {
            return switch (member) {
                case "n" ->
                    Long.toString(
                            switch (random.nextInt(4)) {
                                case 0 -> Long.MAX_VALUE - random.nextInt(2);
                                case 1 -> Long.MIN_VALUE + random.nextInt(2);
                                case 2 -> random.nextInt(200) - 100;
                                default -> random.nextLong() >> random.nextInt(64);
                            });
                case "s" -> Integer.toString(random.nextInt(20) - 10);
                case "u" -> Long.toUnsignedString(random.nextInt(4) == 0 ? random.nextLong() : random.nextInt(9));
                case "d" -> Double.toString((random.nextInt(2000) - 1000) / 8.0 + 0.0);
                case "amount", "paid" -> one(AMOUNTS);
                case "price" -> one(PRICES);
                case "b" -> Boolean.toString(random.nextBoolean());
                case "at" -> one(TIMES);
                case "moment" -> random.nextInt(6) == 0 ? "garbage" : one(TIMES);
                case "e" -> one(List.of("NONE", "RED", "GREEN", "77"));
                case "lane", "q" -> Integer.toString(random.nextInt(4));
                default -> longTexts && random.nextInt(20) == 0 ? LONG : one(TEXTS);
            };
        }

        private String line(Map<String, String> event, @Nullable String lane) {
            List<String> columns = new ArrayList<>();
            for (String member : MEMBERS) {
                String value = member.equals("lane") && lane != null ? lane : event.get(member);
                if (value == null) {
                    columns.add("");
                } else {
                    String shown = member.equals("e") && random.nextBoolean()
                            ? Objects.requireNonNull(SHADES.get(value))
                            : value;
                    boolean quoted =
                            shown.isEmpty() || shown.contains(",") || shown.contains("\"") || random.nextInt(9) == 0;
                    columns.add(quoted ? '"' + shown.replace("\"", "\"\"") + '"' : shown);
                }
            }
            return String.join(",", columns);
        }

        private String object(Map<String, String> event, @Nullable String lane, List<Map<String, String>> items) {
            List<String> members = new ArrayList<>();
            event.forEach((name, value) -> {
                if (random.nextInt(30) == 0) {
                    members.add('"' + name + "\":[\"overridden\"]");
                }
                members.add(member(name, value));
            });
            if (random.nextBoolean()) {
                Collections.shuffle(members, random);
                members.removeIf(member -> member.endsWith("[\"overridden\"]"));
            }
            if (lane != null) {
                members.add(0, member("lane", lane));
            }
            List<String> elements = items.stream()
                    .map(item -> {
                        List<String> inner = new ArrayList<>();
                        item.forEach((name, value) -> inner.add(member(name, value)));
                        return "{" + String.join(",", inner) + "}";
                    })
                    .toList();
            members.add("\"items\":[" + String.join(",", elements) + "]");
            if (random.nextInt(4) == 0) {
                members.add("\"unknown\":{\"a\":[1,{}]}");
            }
            return "{" + String.join(",", members) + "}";
        }

        private String member(String name, String value) {
            String shown = name.equals("e") && random.nextBoolean() ? Objects.requireNonNull(SHADES.get(value)) : value;
            boolean bare = NUMBERS.contains(name) || (name.equals("e") && !shown.equals(value));
            boolean text = !bare || (!name.equals("b") && random.nextInt(6) == 0);
            return '"' + name + "\":" + (text ? '"' + shown.replace("\"", "\\\"") + '"' : shown);
        }

        // Both sides

        void run(int count, Map<String, Integer> seen) throws IOException {
            Path definitions = Files.createDirectories(folder.resolve("definitions"));
            Files.writeString(definitions.resolve("e.proto"), PROTO);
            Files.writeString(definitions.resolve("s.summ"), summ);
            List<Made> events = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                events.add(event());
            }
            boolean states = random.nextInt(3) == 0;
            if (states) {
                Path state = folder.resolve("first.state");
                command("--state", state.toString(), lines("first.log", events.subList(0, count / 2)));
                command("--from-state", state.toString(), lines("second.log", events.subList(count / 2, count)));
                note(seen, "states", 1);
            } else {
                command(lines("all.log", events));
            }
            Map<String, Map<List<String>, List<@Nullable String>>> actual = tables();
            Run run = new Run(zone, TEXT_BYTES, (path, key) -> hasRow(actual, path, key));
            for (Made made : events) {
                if (made.event() != null) {
                    run.event(mappings, made.event(), made.items());
                }
            }
            Result expected = run.result();
            expected.tables.forEach((path, rows) -> {
                boolean overflow = path.startsWith("S.overflow");
                note(seen, overflow ? "overflow" : path.equals("S") ? "rows" : "nested rows", rows.size());
                note(
                        seen,
                        "wide sums",
                        rows.values().stream()
                                .flatMap(List::stream)
                                .filter(Comparison::isWide)
                                .count());
            });
            compareTables(expected, actual);
            compareBounds(expected, actual);
            if (!states) {
                compareLedger(expected, events, seen);
            }
        }

        private static void note(Map<String, Integer> seen, String what, long times) {
            if (times > 0) {
                seen.merge(what, (int) times, Integer::sum);
            }
        }

        private static boolean isWide(@Nullable String value) {
            return value != null && value.matches("-?[0-9]{20,}");
        }

        private String lines(String name, List<Made> events) throws IOException {
            StringBuilder text = new StringBuilder();
            events.forEach(made ->
                    text.append("<13>1 - - - - e - ").append(made.payload()).append('\n'));
            return Files.writeString(folder.resolve(name), text).toString();
        }

        private void command(String... arguments) {
            List<String> all = new ArrayList<>(List.of(
                    "run",
                    "--definitions",
                    folder.resolve("definitions").toString(),
                    "--out",
                    folder.resolve("out").toString(),
                    "--set",
                    "limits.key-bytes=" + KEY_BYTES + "B",
                    "--set",
                    "limits.text-bytes=" + TEXT_BYTES + "B",
                    "--set",
                    "listen.syslog-tcp.timezone=" + zone.getId()));
            all.addAll(List.of(arguments));
            Commands.Outcome outcome = Commands.run(all.toArray(String[]::new));
            assertThat(outcome.exit()).as(round + "\n" + summ + outcome.err()).isZero();
        }

        private boolean hasRow(
                Map<String, Map<List<String>, List<@Nullable String>>> actual, String path, List<String> key) {
            Table table = Objects.requireNonNull(tables.get(path));
            List<String> own = key.subList(key.size() - table.keys().size(), key.size());
            if (own.stream().anyMatch(part -> part.length() >= LONG.length())) {
                return false;
            }
            return table.limit() == 0
                    || Objects.requireNonNull(actual.get(path)).containsKey(key);
        }

        /** Reads all files of the run. */
        private Map<String, Map<List<String>, List<@Nullable String>>> tables() throws IOException {
            Map<String, Map<List<String>, List<@Nullable String>>> found = new HashMap<>();
            int keys = 0;
            for (Table table = top; table != null; table = table.nested()) {
                keys += table.keys().size();
                found.put(table.path(), rows(table.path(), keys, table));
                String overflow = "S.overflow" + table.path().substring(1);
                if (Files.exists(folder.resolve("out/" + overflow + ".csv"))) {
                    found.put(overflow, rows(overflow, keys, table));
                }
            }
            return found;
        }

        private Map<List<String>, List<@Nullable String>> rows(String name, int keys, Table table) throws IOException {
            Map<List<String>, List<@Nullable String>> rows = new HashMap<>();
            String csv = Files.readString(folder.resolve("out/" + name + ".csv"));
            for (List<@Nullable String> record : records(csv.substring(csv.indexOf('\n') + 1))) {
                assertThat(record)
                        .as(round + "\n" + summ + name)
                        .hasSize(keys + table.values().size());
                List<String> key = record.subList(0, keys).stream()
                        .map(part -> part == null ? PlainModel.NULL : part)
                        .toList();
                List<@Nullable String> values = new ArrayList<>();
                for (int i = 0; i < table.values().size(); i++) {
                    values.add(PlainModel.normal(table.values().get(i).type(), record.get(keys + i)));
                }
                assertThat(rows.put(key, values))
                        .as("%s\n%s%s: twice %s", round, summ, name, key)
                        .isNull();
            }
            return rows;
        }

        /** Parses records of RFC 4180; an empty column is null, {@code ""} is not. */
        private static List<List<@Nullable String>> records(String csv) {
            List<List<@Nullable String>> records = new ArrayList<>();
            List<@Nullable String> record = new ArrayList<>();
            int at = 0;
            while (at < csv.length()) {
                StringBuilder value = new StringBuilder();
                boolean quoted = csv.charAt(at) == '"';
                if (quoted) {
                    at++;
                    while (csv.charAt(at) != '"' || (at + 1 < csv.length() && csv.charAt(at + 1) == '"')) {
                        at += csv.charAt(at) == '"' ? 1 : 0;
                        value.append(csv.charAt(at++));
                    }
                    at++;
                } else {
                    while (csv.charAt(at) != ',' && csv.charAt(at) != '\n') {
                        value.append(csv.charAt(at++));
                    }
                }
                record.add(quoted || value.length() > 0 ? value.toString() : null);
                if (csv.charAt(at++) == '\n') {
                    records.add(record);
                    record = new ArrayList<>();
                }
            }
            return records;
        }

        private void compareTables(Result expected, Map<String, Map<List<String>, List<@Nullable String>>> actual) {
            Set<String> paths = new HashSet<>(expected.tables.keySet());
            paths.addAll(actual.keySet());
            for (String path : paths) {
                Map<List<String>, List<@Nullable String>> wanted = expected.tables.getOrDefault(path, Map.of());
                Map<List<String>, List<@Nullable String>> found = actual.getOrDefault(path, Map.of());
                List<String> problems = new ArrayList<>();
                Set<List<String>> keys = new HashSet<>(wanted.keySet());
                keys.addAll(found.keySet());
                for (List<String> key : keys) {
                    if (!isSame(wanted.get(key), found.get(key))) {
                        problems.add(key + ": expected " + wanted.get(key) + ", found " + found.get(key));
                    }
                }
                assertThat(problems.stream().limit(5))
                        .as("%s, zone %s\n%s%s: %d of %d rows", round, zone, summ, path, problems.size(), keys.size())
                        .isEmpty();
            }
        }

        private static boolean isSame(@Nullable List<@Nullable String> wanted, @Nullable List<@Nullable String> found) {
            if (wanted == null || found == null || wanted.size() != found.size()) {
                return false;
            }
            for (int i = 0; i < wanted.size(); i++) {
                String value = wanted.get(i);
                boolean same = (value != null && value.contains(PlainModel.OR))
                        ? Arrays.asList(value.split(PlainModel.OR, -1)).contains(found.get(i))
                        : Objects.equals(value, found.get(i));
                if (!same) {
                    return false;
                }
            }
            return true;
        }

        /** A table has as many rows as its bound when more keys requested one. */
        private void compareBounds(Result expected, Map<String, Map<List<String>, List<@Nullable String>>> actual) {
            tables.forEach((path, table) -> {
                if (table.limit() > 0) {
                    long asked = expected.asked.getOrDefault(path, Set.of()).stream()
                            .filter(key -> key.subList(key.size() - table.keys().size(), key.size()).stream()
                                    .noneMatch(part -> part.length() >= LONG.length()))
                            .count();
                    assertThat(actual.get(path))
                            .as("%s\n%s%s: %d keys asked", round, summ, path, asked)
                            .hasSize((int) Math.min(asked, table.limit()));
                }
            });
        }

        private void compareLedger(Result expected, List<Made> events, Map<String, Integer> seen) throws IOException {
            LedgerCounts counts;
            try (InputStream in = Files.newInputStream(folder.resolve("out/ledger.json"))) {
                counts = LedgerJson.read(in);
            }
            assertThat(counts.total().count(Fate.LIMIT)).as(round + "\n" + summ).isEqualTo(expected.refused);
            note(seen, "refused", expected.refused);
            if (longTexts || equalExpressions) {
                return; // unspecified: how much of a refused update is evaluated, and how often equal expressions are
            }
            Map<NullReason, Long> nulls = new EnumMap<>(NullReason.class);
            for (NullReason reason : NullReason.values()) {
                long count = counts.nulls().stream()
                        .mapToLong((NullValues values) -> values.count(reason))
                        .sum();
                if (count > 0) {
                    nulls.put(reason, count);
                }
            }
            assertThat(nulls).as("%s\n%s%s", round, summ, counts.nulls()).isEqualTo(expected.nulls);
            note(seen, "nulls", nulls.size());
            long bad = events.stream().filter(made -> made.event() == null).count();
            assertThat(counts.total().count(Fate.PAYLOAD))
                    .as(round + "\n" + summ)
                    .isEqualTo(bad);
        }
    }
}
