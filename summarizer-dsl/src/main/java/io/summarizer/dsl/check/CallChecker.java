package io.summarizer.dsl.check;

import static io.summarizer.dsl.check.Assignability.isInteger;
import static io.summarizer.dsl.check.Assignability.isNumber;
import static io.summarizer.dsl.model.Expression.describe;

import io.summarizer.core.text.DecimalText;
import io.summarizer.core.text.TimestampText;
import io.summarizer.core.time.CalendarUnit;
import io.summarizer.dsl.diagnose.Diagnostics;
import io.summarizer.dsl.diagnose.ForeignAggregates;
import io.summarizer.dsl.diagnose.Span;
import io.summarizer.dsl.diagnose.Suggestions;
import io.summarizer.dsl.model.EventField;
import io.summarizer.dsl.model.EventField.EnumConstant;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Expression.BoolLiteral;
import io.summarizer.dsl.model.Expression.Call;
import io.summarizer.dsl.model.Expression.DurationLiteral;
import io.summarizer.dsl.model.Expression.Field;
import io.summarizer.dsl.model.Expression.Function;
import io.summarizer.dsl.model.Expression.IntLiteral;
import io.summarizer.dsl.model.Expression.NullLiteral;
import io.summarizer.dsl.model.Expression.StringLiteral;
import io.summarizer.dsl.model.Expression.Type;
import io.summarizer.dsl.model.Expression.WindowLiteral;
import io.summarizer.dsl.model.Regex;
import io.summarizer.dsl.parse.Ast;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** Checks function calls: the name, the number and types of arguments, and the arguments that must be literals. */
final class CallChecker {
    private static final String SUBSTR = "substr(text, from, length)";
    private static final String EXTRACT = "extract(text, \"regex\", group)";
    private static final String BUCKET = "bucket(time, 5m)";
    private static final String ZONED_BUCKET = "bucket(time, 1d, \"Europe/Berlin\")";

    private static final String TYPES = "the types of a summary's fields aggregate: ";
    private static final String REGEX = "`has(extract(x, \"regex\", 0))` holds where the regex is found in `x`";

    /** Advice for functions of SQL and of other languages, by the function's name in lower case. */
    private static final Map<String, String> FOREIGN = Map.ofEntries(
            Map.entry("count", TYPES + "`count n = 1;` there, and `n += 1;` here"),
            Map.entry("sum", TYPES + "`sumint64 total = 1;` there, and `total += x;` here"),
            Map.entry("min", TYPES + "`minint64 least = 1;` there, and `least += x;` here"),
            Map.entry("max", TYPES + "`maxint64 most = 1;` there, and `most += x;` here"),
            Map.entry("avg", TYPES + ForeignAggregates.AVERAGE),
            Map.entry("not", "write `not` in lower case"),
            Map.entry("isnull", "`not has(x)` holds where `x` is null, `coalesce(x, y)` is `y` there"),
            Map.entry("ifnull", "`coalesce(x, y)` is `y` where `x` is null"),
            Map.entry("nvl", "`coalesce(x, y)` is `y` where `x` is null"),
            Map.entry("iif", "a choice is `if(condition, a, b)`"),
            Map.entry("length", "`len(x)` counts characters"),
            Map.entry("substring", "write `" + SUBSTR + "`"),
            Map.entry("cast", "`int64(x)`, `double(x)`, `string(x)` and `timestamp(x)` convert"),
            Map.entry("date_trunc", "`bucket(time, 1h)` is the start of the hour, `bucket(time, 1mo)` of the month"),
            Map.entry("to_timestamp", "`timestamp(x)` reads ISO 8601 text and epoch milliseconds"),
            Map.entry("contains", REGEX),
            Map.entry("like", REGEX),
            Map.entry("regexp_matches", REGEX),
            Map.entry("regexp_extract", "write `" + EXTRACT + "`"),
            Map.entry("starts_with", "compare the beginning: `substr(x, 1, 3) == \"abc\"`"),
            Map.entry("startswith", "compare the beginning: `substr(x, 1, 3) == \"abc\"`"),
            Map.entry("greatest", "choose with `if`, as `if(x > y, x, y)`"),
            Map.entry("least", "choose with `if`, as `if(x < y, x, y)`"),
            Map.entry("abs", "choose with `if`, as `if(x < 0, -x, x)`"));

