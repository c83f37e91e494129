package io.summarizer.dsl.check;

import io.summarizer.core.export.CsvName;
import io.summarizer.core.sketch.MultisetArena;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLimit;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.dsl.diagnose.Diagnostics;
import io.summarizer.dsl.diagnose.ForeignAggregates;
import io.summarizer.dsl.diagnose.Span;
import io.summarizer.dsl.diagnose.Suggestions;
import io.summarizer.dsl.parse.Ast;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks {@code summary} declarations. One use, one thread.
 *
 * <p>The class has more than 500 lines, because the checks of numbers, names, overflow and limits each need all parts
 * of a declaration.
 */
final class SummaryChecker {
    /** Maximum number of levels of nested summaries. */
    static final int MAX_DEPTH = 64;
    /**
     * Maximum number of nested summaries that one summary has on all levels together. A type that is used twice counts
     * twice.
     */
    static final int MAX_SIZE = 1000;
    /** Maximum number of fields of one block. There is a bound because updates refer to columns by 16 bits. */
    static final int MAX_FIELDS = 1000;
    /** Largest field number, as in protobuf. */
    static final int MAX_NUMBER = (1 << 29) - 1;

    static final int DEFAULT_LOG2M = 11;
    /** The default width of registers, which is also the largest. */
    static final int DEFAULT_REGWIDTH = 5;

    private static final int LEAST_LOG2M = 4;
    private static final int MOST_LOG2M = 17;
    private static final int LEAST_REGWIDTH = 1;

