package io.summarizer.server.oracle;

import io.summarizer.core.ledger.NullReason;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A plain implementation of the language: events as maps of text, expressions as functions, tables as maps from keys to
 * cells of {@code BigInteger}, {@code BigDecimal} and sets. It shares no code with the product. One thread.
 */
final class PlainModel {
    private static final BigDecimal AMOUNT_MAX = BigDecimal.valueOf(Long.MAX_VALUE, 6);
    private static final DateTimeFormatter PRINTED = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'");

    private PlainModel() {}

    /** A value that could not be computed. */
    record Failed(NullReason reason) {}

    /** A time, in microseconds since the epoch. */
    record Time(long micros) implements Comparable<Time> {
        @Override
        public int compareTo(Time other) {
            return Long.compare(micros, other.micros);
        }

        @Override
        public String toString() {
            return PRINTED.format(
                    LocalDateTime.ofEpochSecond(0, 0, ZoneOffset.UTC).plus(micros, ChronoUnit.MICROS));
        }
    }

    /** An event, or an element of its list: the text of each member that it has; and the zone of times without one. */
    record Scope(Map<String, String> event, @Nullable Map<String, String> item, ZoneId zone) {
        @Nullable
        String text(String name) {
            return name.startsWith("x.") ? Objects.requireNonNull(item).get(name.substring(2)) : event.get(name);
        }
    }

    /**
     * An expression.
     *
     * @param type of {@code i}nteger, {@code u}nsigned, {@code d}ouble, {@code c}urrency, {@code s}tring, {@code b}ool,
     *     {@code t}ime
     * @param value null, a {@link Failed}, or a value of the type
     */
    record Operand(char type, String text, Function<Scope, @Nullable Object> value) {}

    /** A column of a key or of values. */
    record Column(String name, String type) {}

    /** A summary, or one that is nested; {@code limit} is 0 for none. */
    record Table(
            String path,
            List<Column> keys,
            List<Column> values,
            @Nullable Table nested,
            int limit,
            boolean overflow) {
        String field() {
            return path.substring(path.lastIndexOf('.') + 1);
        }
    }

    /** An update, or with a {@code block} the statements of a nested row. */
    record Statement(
            int column,
            @Nullable Operand operand,
            @Nullable Operand where,
            @Nullable Block block,
            boolean loop) {}

    /** Statements for the row of a key. */
    record Block(Table table, List<Operand> key, List<Statement> statements) {}

    /** A mapping; with {@code keyed} its key is that of each item. */
    record Mapping(
            @Nullable Operand where,
            boolean keyed,
            @Nullable Operand itemWhere,
            Block block) {}

    // Values

    static @Nullable Object integer(@Nullable String text) {
        return text == null ? null : (Object) Long.parseLong(text);
    }

    /** {@code int64(text)}. */
    static @Nullable Object parsed(@Nullable String text) {
        if (text == null) {
            return null;
        }
        return text.matches("[+-]?[0-9]{1,18}") ? (Object) Long.parseLong(text) : new Failed(NullReason.UNREADABLE);
    }

    static @Nullable Object amount(@Nullable String text) {
        if (text == null) {
            return null;
        }
        if (!text.matches("[+-]?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?")) {
            return new Failed(NullReason.UNREADABLE);
        }
        return amount(new BigDecimal(text));
    }

    private static Object amount(BigDecimal exact) {
        BigDecimal rounded = exact.setScale(6, RoundingMode.HALF_UP);
        return rounded.abs().compareTo(AMOUNT_MAX) > 0 ? new Failed(NullReason.RANGE) : rounded;
    }

