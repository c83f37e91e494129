package io.summarizer.dsl.generate;

import io.summarizer.dsl.codegen.JavaClass;
import io.summarizer.dsl.codegen.JavaText;
import io.summarizer.dsl.codegen.Place;
import io.summarizer.dsl.codegen.Value;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Expression.BinaryOperator;
import io.summarizer.dsl.model.Expression.Type;
import io.summarizer.dsl.runtime.Conversions;
import io.summarizer.dsl.runtime.Extraction;
import io.summarizer.dsl.runtime.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Writes strings, as references into the event. */
final class TextExpressions extends Expressions {
    /** Longest literal; a string constant of a class file has at most 65,535 bytes. */
    private static final int MAX_LITERAL = 16_000;

    TextExpressions(JavaClass owner, Leaves leaves, NullSites sites, ExpressionGenerator all) {
        super(owner, leaves, sites, all);
    }

    /** A string. */
    Value text(Expression expression, Place place) {
        if (expression.type() == Type.NULL) {
            return new Value("InputEvent.NULL_STRING", "true");
        }
        return apart(expression, "long", place, inner -> textOf(expression, inner));
    }

    private Value textOf(Expression expression, Place place) {
        if (expression instanceof Expression.StringLiteral literal) {
            owner.use(Texts.class);
            return newText("literal", "Texts.of(event, " + constant(owner, literal.value()) + ")", place);
        }
        if (expression instanceof Expression.Field field) {
            return leaves.field(field, place);
        }
        if (expression instanceof Expression.BuiltinValue
                || expression instanceof Expression.TopicWord
                || expression instanceof Expression.StructuredData) {
            return leaves.builtin(expression, place);
        }
        if (expression instanceof Expression.Binary binary && binary.operator() == BinaryOperator.CONCAT) {
            return concat(parts(binary), place);
        }
        if (expression instanceof Expression.Call call) {
            return textCall(call, place);
        }
        throw unsupported(expression);
    }

    private static Value newText(String wish, String expression, Place place) {
        return Value.text(place.declare("long", wish, expression));
    }

    private Value textCall(Expression.Call call, Place place) {
        List<Expression> arguments = call.arguments();
        owner.use(Texts.class);
        return switch (call.function()) {
            case IF -> choose("long", call, this::text, place);
            case COALESCE -> firstPresent("long", call, this::text, place);
            case LOWER -> mapped("lower", arguments.get(0), place);
            case UPPER -> mapped("upper", arguments.get(0), place);
            case CONCAT -> concat(parts(call), place);
            case SUBSTR -> substring(arguments, place);
            case EXTRACT -> extract(arguments, place);
            case STRING -> toText(arguments.get(0), place);
            default -> throw unsupported(call);
        };
    }

    private Value mapped(String function, Expression argument, Place place) {
        return ofPresent(
                read(argument, place), "long", function, held -> "Texts." + function + "(event, " + held + ")", place);
    }

    /** A new string made of a value; null when the value is null. */
    private static Value ofPresent(Value value, String type, String wish, UnaryOperator<String> result, Place place) {
        if (value.isAlwaysNull()) {
            return new Value("InputEvent.NULL_STRING", "true");
        }
        if (value.isNeverNull()) {
            return newText(wish, result.apply(value.value()), place);
        }
        Value held = place.hold(type, "operand", value);
        return newText(wish, held.isNull() + " ? InputEvent.NULL_STRING : " + result.apply(held.value()), place);
    }

    /**
     * The parts of a chain of {@code +}, including the arguments of a {@code concat} in the chain. The generated code
     * concatenates all parts at once, so each part is copied once. If each {@code +} were evaluated separately, each
     * {@code +} would copy all earlier parts again.
     */
    private static List<Expression> parts(Expression text) {
        List<Expression> parts = new ArrayList<>();
        collectParts(text, parts);
        return parts;
    }

    private static void collectParts(Expression text, List<Expression> parts) {
        if (text instanceof Expression.Binary binary && binary.operator() == BinaryOperator.CONCAT) {
            collectParts(binary.left(), parts);
            collectParts(binary.right(), parts);
        } else if (text instanceof Expression.Call call && call.function() == Expression.Function.CONCAT) {
            call.arguments().forEach(argument -> collectParts(argument, parts));
        } else {
            parts.add(text);
        }
    }