    private final Diagnostics diagnostics;
    private final ExpressionChecker expressions;
    private final WindowChecker windows;

    CallChecker(Diagnostics diagnostics, ExpressionChecker expressions) {
        this.diagnostics = diagnostics;
        this.expressions = expressions;
        windows = new WindowChecker(diagnostics);
    }

    @Nullable
    Expression call(Ast.CallExpr call, @Nullable Scope scope) {
        Function function = function(call.function());
        boolean takesComposite = function == Function.HAS || function == Function.LEN;
        List<Expression> arguments = new ArrayList<>();
        for (Ast.Expr argument : call.arguments()) {
            Expression checked = function == Function.BUCKET && argument instanceof Ast.DurationExpr width
                    ? new WindowLiteral(width.count(), width.unit(), ZoneOffset.UTC)
                    : takesComposite ? expressions.any(argument, scope) : expressions.scalar(argument, scope);
            if (checked != null) {
                arguments.add(checked);
            }
        }
        if (function == null
                || !rightNumber(call, function)
                || arguments.size() < call.arguments().size()) {
            return null;
        }
        return switch (function) {
            case IF -> choice(call, arguments);
            case COALESCE -> sameType(call, function, arguments, 0);
            case HAS ->
                arguments.get(0) instanceof NullLiteral
                        ? new BoolLiteral(false)
                        : new Call(Function.HAS, arguments, Type.BOOL);
            case LEN -> len(call, arguments);
            case HASH64 -> hash(call, arguments);
            case CONCAT -> concat(call, arguments);
            case EXTRACT -> extract(call, arguments);
            case BUCKET -> bucket(call, arguments);
            case SUBSTR, LOWER, UPPER -> ofText(call, function, arguments);
            case INT64 -> convert(call, function, arguments, Type.INT);
            case DOUBLE -> convert(call, function, arguments, Type.DOUBLE);
            case STRING -> convert(call, function, arguments, Type.STRING);
            case TIMESTAMP -> timestamp(call, arguments);
        };
    }

    private @Nullable Function function(Ast.Name name) {
        List<String> known = Arrays.stream(Function.values())
                .map(function -> function.name().toLowerCase(Locale.ROOT))
                .toList();
        if (known.contains(name.text())) {
            return Function.valueOf(name.text().toUpperCase(Locale.ROOT));
        }
        String foreign = FOREIGN.get(name.text().toLowerCase(Locale.ROOT));
        List<String> near = foreign == null ? Suggestions.help(name.text(), known, "") : List.of(foreign);
        return diagnostics.error(
                name.span(),
                "there is no function `" + name.text() + "`",
                near.isEmpty() ? List.of("functions are " + Suggestions.list(known)) : near);
    }

    /** The smallest and the largest number of arguments of a function, and an example of a call. */
    private record Form(int least, int most, String text) {
        static Form of(Function function, String name) {
            return switch (function) {
                case IF -> new Form(3, 3, "if(condition, then, else)");
                case SUBSTR -> new Form(2, 3, SUBSTR);
                case EXTRACT -> new Form(3, 3, EXTRACT);
                case BUCKET -> new Form(2, 3, ZONED_BUCKET);
                case COALESCE, CONCAT, HASH64 -> new Form(1, Integer.MAX_VALUE, name + "(a, b, ...)");
                default -> new Form(1, 1, name + "(x)");
            };
        }
    }

    private boolean rightNumber(Ast.CallExpr call, Function function) {
        String name = call.function().text();
        Form form = Form.of(function, name);
        int given = call.arguments().size();
        boolean fits = given >= form.least && given <= form.most;
        if (!fits) {
            diagnostics.error(
                    call.function().span(),
                    "`" + name + "` does not take " + given + (given == 1 ? " argument" : " arguments"),
                    "it is `" + form.text + "`");
        }
        return fits;
    }

