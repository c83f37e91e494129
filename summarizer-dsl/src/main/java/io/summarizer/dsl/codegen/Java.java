package io.summarizer.dsl.codegen;

import java.util.regex.Pattern;

/** Combines boolean expressions of Java, with obvious simplifications. */
public final class Java {
    private static final Pattern SIMPLE = Pattern.compile("-?[A-Za-z0-9_.]+|\"\"");
    private static final Pattern CALL = Pattern.compile("[A-Za-z0-9_.]+\\([A-Za-z0-9_., ]*\\)");

    private Java() {}

    /** Whether an expression is a name or a literal. Such an expression may be repeated at no cost. */
    public static boolean isSimple(String expression) {
        return SIMPLE.matcher(expression).matches();
    }

    private static boolean isAtom(String expression) {
        return (isSimple(expression) && !expression.startsWith("-"))
                || CALL.matcher(expression).matches()
                || (expression.startsWith("!") && isAtom(expression.substring(1)));
    }

    /**
     * The expression as an operand. A single name, literal or call stays as it is; any other expression is put in
     * parentheses.
     */
    public static String atom(String expression) {
        return isAtom(expression) ? expression : "(" + expression + ")";
    }

    /** The negation of a condition. */
    public static String not(String condition) {
        return switch (condition) {
            case "true" -> "false";
            case "false" -> "true";
            default -> condition.startsWith("!") && isAtom(condition) ? condition.substring(1) : "!" + atom(condition);
        };
    }

    /** The condition that both {@code left} and {@code right} hold. */
    public static String and(String left, String right) {
        if (left.equals("false") || right.equals("false")) {
            return "false";
        }
        return left.equals("true") ? right : right.equals("true") ? left : atom(left) + " && " + atom(right);
    }

    /** The condition that {@code left} or {@code right} holds. */
    public static String or(String left, String right) {
        if (left.equals("true") || right.equals("true")) {
            return "true";
        }
        return left.equals("false") ? right : right.equals("false") ? left : atom(left) + " || " + atom(right);
    }
}