    static @Nullable Object time(@Nullable String text, ZoneId zone) {
        if (text == null) {
            return null;
        }
        if (text.matches("[0-9]{13}")) {
            return new Time(Long.parseLong(text) * 1000);
        }
        if (!text.startsWith("20")) {
            return new Failed(NullReason.UNREADABLE);
        }
        Instant instant = text.matches(".*(Z|[+-][0-9]{2}:[0-9]{2})")
                ? OffsetDateTime.parse(text).toInstant()
                : LocalDateTime.parse(text).atZone(zone).toInstant();
        return new Time(ChronoUnit.MICROS.between(Instant.EPOCH, instant.truncatedTo(ChronoUnit.MICROS)));
    }

    static @Nullable Object bucket(@Nullable Object time, long micros) {
        return time instanceof Time at ? (Object) new Time(Math.floorDiv(at.micros, micros) * micros) : time;
    }

    /** The start of the local month. */
    static @Nullable Object month(@Nullable Object time, ZoneId zone) {
        if (!(time instanceof Time at)) {
            return time;
        }
        Instant start = Instant.EPOCH
                .plus(at.micros, ChronoUnit.MICROS)
                .atZone(zone)
                .toLocalDate()
                .withDayOfMonth(1)
                .atStartOfDay(zone)
                .toInstant();
        return new Time(ChronoUnit.MICROS.between(Instant.EPOCH, start));
    }

    /** Integer arithmetic that does not wrap. */
    static @Nullable Object arithmetic(char operator, @Nullable Object left, @Nullable Object right) {
        if (left instanceof Failed || left == null) {
            return left;
        }
        if (right instanceof Failed || right == null) {
            return right;
        }
        BigInteger a = BigInteger.valueOf((Long) left);
        BigInteger b = BigInteger.valueOf((Long) right);
        if (operator == '%' && b.signum() == 0) {
            return new Failed(NullReason.DIVISION);
        }
        BigInteger result = switch (operator) {
            case '+' -> a.add(b);
            case '-' -> a.subtract(b);
            case '*' -> a.multiply(b);
            default -> a.remainder(b);
        };
        return result.bitLength() > 63 ? new Failed(NullReason.RANGE) : (Object) result.longValue();
    }

    static @Nullable Object and(@Nullable Object left, @Nullable Object right) {
        if (Boolean.FALSE.equals(left) || Boolean.FALSE.equals(right)) {
            return false;
        }
        return left == null || right == null ? null : (Object) true;
    }

    static @Nullable Object not(@Nullable Object value) {
        return value == null ? null : (Object) !(Boolean) value;
    }

    // Tables

    /** A cell of a column: the state after its observations. */
    private static final class Cell {
        private final String type;
        private final Set<Object> set = new HashSet<>();
        /** Values of the event that decided it, for first or last. */
        private final Set<Object> tied = new TreeSet<>();

        private long decidedBy = -1;
        private @Nullable Object value;

        Cell(String type) {
            this.type = type;
            value = switch (type) {
                case "sumint32", "sumint64", "count" -> BigInteger.ZERO;
                case "sumcurrency" -> BigDecimal.ZERO;
                case "sumfloat", "sumdouble" -> 0.0;
                default -> null;
            };
        }

        @SuppressWarnings({"unchecked", "rawtypes"}) // values of a column have one type
        void add(Object observed, long event) {
            if (type.startsWith("last") && event != decidedBy) {
                tied.clear();
            }
            if (type.startsWith("last") || (type.startsWith("first") && (value == null || event == decidedBy))) {
                decidedBy = event;
                tied.add(observed);
            }
            Object before = value;
            value = switch (type) {
                case "count" -> ((BigInteger) Objects.requireNonNull(before)).add(BigInteger.ONE);
                case "sumint32", "sumint64" ->
                    ((BigInteger) Objects.requireNonNull(before)).add(BigInteger.valueOf((Long) observed));
                case "sumcurrency" -> ((BigDecimal) Objects.requireNonNull(before)).add((BigDecimal) observed);
                case "sumfloat", "sumdouble" -> (Double) Objects.requireNonNull(before) + (Double) observed;
                case "multiset64" -> {
                    set.add(observed);
                    yield null;
                }
                default -> {
                    boolean kept = before != null
                            && (type.startsWith("first")
                                    || (type.startsWith("min") && ((Comparable) before).compareTo(observed) <= 0)
                                    || (type.startsWith("max") && ((Comparable) before).compareTo(observed) >= 0));
                    yield kept ? before : observed;
                }
            };
        }