    private Value concat(List<Expression> parts, Place place) {
        if (parts.size() > GROUP) {
            // Concatenating the parts in groups gives the same text, and keeps each method small enough.
            return concat(
                    groups(parts).stream()
                            .map(group ->
                                    (Expression) new Expression.Call(Expression.Function.CONCAT, group, Type.STRING))
                            .toList(),
                    place);
        }
        owner.use(Texts.class);
        String array = owner.field("long[]", "parts", "new long[" + parts.size() + "]");
        String result = place.declare("long", "concat", "InputEvent.NULL_STRING");
        int blocks = 0;
        for (int i = 0; i < parts.size(); i++) {
            Expression operand = parts.get(i);
            Value part = operand.type() == Type.STRING ? read(operand, place) : toText(operand, place);
            if (part.isAlwaysNull()) {
                place.close(blocks);
                return Value.text(result);
            }
            blocks += place.openUnless(part.isNull());
            // Each concatenation has an array of its own, so the code of a later part does not overwrite this element.
            place.code().line(array + "[" + i + "] = " + part.value() + ";");
        }
        place.code().line(result + " = Texts.concat(event, " + array + ");");
        place.close(blocks);
        return Value.text(result);
    }

    private Value substring(List<Expression> arguments, Place place) {
        String result = place.declare("long", "substr", "InputEvent.NULL_STRING");
        int blocks = 0;
        List<String> held = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            Value value = i == 0 ? text(arguments.get(i), place) : all.integers.signed(arguments.get(i), place);
            if (value.isAlwaysNull()) {
                place.close(blocks);
                return Value.text(result);
            }
            value = place.hold("long", i == 0 ? "text" : i == 1 ? "from" : "count", value);
            blocks += place.openUnless(value.isNull());
            held.add(value.value());
        }
        if (leaves.repeats()) {
            held.addAll(
                    held.size() == 2 ? List.of("Long.MAX_VALUE", sites.number() + "") : List.of(sites.number() + ""));
            place.code().line(result + " = affordPart(" + String.join(", ", held) + ");");
        } else {
            place.code().line(result + " = Texts.substring(event, " + String.join(", ", held) + ");");
        }
        place.close(blocks);
        return Value.text(result);
    }

    private Value extract(List<Expression> arguments, Place place) {
        String regex = ((Expression.StringLiteral) arguments.get(1)).value();
        long group = arguments.size() > 2 ? ((Expression.IntLiteral) arguments.get(2)).value() : 0;
        String type = owner.use(Extraction.class);
        String extraction =
                owner.field(type, "extraction", "new " + type + "(" + JavaText.literal(regex) + ", " + group + ")");
        return ofPresent(
                read(arguments.get(0), place),
                "long",
                "extracted",
                held -> extraction + ".find(event, counts, " + held + ")",
                place);
    }

    private Value toText(Expression argument, Place place) {
        if (argument.type() == Type.STRING || argument.type() == Type.NULL) {
            return text(argument, place);
        }
        owner.use(Conversions.class);
        Value value = all.operand(argument, place);
        String function = switch (argument.type()) {
            case DOUBLE -> "doubleText";
            case BOOL -> "boolText";
            case TIMESTAMP -> "timestampText";
            case UINT -> "uintText";
            default -> "intText";
        };
        return ofPresent(
                value,
                argument.type() == Type.DOUBLE ? "double" : "long",
                "string",
                held -> "Conversions." + function + "(event, " + held + ")",
                place);
    }

    /** A constant with the bytes of a string. */
    static String constant(JavaClass owner, String value) {
        return owner.constant("byte[]", "text", owner.use(Texts.class) + ".literal(" + whole(value) + ")");
    }

    /** A string of any length. */
    static String whole(String value) {
        List<String> pieces = new ArrayList<>();
        for (int from = 0; from == 0 || from < value.length(); from += MAX_LITERAL) {
            pieces.add(JavaText.literal(value.substring(from, Math.min(value.length(), from + MAX_LITERAL))));
        }
        return pieces.size() == 1
                ? pieces.get(0)
                : "String.join(\"\", new String[] {" + String.join(", ", pieces) + "})";
    }
}
