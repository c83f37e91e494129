package io.summarizer.dsl.generate;

import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.dsl.codegen.JavaText;
import io.summarizer.dsl.codegen.Names;
import io.summarizer.dsl.model.Definitions;
import io.summarizer.dsl.model.EventField;
import io.summarizer.dsl.model.EventType;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Mapping;
import io.summarizer.dsl.model.Statement;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Prints expressions and the heads of statements in the syntax of {@code .summ} files. Immutable. */
public final class SummText {
    private static final int MAX_LENGTH = 300;
    private static final Pattern WORD = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private final Map<Integer, List<String>> loops;
    private final int most;

    /** A printer that uses given names for the variables of loops, by loop id. */
    private SummText(Map<Integer, List<String>> loops) {
        this(loops, MAX_LENGTH);
    }

    private SummText(Map<Integer, List<String>> loops, int most) {
        this.loops = loops;
        this.most = most;
    }

    /**
     * Prints a complete mapping, one statement on each line. If two mappings give equal lines, they have the same
     * meaning.
     */
    public static List<String> lines(Definitions definitions, Mapping mapping) {
        // The name of an element must not be the name of something else that the mapping may use.
        Names names = new Names("topic", "syslog");
        definitions.events().get(mapping.event()).message().fields().forEach(field -> names.reserve(field.name()));
        SummText text = new SummText(afterLists(mapping.body(), names), Integer.MAX_VALUE);
        SummaryLayout summary = definitions.summaries().get(mapping.summary());
        List<String> lines = new ArrayList<>();
        lines.add("map " + definitions.events().get(mapping.event()).name()
                + (mapping.topic() == null
                        ? ""
                        : " on " + JavaText.literal(mapping.topic().toString()))
                + " into " + summary.name() + text.where(mapping.where()) + " {");
        text.lines(summary, mapping.body(), "  ", lines);
        lines.add("}");
        return lines;
    }

    private void lines(SummaryLayout summary, List<Statement> body, String indent, List<String> into) {
        for (Statement statement : body) {
            if (statement instanceof Statement.Key key) {
                into.add(indent + key(summary, key.columns()));
            } else if (statement instanceof Statement.Update update) {
                into.add(indent + update(summary, update));
            } else if (statement instanceof Statement.Nested nested) {
                SummaryLayout below = summary.nested().get(nested.nested());
                into.add(indent + nested(below, nested) + " {");
                lines(below, nested.body(), indent + "  ", into);
                into.add(indent + "}");
            } else if (statement instanceof Statement.For loop) {
                into.add(indent + loop(loop) + " {");
                lines(summary, loop.body(), indent + "  ", into);
                into.add(indent + "}");
            }
        }
    }

    /** A printer that names the loop variables of these statements as the definitions do. */
    public static SummText of(List<Statement> body) {
        Map<Integer, List<String>> loops = afterLists(body, new Names());
        collect(body, loops);
        return new SummText(loops);
    }

    /** Names for the elements of loops. They do not depend on the names of loop variables in definitions. */
    private static Map<Integer, List<String>> afterLists(List<Statement> body, Names names) {
        Map<Integer, List<String>> loops = new HashMap<>();
        name(body, LoopNames.of(body, names), names, loops);
        return loops;
    }

    private static void name(
            List<Statement> statements, Map<Integer, String> elements, Names names, Map<Integer, List<String>> loops) {
        for (Statement statement : statements) {
            if (statement instanceof Statement.For loop) {
                String element = elements.getOrDefault(loop.id(), "element");
                List<EventField> path = loop.list().path();
                boolean map = !path.isEmpty() && path.get(path.size() - 1).type() == EventField.Kind.MAP;
                // The key of a map has a name of its own, because `element.key` may be a field of the map's values.
                loops.put(loop.id(), map ? List.of(names.variable(element + " key"), element) : List.of(element));
            }
            name(statement.body(), elements, names, loops);
        }
    }

    private static void collect(List<Statement> statements, Map<Integer, List<String>> loops) {
        for (Statement statement : statements) {
            if (statement instanceof Statement.For loop
                    && !loop.origin().variables().isEmpty()) {
                loops.put(loop.id(), loop.origin().variables());
            }
            collect(statement.body(), loops);
        }
    }

    String key(SummaryLayout summary, List<Expression> columns) {
        return cut("key { "
                + IntStream.range(0, columns.size())
                        .mapToObj(i -> summary.keys().get(i).name() + " = " + of(columns.get(i)) + ";")
                        .collect(Collectors.joining(" "))
                + " }");
    }

    /** An update: {@code clicks += 1 where x == 2}. */
    public String update(SummaryLayout summary, Statement.Update update) {
        return cut(summary.values().get(update.column()).name() + " += " + of(update.operand()) + where(update.where())
                + ";");
    }

    /** The head of a nested block. */
    public String nested(SummaryLayout layout, Statement.Nested nested) {
        return cut(layout.name()
                + IntStream.range(0, nested.keys().size())
                        .mapToObj(i -> layout.keys().get(i).name() + " = "
                                + of(nested.keys().get(i)))
                        .collect(Collectors.joining(", ", "[", "]"))
                + where(nested.where()));
    }

    /** The head of a loop. */
    public String loop(Statement.For loop) {
        return cut("for " + String.join(", ", names(loop.id())) + " in " + of(loop.list()) + where(loop.where()));
    }

    String where(@Nullable Expression where) {
        return where == null ? "" : " where " + of(where);
    }

    private String cut(String text) {
        return text.length() <= most ? text : text.substring(0, most) + " ...";
    }

