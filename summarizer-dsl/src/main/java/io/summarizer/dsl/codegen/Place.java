package io.summarizer.dsl.codegen;

/**
 * A place for code: the statements of a method written so far, and the names of its variables.
 *
 * @param names scope of the names in the method; it gives out each name only once, so that variables of different
 *     blocks have different names
 */
public record Place(Code code, Names names) {
    /** Declares a variable; returns its name, which is derived from {@code wish}. */
    public String declare(String type, String wish, String initially) {
        String name = names.variable(wish);
        code.line(type + " " + name + " = " + initially + ";");
        return name;
    }

    /** Code of the same method, to be inserted later. */
    public Place aside() {
        return new Place(new Code(), names);
    }

    /** The expression itself if it may be repeated; otherwise, a new variable with the expression's value. */
    public String hold(String type, String wish, String expression) {
        return Java.isSimple(expression) ? expression : declare(type, wish, expression);
    }

    /** The same value in two expressions that may be repeated. */
    public Value hold(String type, String wish, Value value) {
        String held = hold(type, wish, value.value());
        return new Value(
                held, hold("boolean", Java.isSimple(value.value()) ? wish + "Null" : held + "Null", value.isNull()));
    }

    /**
     * Opens a block that runs when {@code isNull} is false. If {@code isNull} is the literal {@code false}, no block is
     * needed, and none is opened. Returns the number of opened blocks.
     */
    public int openUnless(String isNull) {
        if (isNull.equals("false")) {
            return 0;
        }
        code.open("if (" + Java.not(isNull) + ")");
        return 1;
    }

    public void close(int blocks) {
        for (int left = blocks; left > 0; left--) {
            code.close();
        }
    }
}