        /**
         * Prints the value as {@link #normal} normalizes that of a CSV.
         *
         * @param overflow whether the cell is in the overflow, where one event may add for several keys: then all
         *     values that may be the first or last
         */
        @Nullable
        String print(boolean overflow) {
            if (overflow && !tied.isEmpty()) {
                return tied.stream().map(Object::toString).collect(Collectors.joining(OR));
            }
            Object shown = type.equals("multiset64") ? BigInteger.valueOf(set.size()) : value;
            return shown == null ? null : normal(type, shown.toString());
        }
    }

    /** Returns one spelling for each value of a column. */
    static @Nullable String normal(String type, @Nullable String text) {
        if (text == null) {
            return null;
        }
        return switch (type) {
            case "sumcurrency" -> new BigDecimal(text).stripTrailingZeros().toPlainString();
            case "sumfloat", "sumdouble", "mindouble", "maxdouble" -> Double.toString(Double.parseDouble(text) + 0.0);
            default -> text;
        };
    }

    /** The expected result of a whole run. */
    static final class Result {
        /** Rows by the path of their table, {@code S}, {@code S.n}, or with {@code S.overflow}; each by its key. */
        final Map<String, Map<List<String>, List<@Nullable String>>> tables = new HashMap<>();

        /** Keys that requested a row of a table, whether they have one or not. */
        final Map<String, Set<List<String>>> asked = new HashMap<>();

        final Map<NullReason, Long> nulls = new EnumMap<>(NullReason.class);
        /** Number of events of which a part was refused. */
        long refused;
    }

    /** Stands for null in keys. */
    static final String NULL = "\0";

    /** Separates alternative values of a cell. */
    static final String OR = "\1";

    /** Runs definitions over events. */
    static final class Run {
        private final ZoneId zone;
        private final int textBytesMax;
        private final BiPredicate<String, List<String>> hasRow;
        private final Map<String, Map<List<String>, List<Cell>>> tables = new HashMap<>();
        private final Result result = new Result();
        private boolean refused;
        private long events;

        /** The row that receives updates: an existing one, that of the overflow, or none. */
        private record Place(@Nullable List<Cell> cells, boolean overflow, List<String> key, List<Table> path) {}

        /** Makes a run with rows for those keys of a path that {@code hasRow}. */
        Run(ZoneId zone, int textBytesMax, BiPredicate<String, List<String>> hasRow) {
            this.zone = zone;
            this.textBytesMax = textBytesMax;
            this.hasRow = hasRow;
        }

        /** Processes an event with all its mappings. */
        void event(List<Mapping> mappings, Map<String, String> event, List<Map<String, String>> items) {
            refused = false;
            events++;
            mappings.forEach(mapping -> event(mapping, event, items));
            result.refused += refused ? 1 : 0;
        }

        private void event(Mapping mapping, Map<String, String> event, List<Map<String, String>> items) {
            Scope scope = new Scope(event, null, zone);
            if (!holds(mapping.where, scope)) {
                return;
            }
            if (mapping.keyed) {
                for (Map<String, String> item : items) {
                    Scope inner = new Scope(event, item, zone);
                    if (holds(mapping.itemWhere, inner)) {
                        block(mapping.block, null, inner, items);
                    }
                }
            } else {
                block(mapping.block, null, scope, items);
            }
        }

        private boolean holds(@Nullable Operand where, Scope scope) {
            return where == null || Boolean.TRUE.equals(value(where, scope));
        }

        private @Nullable Object value(Operand operand, Scope scope) {
            Object value = operand.value.apply(scope);
            if (value instanceof Failed failed) {
                result.nulls.merge(failed.reason, 1L, Long::sum);
                return null;
            }
            return value;
        }