    /** Pattern of names. Names are restricted because they become names of files and parts of URLs. */
    private static final Pattern FILE_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]{0,99}");

    /** Maximum length of the name of a column, so that tables stay readable. */
    private static final int MAX_NAME = 200;

    /** Smallest limit on bytes that a summary may set. Partitions take memory even before they have a row. */
    private static final long LIMIT_BYTES_MIN = 10_000_000;

    /** Keywords of types, in the order of the types. */
    private static final List<String> KEY_TYPES =
            Arrays.stream(KeyType.values()).map(KeyType::keyword).toList();

    private static final List<String> VALUE_TYPES =
            Arrays.stream(AggregateType.values()).map(AggregateType::keyword).toList();

    /** The summaries that a {@code repeated} field may name. */
    private record Scope(
            Map<String, Ast.Summary> declared, @Nullable Scope outer) {
        Ast.@Nullable Summary find(String name) {
            return owner(name).declared.get(name);
        }

        /** The scope that declares {@code name}; the outermost scope when no scope declares the name. */
        Scope owner(String name) {
            Scope at = this;
            while (!at.declared.containsKey(name) && at.outer != null) {
                at = at.outer;
            }
            return at;
        }

        List<String> names() {
            List<String> names = new ArrayList<>();
            for (Scope at = this; at != null; at = at.outer) {
                names.addAll(at.declared.keySet());
            }
            return names;
        }
    }

    private final Diagnostics diagnostics;
    private final IdentityHashMap<Ast.Summary, SummaryShape> shapes = new IdentityHashMap<>();
    private final IdentityHashMap<Ast.Summary, Boolean> inProgress = new IdentityHashMap<>();
    /** The summaries that a {@code repeated} field names. */
    private final Set<Ast.Summary> used = Collections.newSetFromMap(new IdentityHashMap<>());

    SummaryChecker(Diagnostics diagnostics) {
        this.diagnostics = diagnostics;
    }

    /** Top-level summaries by name, in the order of declaration. */
    Map<String, SummaryShape> check(List<Ast.File> files) {
        Map<String, Ast.Summary> declared = new LinkedHashMap<>();
        for (Ast.File file : files) {
            for (Ast.Declaration declaration : file.declarations()) {
                if (declaration instanceof Ast.Summary summary) {
                    declare(summary, declared);
                }
            }
        }
        Map<String, SummaryShape> checked = new LinkedHashMap<>();
        declared.forEach((name, summary) -> {
            SummaryShape shape = shape(summary, new Scope(declared, null), 1);
            if (shape != null) {
                checked.put(name, shape);
                columnsOnce(shape, name, Map.of());
            }
        });
        filesOnce(declared, checked);
        return checked;
    }

    private void declare(Ast.Summary summary, Map<String, Ast.Summary> declared) {
        Ast.Name name = summary.name();
        fileName(name, "the name of a summary");
        Ast.Summary before = declared.putIfAbsent(name.text(), summary);
        if (before != null) {
            diagnostics.error(
                    name.span(),
                    "summary `" + name.text() + "` is declared already",
                    "first declared at " + before.name().span().place());
            return;
        }
        if (declared.size() == DefinitionsCompiler.MAX_DECLARATIONS + 1) {
            diagnostics.error(name.span(), "too many summaries; at most " + DefinitionsCompiler.MAX_DECLARATIONS);
        }
    }

    private void fileName(Ast.Name name, String what) {
        if (!FILE_NAME.matcher(name.text()).matches()) {
            diagnostics.error(
                    name.span(),
                    what + " becomes a file name and a part of a URL; `" + name.text() + "` cannot",
                    "use at most 100 letters, digits, `_` and `-`, and begin with a letter or `_`");
        }
    }

    /** The shape of a summary, made once; null when the summary contains itself. */
    private @Nullable SummaryShape shape(Ast.Summary summary, Scope scope, int depth) {
        SummaryShape known = shapes.get(summary);
        if (known != null) {
            return known;
        }
        if (inProgress.containsKey(summary)) {
            return null;
        }
        inProgress.put(summary, true);
        SummaryShape shape = new Block(summary, scope, depth).check();
        inProgress.remove(summary);
        shapes.put(summary, shape);
        return shape;
    }

    /**
     * Checks that each CSV has its own file, even on file systems that ignore case. The name of a file has one dot
     * after each name, as in {@code NAME.F.G.csv}, and names have no dots. Therefore, two tables can have the same file
     * only if case is the only difference between their names. There is one exception: the overflow of {@code NAME} has
     * the file {@code NAME.overflow.csv}, as a nested summary {@code overflow} has.
     */
    private void filesOnce(Map<String, Ast.Summary> declared, Map<String, SummaryShape> shapes) {
        Map<String, Ast.Name> summaries = new HashMap<>();
        shapes.forEach((name, shape) -> {
            Ast.Summary summary = declared.get(name);
            if (summary == null) {
                return;
            }
            Ast.Name before = summaries.putIfAbsent(alike(name), summary.name());
            if (before != null) {
                oneFile(
                        summary.name(),
                        CsvName.file(name),
                        CsvName.file(before.text()),
                        before.span().place());
            }
            filesOnce(name, shape);
        });
    }

    private void filesOnce(String name, SummaryShape shape) {
        SummaryLayout tables = shape.tables(name);
        Map<String, CsvName> files = new HashMap<>();
        Set<String> shared = new HashSet<>();
        // Overflow tables come first. If an overflow table and another table have the same file, the error is then
        // reported at the name of the other table, which is in the definitions.
        List<SummaryLayout> written = tables.overflows() ? List.of(tables.overflow(), tables) : List.of(tables);
        for (CsvName table : CsvName.all(written)) {
            String file = table.file();
            CsvName before = files.putIfAbsent(alike(file), table);
            if (before == null || before.equals(table) || !table.summary().equals(name)) {
                continue; // repeated names were reported; an overflow has the names of its summary
            }
            shared.add(alike(table.path()));
            String path = alike(table.path());
            if (shared.contains(path.substring(0, path.lastIndexOf('/')))) {
                continue; // follows from the enclosing table
            }
            SummaryShape around =
                    below(shape, table.fields().subList(0, table.fields().size() - 1));
            Ast.Name nested = named(around, table);
            if (before.summary().equals(name)) {
                oneFile(
                        nested,
                        file,
                        before.file(),
                        named(around, before).span().place());
            } else {
                diagnostics.newError(
                        nested.span(),
                        "`" + before.file() + "` holds what `" + name + "` has no room for, and cannot hold `"
                                + nested.text() + "`, too",
                        "give the nested summary another name; by its number it keeps its rows");
            }
        }
    }

    private static String alike(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    private static SummaryShape below(SummaryShape shape, List<String> fields) {
        SummaryShape at = shape;
        for (String field : fields) {
            at = at.nested().get(at.nested(field)).shape();
        }
        return at;
    }

    /** The field that declares a nested table: the last field in the name of the table. */
    private static Ast.Name named(SummaryShape around, CsvName table) {
        String field = table.fields().get(table.fields().size() - 1);
        return around.nested().get(around.nested(field)).name();
    }

    private void oneFile(Ast.Name name, String file, String other, String place) {
        diagnostics.newError(
                name.span(),
                "`" + file + "` and `" + other + "` are one file where upper and lower case are the same",
                "the other one is declared at " + place + "; rename one of them");
    }

    /** Checks that each column of each CSV has its own name. */
    private void columnsOnce(SummaryShape shape, String path, Map<String, String> inherited) {
        Map<String, String> keys = new HashMap<>(inherited);
        for (SummaryShape.Key key : shape.keys()) {
            column(path, inherited, key.name());
            keys.put(key.name().text(), "a key of `" + path + "`");
        }
        for (SummaryShape.Value value : shape.values()) {
            column(path, inherited, value.name());
        }
        for (SummaryShape.Nested nested : shape.nested()) {
            columnsOnce(nested.shape(), path + "." + nested.name().text(), keys);
        }
    }

    private void column(String path, Map<String, String> inherited, Ast.Name name) {
        String other = inherited.get(name.text());
        if (other != null) {
            diagnostics.error(
                    name.span(),
                    "`" + path + ".csv` would have two columns `" + name.text() + "`",
                    "the other one is " + other + "; rename one of them");
        }
    }

    /** Checks one summary declaration. */
    private final class Block {
        private final Ast.Summary summary;
        private final Scope scope;
        private final int level;

        private final List<SummaryShape.Key> keys = new ArrayList<>();
        private final List<SummaryShape.Value> values = new ArrayList<>();
        private final List<SummaryShape.Nested> nested = new ArrayList<>();
        private final Map<String, Span> names = new HashMap<>();
        private boolean incomplete;
        private int depth = 1;
        private long size = 1;

        Block(Ast.Summary summary, Scope scope, int level) {
            this.summary = summary;
            this.scope = scope;
            this.level = level;
            this.incomplete = summary.incomplete();
        }

        SummaryShape check() {
            keys();
            values();
            SummaryLimit limit = limit();
            values.forEach(value -> capped(value, limit));
            return new SummaryShape(
                    summary.name().text(), keys, values, nested, limit, window(), incomplete, depth, size);
        }

        private @Nullable SummaryWindow window() {
            Ast.Window window = first(summary.windows(), Ast.Window::span, "windows");
            if (window != null && scope.outer() != null) {
                return diagnostics.error(
                        window.span(),
                        "a nested summary has no windows of its own",
                        "its rows are in the windows of the summary around it");
            }
            return window == null ? null : new WindowChecker(diagnostics).window(window, summary, keys);
        }

        /** Returns the first of several statements; null when there is none. Reports the others. */
        private <T> @Nullable T first(List<T> given, Function<T, Span> span, String what) {
            given.stream()
                    .skip(1)
                    .forEach(more -> diagnostics.error(
                            span.apply(more),
                            "summary `" + summary.name().text() + "` has " + what + " already",
                            "first given in line " + span.apply(given.get(0)).line()));
            return given.isEmpty() ? null : given.get(0);
        }

        /**
         * Warns when the registers of a set are so narrow that no estimate can reach the number of keys that the
         * summary may have.
         */
        private void capped(SummaryShape.Value value, SummaryLimit limit) {
            boolean valid = value.regwidth() >= LEAST_REGWIDTH
                    && value.regwidth() < DEFAULT_REGWIDTH
                    && value.log2m() >= LEAST_LOG2M
                    && value.log2m() <= MOST_LOG2M;
            long keys = limit.keys() > 0 ? limit.keys() : SummaryLimit.DEFAULT_KEYS;
            long most = valid ? MultisetArena.largestEstimate(value.log2m(), value.regwidth()) : Long.MAX_VALUE;
            if (most < keys) {
                diagnostics.warning(
                        value.name().span(),
                        String.format(
                                Locale.ROOT,
                                "with `regwidth = %d` no estimate is above %,d; `%s` may have %,d keys",
                                value.regwidth(),
                                most,
                                summary.name().text(),
                                keys),
                        "without `regwidth`, registers have 5 bits, and estimates no bound that anybody meets");
            }
        }

        private SummaryLimit limit() {
            Ast.Limit limit = first(summary.limits(), Ast.Limit::span, "a limit");
            return limit == null ? SummaryLimit.DEFAULT : limit(limit);
        }

        private static boolean isOfBytes(Ast.Limit limit) {
            return limit.bounds().stream().anyMatch(bound -> bound.of().text().equals("bytes"));
        }

        private SummaryLimit limit(Ast.Limit limit) {
            Map<String, Long> found = new HashMap<>();
            for (Ast.Bound bound : limit.bounds()) {
                String of = bound.of().text();
                Span span = bound.amount().span();
                boolean bytes = of.equals("bytes");
                if (found.put(of, bound.value()) != null) {
                    diagnostics.error(bound.of().span(), "this limit has a bound on `" + of + "` already");
                } else if (bytes && scope.outer() != null) {
                    diagnostics.error(
                            bound.of().span(),
                            "a nested summary has no bound on bytes of its own",
                            "that of the summary around it is for all that is nested in it");
                } else if (bound.value() < 0) {
                    diagnostics.error(
                            span,
                            "`" + bound.amount().text() + "` is a duration, not a number of " + of,
                            "millions are written `10M`");
                } else if (bytes && bound.value() < LIMIT_BYTES_MIN) {
                    diagnostics.error(span, "a limit on bytes is at least 10M, which a summary without rows may take");
                } else if (bound.value() == 0) {
                    diagnostics.error(span, "a limit is at least 1");
                }
            }
            return new SummaryLimit(
                    Math.max(0, found.getOrDefault("keys", 0L)),
                    Math.max(0, found.getOrDefault("bytes", 0L)),
                    limit.other() ? SummaryLimit.Overflow.OTHER : SummaryLimit.Overflow.REJECT);
        }

        private void keys() {
            once(summary.keys().stream().map(Ast.KeyBlock::span).toList(), "key");
            Map<Integer, Ast.Name> numbers = new HashMap<>();
            for (Ast.KeyBlock block : summary.keys()) {
                many(block.columns().size(), block.span());
                Reservations reserved = new Reservations(diagnostics, block.reserved());
                for (Ast.Column column : first(block.columns())) {
                    field(column.name(), column.number(), numbers, reserved);
                    columnName(column.name());
                    keys.add(new SummaryShape.Key(column.name(), column.number().value(), keyType(column)));
                }
                if (block.columns().isEmpty() && !incomplete) {
                    diagnostics.error(block.span(), "the key block is empty", "a row is found by its key");
                }
            }
        }

        private void values() {
            once(summary.values().stream().map(Ast.ValueBlock::span).toList(), "value");
            Map<Integer, Ast.Name> numbers = new HashMap<>();
            for (Ast.ValueBlock block : summary.values()) {
                many(block.columns().size() + block.repeated().size(), block.span());
                Reservations reserved = new Reservations(diagnostics, block.reserved());
                Map<String, Ast.Summary> declared = new LinkedHashMap<>();
                for (Ast.Summary each : block.summaries()) {
                    Ast.Summary before = declared.putIfAbsent(each.name().text(), each);
                    if (before != null) {
                        diagnostics.error(
                                each.name().span(),
                                "summary `" + each.name().text() + "` is declared already",
                                "first declared in line " + before.name().span().line());
                    }
                }
                Scope inner = new Scope(declared, scope);
                for (Ast.Column column : first(block.columns())) {
                    field(column.name(), column.number(), numbers, reserved);
                    columnName(column.name());
                    values.add(value(column, inner));
                }
                for (Ast.Repeated repeated : first(block.repeated())) {
                    field(repeated.name(), repeated.number(), numbers, reserved);
                    fileName(repeated.name(), "the name of a nested summary");
                    nest(repeated, inner);
                }
                for (Ast.Summary each : block.summaries()) {
                    // Check a summary within a block even when nothing uses it. If two summaries have the same name,
                    // the error was reported before.
                    if (level < MAX_DEPTH) {
                        shape(each, inner, level + 1);
                    }
                }
                boolean isEmpty = block.columns().isEmpty() && block.repeated().isEmpty();
                if (!isEmpty && !incomplete) {
                    declared.values().forEach(this::unused);
                }
                if (isEmpty && !incomplete) {
                    diagnostics.error(
                            block.span(),
                            "the value block is empty",
                            block.summaries().isEmpty()
                                    ? "count what is mapped: `count events = 1;`"
                                    : "a nested summary is used by `repeated "
                                            + block.summaries().get(0).name().text() + " name = 1;`");
                }
            }
        }

        private void unused(Ast.Summary nested) {
            String name = nested.name().text();
            if (!used.contains(nested)) {
                diagnostics.warning(
                        nested.name().span(),
                        "no field uses the nested summary `" + name + "`, so that it never has a row",
                        "use it: `repeated " + name + " name = NUMBER;`");
            }
        }

        private void once(List<Span> blocks, String what) {
            if (blocks.isEmpty() && !incomplete) {
                diagnostics.error(
                        summary.name().span(), "summary `" + summary.name().text() + "` has no " + what + " block");
                incomplete = true;
            }
            for (int i = 1; i < blocks.size(); i++) {
                diagnostics.error(
                        blocks.get(i),
                        "summary `" + summary.name().text() + "` has a " + what + " block already",
                        "put all " + what + " fields into one block");
            }
        }

        private void many(int fields, Span span) {
            if (fields > MAX_FIELDS) {
                diagnostics.error(span, "too many fields in one block; at most " + MAX_FIELDS);
            }
        }

        /** The first fields, up to the allowed number. Further fields are not checked. */
        private static <T> List<T> first(List<T> fields) {
            return fields.subList(0, Math.min(fields.size(), MAX_FIELDS));
        }

        private void field(Ast.Name name, Ast.Int number, Map<Integer, Ast.Name> numbers, Reservations reserved) {
            Span before = names.putIfAbsent(name.text(), name.span());
            if (before != null) {
                diagnostics.error(
                        name.span(),
                        "`" + summary.name().text() + "` has a field `" + name.text() + "` already",
                        "first declared in line " + before.line());
            }
            int value = number.value();
            if (value < 1 || value > MAX_NUMBER) {
                diagnostics.error(number.span(), "a field number is at least 1 and at most " + MAX_NUMBER);
                return;
            }
            Ast.Name other = numbers.putIfAbsent(value, name);
            if (other != null) {
                diagnostics.error(
                        number.span(),
                        "number " + value + " belongs to `" + other.text() + "` already",
                        "field numbers are the identity of what is stored; take a new one");
            }
            reserved.check(name, number);
        }

        private void columnName(Ast.Name name) {
            if (name.text().length() > MAX_NAME) {
                diagnostics.error(name.span(), "the name is longer than " + MAX_NAME + " characters");
            }
        }

        private @Nullable KeyType keyType(Ast.Column column) {
            String name = column.type().text();
            int type = KEY_TYPES.indexOf(name);
            if (type >= 0) {
                if (!column.parameters().isEmpty()) {
                    noParameters(column);
                }
                return KeyType.values()[type];
            }
            return diagnostics.error(
                    column.type().span(),
                    "there is no key type `" + name + "`",
                    VALUE_TYPES.contains(name)
                            ? List.of("`" + name + "` is a type of values; keys are " + Suggestions.list(KEY_TYPES))
                            : Suggestions.help(name, KEY_TYPES, "types of keys are"));
        }

        private SummaryShape.Value value(Ast.Column column, Scope inner) {
            int log2m = 0;
            int regwidth = 0;
            AggregateType type = aggregate(column, inner);
            if (type == AggregateType.MULTISET64) {
                log2m = DEFAULT_LOG2M;
                regwidth = DEFAULT_REGWIDTH;
                Set<String> given = new HashSet<>();
                for (Ast.Parameter parameter : column.parameters()) {
                    String name = parameter.name().text();
                    if (!given.add(name)) {
                        diagnostics.error(parameter.name().span(), "parameter `" + name + "` is given already");
                    } else if (name.equals("log2m")) {
                        log2m = within(parameter, LEAST_LOG2M, MOST_LOG2M);
                    } else if (name.equals("regwidth")) {
                        regwidth = within(parameter, LEAST_REGWIDTH, DEFAULT_REGWIDTH);
                    } else {
                        diagnostics.error(
                                parameter.name().span(),
                                "`multiset64` has no parameter `" + name + "`",
                                Suggestions.help(name, List.of("log2m", "regwidth"), "it has"));
                    }
                }
            } else if (type != null && !column.parameters().isEmpty()) {
                noParameters(column);
            }
            return new SummaryShape.Value(column.name(), column.number().value(), type, log2m, regwidth);
        }

        private int within(Ast.Parameter parameter, int least, int most) {
            int value = parameter.value().value();
            if (value < least || value > most) {
                diagnostics.error(
                        parameter.value().span(),
                        "`" + parameter.name().text() + "` is at least " + least + " and at most " + most);
            }
            return value;
        }

        private void noParameters(Ast.Column column) {
            diagnostics.error(
                    column.parameters().get(0).name().span(),
                    "`" + column.type().text() + "` takes no parameters");
        }

        private @Nullable AggregateType aggregate(Ast.Column column, Scope inner) {
            String name = column.type().text();
            int type = VALUE_TYPES.indexOf(name);
            if (type >= 0) {
                return AggregateType.values()[type];
            }
            List<String> help;
            if (inner.find(name) != null) {
                help = List.of("a nested summary is `repeated " + name + " "
                        + column.name().text() + " = " + column.number().value() + ";`");
            } else if (KEY_TYPES.contains(name)) {
                help = List.of("`" + name + "` is a type of keys; a value says how it is aggregated, as `sumint64` or "
                        + "`laststring`");
            } else {
                List<String> near = ForeignAggregates.help(name);
                if (near.isEmpty()) {
                    near = Suggestions.help(name, VALUE_TYPES, "");
                }
                help = near.isEmpty() ? List.of("types of values are " + Suggestions.list(VALUE_TYPES)) : near;
            }
            return diagnostics.error(column.type().span(), "there is no value type `" + name + "`", help);
        }

        private void nest(Ast.Repeated repeated, Scope inner) {
            Ast.Name type = repeated.type();
            Ast.Summary declared = inner.find(type.text());
            if (declared == null) {
                incomplete = true;
                diagnostics.error(
                        type.span(),
                        "unknown nested summary `" + type.text() + "`",
                        Suggestions.help(type.text(), inner.names(), "there are"));
                return;
            }
            used.add(declared);
            if (level >= MAX_DEPTH) {
                tooMuch(repeated);
                return;
            }
            SummaryShape shape = shape(declared, inner.owner(type.text()), level + 1);
            if (shape == null) {
                incomplete = true;
                diagnostics.error(
                        type.span(),
                        "summary `" + type.text() + "` would contain itself",
                        "nesting ends somewhere; a row cannot hold rows like itself");
                return;
            }
            if (inner.owner(type.text()).outer() == null && !declared.windows().isEmpty()) {
                incomplete = true;
                diagnostics.error(
                        type.span(),
                        "summary `" + type.text() + "` has windows and cannot be nested",
                        "declare a summary without `window` in this value block");
                return;
            }
            if (inner.owner(type.text()).outer() == null
                    && declared.limits().stream().anyMatch(Block::isOfBytes)) {
                incomplete = true;
                diagnostics.error(
                        type.span(),
                        "summary `" + type.text() + "` has a bound on bytes and cannot be nested",
                        "the bound on bytes of the summary around it is for all that is nested in it");
                return;
            }
            depth = Math.max(depth, shape.depth() + 1);
            size += shape.size();
            if (depth > MAX_DEPTH || size > MAX_SIZE) {
                tooMuch(repeated);
                return;
            }
            nested.add(
                    new SummaryShape.Nested(repeated.name(), repeated.number().value(), shape));
        }

        private void tooMuch(Ast.Repeated repeated) {
            incomplete = true;
            diagnostics.error(
                    repeated.name().span(),
                    "too many nested summaries; at most " + MAX_DEPTH + " within each other and " + MAX_SIZE
                            + " in all, with the outermost one");
        }
    }
}