    private @Nullable Expression choice(Ast.CallExpr call, List<Expression> arguments) {
        Type condition = arguments.get(0).type();
        if (condition != Type.BOOL && condition != Type.NULL) {
            return wrong(call, 0, "a bool", condition);
        }
        return sameType(call, Function.IF, arguments, 1);
    }

    private @Nullable Expression sameType(Ast.CallExpr call, Function function, List<Expression> arguments, int from) {
        Type type = common(call, arguments, from);
        return type == null ? null : new Call(function, arguments, type);
    }

    /**
     * The common type of the arguments from argument {@code from} on. If no type can hold all arguments, reports an
     * error and returns null.
     */
    private @Nullable Type common(Ast.CallExpr call, List<Expression> arguments, int from) {
        Type common = Type.NULL;
        boolean negative = false;
        int unsigned = -1;
        for (int i = from; i < arguments.size(); i++) {
            Expression argument = arguments.get(i);
            Type type = argument.type();
            unsigned = unsigned < 0 && type == Type.UINT ? i : unsigned;
            negative |= type == Type.INT && !(argument instanceof IntLiteral literal && literal.value() >= 0);
            if (type == Type.NULL || type == common) {
                continue;
            }
            if (common == Type.NULL) {
                common = type;
            } else if (isNumber(common) && isNumber(type)) {
                common = common == Type.DOUBLE || type == Type.DOUBLE ? Type.DOUBLE : Type.INT;
            } else {
                return diagnostics.error(
                        call.arguments().get(i).span(),
                        "`" + call.function().text() + "` has one type; this is " + describe(type) + ", before it was "
                                + describe(common));
            }
        }
        // Literals count as unsigned if all other arguments are unsigned. Otherwise, a value of 2^63 or more is null,
        // as in arithmetic.
        if (!isInteger(common)) {
            return common;
        }
        if (unsigned >= 0 && negative) {
            diagnostics.hint(
                    call.arguments().get(unsigned).span(),
                    "`" + call.function().text()
                            + "` also has a signed integer, so that an unsigned integer of 2^63 or more is null in it",
                    "beside a literal of 0 or more, as in `coalesce(x, 0)`, no unsigned integer is null",
                    "if this is meant, write `int64(x)` for the unsigned integer");
        }
        return unsigned >= 0 && !negative ? Type.UINT : Type.INT;
    }

    private @Nullable Expression len(Ast.CallExpr call, List<Expression> arguments) {
        Expression argument = arguments.get(0);
        boolean list = argument instanceof Field field
                && field.last() != null
                && field.last().isList();
        if (argument.type() == Type.NULL) {
            return argument;
        }
        if (argument.type() != Type.STRING && !(argument.type() == Type.COMPOSITE && list)) {
            return wrong(call, 0, "a string, a list or a map", argument.type());
        }
        return new Call(Function.LEN, arguments, Type.INT);
    }

    private @Nullable Expression hash(Ast.CallExpr call, List<Expression> arguments) {
        for (int i = 0; i < arguments.size(); i++) {
            if (arguments.get(i).type() == Type.DURATION) {
                return wrong(call, i, "a single value", Type.DURATION);
            }
        }
        return new Call(Function.HASH64, arguments, Type.INT);
    }