        private void block(Block block, @Nullable Place above, Scope scope, List<Map<String, String>> items) {
            List<String> key = new ArrayList<>(above == null ? List.of() : above.key);
            for (int i = 0; i < block.key.size(); i++) {
                Object part = value(block.key.get(i), scope);
                if (part != null
                        && block.table.keys.get(i).type.equals("int32")
                        && ((Long) part).intValue() != (Long) part) {
                    result.nulls.merge(NullReason.RANGE, 1L, Long::sum);
                    part = null;
                }
                key.add(part == null ? NULL : part.toString());
            }
            Place place = place(block.table, above, key);
            for (Statement statement : block.statements) {
                List<Scope> scopes = new ArrayList<>();
                if (statement.loop) {
                    items.forEach(item -> scopes.add(new Scope(scope.event, item, zone)));
                } else {
                    scopes.add(scope);
                }
                for (Scope each : scopes) {
                    if (!holds(statement.where, each)) {
                        continue;
                    }
                    if (statement.block != null) {
                        block(statement.block, place, each, items);
                    } else {
                        update(statement, block.table, place, each);
                    }
                }
            }
        }

        private Place place(Table table, @Nullable Place above, List<String> key) {
            List<Table> path = new ArrayList<>(above == null ? List.of() : above.path);
            path.add(table);
            if (above != null && above.cells == null) {
                return new Place(null, false, key, path);
            }
            if (above == null || !above.overflow) {
                result.asked
                        .computeIfAbsent(table.path, unused -> new HashSet<>())
                        .add(key);
                if (hasRow.test(table.path, key)) {
                    return new Place(cells(table, table.path, key), false, key, path);
                }
                if (!table.overflow) {
                    refused = true;
                    return new Place(null, false, key, path);
                }
            }
            // The rows above have one in the overflow, too, even without an update.
            List<Cell> cells = List.of();
            List<String> none = new ArrayList<>();
            for (Table each : path) {
                none.addAll(Collections.nCopies(each.keys.size(), NULL));
                cells = cells(each, "S.overflow" + each.path.substring(1), List.copyOf(none));
            }
            return new Place(cells, true, key, path);
        }

        private List<Cell> cells(Table table, String path, List<String> key) {
            return tables.computeIfAbsent(path, unused -> new HashMap<>())
                    .computeIfAbsent(
                            key,
                            unused -> table.values.stream()
                                    .map(column -> new Cell(column.type))
                                    .toList());
        }

        private void update(Statement statement, Table table, Place place, Scope scope) {
            Object value = value(Objects.requireNonNull(statement.operand), scope);
            if (value == null) {
                return;
            }
            String type = table.values.get(statement.column).type;
            if (type.endsWith("string") && value.toString().getBytes(StandardCharsets.UTF_8).length > textBytesMax) {
                refused = true;
                return;
            }
            Object observed = value;
            if (type.endsWith("double") || type.equals("sumfloat")) {
                observed = value instanceof Long whole ? (Object) whole.doubleValue() : value;
            } else if (type.equals("sumcurrency") && value instanceof Long whole) {
                observed = amount(BigDecimal.valueOf(whole));
                if (observed instanceof Failed failed) {
                    result.nulls.merge(failed.reason, 1L, Long::sum);
                    return;
                }
            }
            if (place.cells != null) {
                place.cells.get(statement.column).add(observed, events);
            }
        }

        /** The expected result of all events. */
        Result result() {
            tables.forEach((path, rows) -> {
                Map<List<String>, List<@Nullable String>> printed = new HashMap<>();
                rows.forEach((key, cells) -> printed.put(
                        key,
                        cells.stream()
                                .map(cell -> cell.print(path.startsWith("S.overflow")))
                                .toList()));
                result.tables.put(path, printed);
            });
            return result;
        }
    }
}