    /**
     * Describes how an expression is used: the text {@code of}, and then the expression. For example, {@code cost += }
     * and {@code price * 2} result in {@code cost += price * 2}. A long result is cut.
     */
    String use(String of, Expression expression) {
        return cut(of + of(expression));
    }

    /** The variables of a loop. */
    List<String> names(int loop) {
        return loops.getOrDefault(loop, List.of("element" + loop));
    }

    private String name(int loop) {
        List<String> names = names(loop);
        return names.get(names.size() - 1);
    }

    /** An expression, cut when it is long. */
    public String expression(Expression expression) {
        return cut(of(expression));
    }

    private String of(Expression expression) {
        if (expression instanceof Expression.IntLiteral literal) {
            return literal.type() == Expression.Type.UINT
                    ? Long.toUnsignedString(literal.value())
                    : Long.toString(literal.value());
        } else if (expression instanceof Expression.DecimalLiteral literal) {
            return literal.value().toString();
        } else if (expression instanceof Expression.StringLiteral literal) {
            return JavaText.literal(literal.value());
        } else if (expression instanceof Expression.BoolLiteral literal) {
            return Boolean.toString(literal.value());
        } else if (expression instanceof Expression.DurationLiteral literal) {
            return duration(literal.micros());
        } else if (expression instanceof Expression.WindowLiteral literal) {
            String zone = literal.zone().equals(ZoneOffset.UTC)
                    ? ""
                    : ", " + JavaText.literal(literal.zone().getId());
            return literal.count() + literal.unit().suffix() + zone;
        } else if (expression instanceof Expression.NullLiteral) {
            return "null";
        } else if (expression instanceof Expression.Field field) {
            return field(field);
        } else if (expression instanceof Expression.BuiltinValue builtin) {
            return builtin.builtin().name().toLowerCase(Locale.ROOT).replaceFirst("_", ".");
        } else if (expression instanceof Expression.TopicWord word) {
            return "topic[" + (word.position() - 1) + "]";
        } else if (expression instanceof Expression.StructuredData data) {
            return "syslog.sd[" + JavaText.literal(data.id()) + "]." + name(data.param());
        } else if (expression instanceof Expression.Unary unary) {
            return (unary.operator() == Expression.UnaryOperator.NOT ? "not " : "-") + atom(unary.operand());
        } else if (expression instanceof Expression.Binary binary) {
            return atom(binary.left()) + " " + binary.operator().symbol() + " " + atom(binary.right());
        } else if (expression instanceof Expression.In in) {
            return atom(in.operand()) + " in (" + list(in.elements()) + ")";
        } else if (expression instanceof Expression.Call call) {
            return call.function().name().toLowerCase(Locale.ROOT) + "(" + list(call.arguments()) + ")";
        }
        throw new IllegalArgumentException(expression + " is new here");
    }

    /** A name as definitions have it: in backquotes if it is not a word. */
    private static String name(String name) {
        return WORD.matcher(name).matches() ? name : "`" + name + "`";
    }

    /** A duration in milliseconds, if this is a whole number. */
    public static String duration(long micros) {
        return micros % 1000 == 0 ? micros / 1000 + "ms" : micros + "us";
    }

    /** The clause that identifies events: {@code dedup by id within 1h}. */
    public static String dedup(EventType.Dedup dedup) {
        return new SummText(Map.of()).cut("dedup by " + whole(dedup.by()) + " within " + window(dedup.windowMicros()));
    }

    /** A window as a whole number of units, in the largest unit that allows this. */
    public static String window(long micros) {
        long ms = micros / 1000;
        return ms == 0
                ? "0s"
                : ms % 86_400_000 == 0
                        ? ms / 86_400_000 + "d"
                        : ms % 3_600_000 == 0
                                ? ms / 3_600_000 + "h"
                                : ms % 60_000 == 0 ? ms / 60_000 + "m" : ms % 1000 == 0 ? ms / 1000 + "s" : ms + "ms";
    }

    /** The windows of a summary: {@code window minute every 5m close after 2m keep 90d}. */
    public static String window(SummaryLayout summary, SummaryWindow window) {
        String zone = window.zone().equals(ZoneOffset.UTC) ? "" : " zone \"" + window.zone() + "\"";
        return "window " + summary.keys().get(window.column()).name() + " every " + window.every()
                + window.unit().suffix() + zone + " close after " + window(window.closeAfterMicros())
                + (window.keepMicros() == SummaryWindow.FOR_EVER ? "" : " keep " + window(window.keepMicros()));
    }

    /** An expression without loop variables, in full. */
    public static String whole(Expression expression) {
        return new SummText(Map.of(), Integer.MAX_VALUE).of(expression);
    }

    private String list(List<Expression> expressions) {
        StringBuilder text = new StringBuilder();
        for (Expression expression : expressions) {
            if (text.length() > most) {
                return text + ", ...";
            }
            text.append(text.length() == 0 ? "" : ", ").append(of(expression));
        }
        return text.toString();
    }

    private String atom(Expression expression) {
        return expression instanceof Expression.Binary || expression instanceof Expression.In
                ? "(" + of(expression) + ")"
                : of(expression);
    }

    private String field(Expression.Field field) {
        String path = field.path().stream().map(EventField::name).collect(Collectors.joining("."));
        if (field.root() instanceof Expression.Variable variable) {
            return path.isEmpty() ? name(variable.loop()) : name(variable.loop()) + "." + path;
        }
        if (field.root() instanceof Expression.MapKey key) {
            List<String> names = names(key.loop());
            return names.size() > 1 ? names.get(0) : names.get(0) + ".key";
        }
        return path;
    }
}