    private @Nullable Expression concat(Ast.CallExpr call, List<Expression> arguments) {
        List<Expression> strings = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            Expression argument = arguments.get(i);
            if (argument instanceof NullLiteral) {
                return argument;
            }
            if (argument.type() == Type.DURATION) {
                return wrong(call, i, "a string", Type.DURATION);
            }
            strings.add(
                    argument.type() == Type.STRING
                            ? argument
                            : new Call(Function.STRING, List.of(argument), Type.STRING));
        }
        return new Call(Function.CONCAT, strings, Type.STRING);
    }

    /** Checks a function that takes a string and integers, such as positions in the string, and returns a string. */
    private @Nullable Expression ofText(Ast.CallExpr call, Function function, List<Expression> arguments) {
        for (int i = 0; i < arguments.size(); i++) {
            Type type = arguments.get(i).type();
            if (type == Type.NULL) {
                return new NullLiteral();
            }
            if (i == 0 ? type != Type.STRING : !isInteger(type)) {
                return wrong(call, i, i == 0 ? "a string" : "an integer", type);
            }
        }
        return new Call(function, arguments, Type.STRING);
    }

    private @Nullable Expression extract(Ast.CallExpr call, List<Expression> arguments) {
        if (!(arguments.get(1) instanceof StringLiteral regex)) {
            return diagnostics.error(
                    call.arguments().get(1).span(), "the regex is a text in quotes: `" + EXTRACT + "`");
        }
        Regex compiled = regex(call.arguments().get(1).span(), regex.value());
        if (compiled == null) {
            return null;
        }
        int groups = compiled.groups();
        if (!(arguments.get(2) instanceof IntLiteral group)) {
            return diagnostics.error(call.arguments().get(2).span(), "the group is a whole number: `" + EXTRACT + "`");
        }
        if (group.value() < 0 || group.value() > groups) { // a literal of 2^63 or more is negative here
            return diagnostics.error(
                    call.arguments().get(2).span(),
                    "the regex has " + (groups == 0 ? "no groups" : groups == 1 ? "one group" : groups + " groups"),
                    "group 0 is all that matched, group 1 the first in parentheses");
        }
        if (arguments.get(0).type() == Type.NULL) {
            return arguments.get(0);
        }
        if (arguments.get(0).type() != Type.STRING) {
            return wrong(call, 0, "a string", arguments.get(0).type());
        }
        return new Call(Function.EXTRACT, arguments, Type.STRING);
    }

    private @Nullable Regex regex(Span span, String regex) {
        try {
            return Regex.of(regex);
        } catch (PatternSyntaxException e) {
            String given = String.valueOf(e.getDescription());
            String description =
                    given.isEmpty() ? "" : given.substring(0, 1).toLowerCase(Locale.ROOT) + given.substring(1);
            String where = e.getIndex() < 0 ? "" : " at character " + (Math.min(e.getIndex(), regex.length()) + 1);
            return diagnostics.error(span, "the regex is wrong" + where + ": " + description);
        }
    }

    private @Nullable Expression bucket(Ast.CallExpr call, List<Expression> arguments) {
        Span span = call.arguments().get(1).span();
        if (!(call.arguments().get(1) instanceof Ast.DurationExpr width)) {
            return diagnostics.error(span, "the width of a bucket is a duration: `" + BUCKET + "`");
        }
        if (width.count() <= 0) {
            return diagnostics.error(span, "the width of a bucket is above 0");
        }
        ZoneId zone = ZoneOffset.UTC;
        if (arguments.size() == 3) {
            Span zoneSpan = call.arguments().get(2).span();
            if (!(arguments.get(2) instanceof StringLiteral name)) {
                return diagnostics.error(zoneSpan, "the zone of a bucket is a text in quotes: `" + ZONED_BUCKET + "`");
            }
            zone = windows.zone(zoneSpan, name.value(), width);
            if (zone == null) {
                return null;
            }
        }
        if (arguments.get(0).type() == Type.NULL) {
            return arguments.get(0);
        }
        if (arguments.get(0).type() != Type.TIMESTAMP) {
            return wrong(call, 0, "a timestamp", arguments.get(0).type());
        }
        boolean isFixed = zone.equals(ZoneOffset.UTC) && width.unit().compareTo(CalendarUnit.DAY) <= 0;
        Expression literal =
                isFixed ? new DurationLiteral(width.micros()) : new WindowLiteral(width.count(), width.unit(), zone);
        return new Call(Function.BUCKET, List.of(arguments.get(0), literal), Type.TIMESTAMP);
    }

    private @Nullable Expression timestamp(Ast.CallExpr call, List<Expression> arguments) {
        Type type = arguments.get(0).type();
        if (type == Type.NULL || type == Type.TIMESTAMP) {
            return arguments.get(0);
        }
        if (type != Type.STRING && !isNumber(type)) {
            return wrong(call, 0, "a string or a number", type);
        }
        ofConstant(call, Function.TIMESTAMP, arguments.get(0));
        return new Call(Function.TIMESTAMP, arguments, Type.TIMESTAMP);
    }

    private @Nullable Expression convert(Ast.CallExpr call, Function function, List<Expression> arguments, Type to) {
        Type type = arguments.get(0).type();
        if (type == Type.NULL) {
            return arguments.get(0);
        }
        if (type == Type.DURATION && to == Type.STRING) {
            return wrong(call, 0, "a value other than a duration", type);
        }
        if (to != Type.STRING) {
            ofConstant(call, function, arguments.get(0));
        }
        return new Call(function, arguments, to);
    }

    /**
     * Warns when a conversion to a number or a time is always null, because the operand is a constant of an enum, or a
     * literal of the wrong form.
     */
    private void ofConstant(Ast.CallExpr call, Function function, Expression argument) {
        String name = function.name().toLowerCase(Locale.ROOT);
        EventField ofEnum = expressions.paths().enumOf(argument);
        List<EnumConstant> constants = ofEnum == null ? null : ofEnum.enumConstants();
        if (constants != null) {
            diagnostics.warning(
                    call.span(),
                    "an enum is the name of its constant, of which `" + name + "` makes null",
                    "compare it: `if(" + Objects.requireNonNull(ofEnum).name() + " == \""
                            + constants.get(0).name() + "\", 1, 0)`");
        } else if (argument instanceof StringLiteral literal && !isReadable(function, literal.value())) {
            diagnostics.warning(
                    call.arguments().get(0).span(),
                    "this is no " + (function == Function.TIMESTAMP ? "time" : "number") + ", so that `" + name
                            + "` makes null of it",
                    function == Function.TIMESTAMP
                            ? new String[] {"write `\"2026-01-31T23:59:59Z\"`, or epoch milliseconds"}
                            : new String[0]);
        } else if (argument instanceof StringLiteral literal
                ? !isHeld(function, literal.value())
                : !expressions.constants().fits(function, argument)) {
            diagnostics.warning(
                    call.arguments().get(0).span(),
                    switch (function) {
                        case INT64 -> "this is no whole number of 64 bits, so that `int64` makes null of it";
                        case DOUBLE -> "this is beyond the range of doubles, so that `double` makes null of it";
                        default -> "this is beyond the range of timestamps, so that `timestamp` makes null of it";
                    });
        }
    }

    private static boolean isReadable(Function function, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        DecimalText decimal = new DecimalText();
        return function == Function.TIMESTAMP
                ? TimestampText.parseAny(decimal, bytes, 0, bytes.length, ZoneOffset.UTC) != TimestampText.INVALID
                : decimal.scan(bytes, 0, bytes.length);
    }

    /** Whether the result of {@code function} can be the number in a text that {@link #isReadable}. */
    private static boolean isHeld(Function function, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        DecimalText decimal = new DecimalText();
        boolean isNumber = decimal.scan(bytes, 0, bytes.length);
        return switch (function) {
            case INT64 -> isNumber && decimal.toInt64();
            case DOUBLE -> isNumber && !Double.isInfinite(decimal.toDouble());
            default -> true;
        };
    }

    private @Nullable Expression wrong(Ast.CallExpr call, int argument, String wanted, Type given) {
        List<String> help = new ArrayList<>();
        if (given == Type.DURATION) {
            help.add(Assignability.SECONDS);
        } else if (given != Type.COMPOSITE && wanted.equals("a string")) {
            help.add("`string(x)` makes a string of it");
        } else if (wanted.equals("a timestamp") && (given == Type.STRING || isNumber(given))) {
            help.add("`timestamp(x)` reads ISO 8601 text and epoch milliseconds");
        }
        return diagnostics.error(
                call.arguments().get(argument).span(),
                "`" + call.function().text() + "` takes " + wanted
                        + (call.arguments().size() > 1 ? " as argument " + (argument + 1) : "") + "; this is "
                        + describe(given),
                help);
    }
}
