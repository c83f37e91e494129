package io.summarizer.dsl.generate;

import io.summarizer.dsl.codegen.Condition;
import io.summarizer.dsl.codegen.Java;
import io.summarizer.dsl.codegen.JavaClass;
import io.summarizer.dsl.codegen.Place;
import io.summarizer.dsl.codegen.Value;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Expression.BinaryOperator;
import io.summarizer.dsl.model.Expression.Type;
import io.summarizer.dsl.runtime.LongTable;
import io.summarizer.dsl.runtime.TextTable;
import java.util.ArrayList;
import java.util.List;

/** Writes {@code in}, as comparisons one by one or as a table of the literals. */
final class Membership extends Expressions {
    Membership(JavaClass owner, Leaves leaves, NullSites sites, ExpressionGenerator all) {
        super(owner, leaves, sites, all);
    }

    /**
     * The condition of an {@code in}. The condition is true when an element equals the operand. If no element equals
     * the operand, the condition is null when the operand or an element is null, and otherwise false.
     */
    Condition in(Expression.In in, Place place) {
        Type type = in.operand().type();
        String javaType = type == Type.DOUBLE ? "double" : "long";
        Value operand = place.hold(javaType, "operand", all.operand(in.operand(), place));
        String found = place.declare("boolean", "found", "false");
        String unknown = place.declare("boolean", "unknown", "false");
        elements(new Sought(type, javaType, operand), runs(type, in.elements()), found, unknown, place);
        return new Condition(found, "!" + found + " && !" + unknown);
    }

    /** The operand of {@code in}, evaluated. */
    private record Sought(Type type, String javaType, Value operand) {}

    /**
     * The elements, divided into runs. For each long run of literals, the generated code looks the operand up in a
     * table. It compares the operand with all other elements one by one.
     */
    private static List<List<Expression>> runs(Type type, List<Expression> elements) {
        List<List<Expression>> runs = new ArrayList<>();
        int from = 0;
        while (from < elements.size()) {
            int to = from;
            while (to < elements.size() && Literals.of(type, elements.get(to)) != null) {
                to++;
            }
            if (to - from <= GROUP) {
                to = from + 1;
            }
            runs.add(elements.subList(from, to));
            from = to;
        }
        return runs;
    }

    private void elements(Sought sought, List<List<Expression>> runs, String found, String unknown, Place place) {
        if (runs.size() <= GROUP) {
            for (List<Expression> run : runs) {
                if (run.size() == 1) {
                    element(sought.type, sought.operand, run.get(0), found, unknown, place);
                } else {
                    literals(sought, run, found, unknown, place);
                }
            }
            return;
        }
        int each = GROUP;
        while (each * GROUP < runs.size()) {
            each *= GROUP;
        }
        for (int from = 0; from < runs.size(); from += each) {
            String method = owner.names().variable("isIn");
            Place inner = method(
                    "int",
                    method,
                    List.of(
                            new Leaves.Parameter(sought.javaType, "operand"),
                            new Leaves.Parameter("boolean", "operandNull")));
            String innerFound = inner.declare("boolean", "found", "false");
            String innerUnknown = inner.declare("boolean", "unknown", "false");
            Sought passed = new Sought(sought.type, sought.javaType, new Value("operand", "operandNull"));
            elements(passed, runs.subList(from, Math.min(runs.size(), from + each)), innerFound, innerUnknown, inner);
            inner.code()
                    .line("return " + innerFound + " ? 1 : " + innerUnknown + " ? 2 : 0;")
                    .close();
            place.code().open("if (!" + found + ")");
            String more = leaves.arguments();
            String truth = place.declare(
                    "int",
                    "truth",
                    method + "(" + sought.operand.value() + ", " + sought.operand.isNull()
                            + (more.isEmpty() ? "" : ", " + more) + ")");
            place.code().line(found + " = " + truth + " == 1;");
            place.code().line(unknown + " = " + unknown + " || " + truth + " == 2;");
            place.code().close();
        }
    }

    /** Compares the operand with a run of literals, with the help of a table that is a static field of the class. */
    private void literals(Sought sought, List<Expression> run, String found, String unknown, Place place) {
        StringBuilder encoded = new StringBuilder();
        for (Expression element : run) {
            encoded.append(Literals.of(sought.type, element));
        }
        boolean texts = sought.type == Type.STRING;
        String type = owner.use(texts ? TextTable.class : LongTable.class);
        String table =
                owner.constant(type, "elements", type + ".of(" + TextExpressions.whole(encoded.toString()) + ")");
        String operand = sought.operand.value();
        String key = texts
                ? "event, " + operand
                : sought.type == Type.DOUBLE ? owner.use(LongTable.class) + ".key(" + operand + ")" : operand;
        place.code().open("if (!" + found + ")");
        place.code().line(unknown + " = " + Java.or(unknown, sought.operand.isNull()) + ";");
        place.code()
                .line(found + " = " + Java.and(Java.not(sought.operand.isNull()), table + ".contains(" + key + ")")
                        + ";");
        place.code().close();
    }

    private void element(Type type, Value operand, Expression element, String found, String unknown, Place place) {
        place.code().open("if (!" + found + ")");
        Condition equal = all.comparisons.compare(BinaryOperator.EQ, type, operand, element, place);
        place.code().line(unknown + " = " + Java.or(unknown, equal.isNull()) + ";");
        place.code().line(found + " = " + equal.isTrue() + ";");
        place.code().close();
    }
}
