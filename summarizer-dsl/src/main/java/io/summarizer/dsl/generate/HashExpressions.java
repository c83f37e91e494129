package io.summarizer.dsl.generate;

import io.summarizer.dsl.codegen.JavaClass;
import io.summarizer.dsl.codegen.Place;
import io.summarizer.dsl.codegen.Value;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Expression.Type;
import io.summarizer.dsl.runtime.HashSequence;
import io.summarizer.dsl.runtime.Hashes;
import java.util.ArrayList;
import java.util.List;

/** Writes hashes of one value or of several. */
final class HashExpressions extends Expressions {
    HashExpressions(JavaClass owner, Leaves leaves, NullSites sites, ExpressionGenerator all) {
        super(owner, leaves, sites, all);
    }

    /** The hash of one value, or one hash of several values together. */
    Value hash(List<Expression> arguments, Place place) {
        return arguments.size() == 1 ? hash(arguments.get(0), place) : hashOfSeveral(arguments, place);
    }

    Value hash(Expression argument, Place place) {
        owner.use(Hashes.class);
        if (argument.type() == Type.STRING) {
            return ofText(argument, "long", string -> "Hashes.hash(event, " + string + ")", place);
        }
        Value value = all.operand(argument, place);
        if (value.isAlwaysNull()) {
            return value;
        }
        String bits = argument.type() == Type.DOUBLE ? "Hashes.bits(" + value.value() + ")" : value.value();
        return new Value("Hashes.hash(" + bits + ")", value.isNull());
    }

    private Value hashOfSeveral(List<Expression> arguments, Place place) {
        String type = owner.use(HashSequence.class);
        String sequence = owner.field(type, "hashed", "new " + type + "()");
        List<String> calls = new ArrayList<>();
        for (List<Expression> group : groups(arguments)) {
            String method = owner.names().variable("add " + sequence.substring(sequence.lastIndexOf('.') + 1));
            Place inner = method("boolean", method);
            for (Expression argument : group) {
                Value value = argument.type() == Type.STRING ? read(argument, inner) : all.operand(argument, inner);
                boolean isDouble = argument.type() == Type.DOUBLE;
                value = inner.hold(isDouble ? "double" : "long", "value", value);
                if (!value.isNeverNull()) {
                    inner.code().onlyIf(value.isNull(), "return false;");
                }
                if (value.isAlwaysNull()) {
                    break;
                }
                inner.code()
                        .line(sequence
                                + switch (argument.type()) {
                                    case UINT -> ".addUint(" + value.value() + ");";
                                    case DOUBLE -> ".addDouble(" + value.value() + ");";
                                    case BOOL -> ".addBool(" + value.value() + ");";
                                    case TIMESTAMP -> ".addTimestamp(" + value.value() + ");";
                                    case STRING -> ".addString(event, " + value.value() + ");";
                                    default -> ".addInt(" + value.value() + ");";
                                });
            }
            inner.code().line("return true;").close();
            calls.add(method + "(" + leaves.arguments() + ")");
        }
        place.code().line(sequence + ".reset();");
        String complete = calls.get(0);
        if (calls.size() > 1) {
            complete = place.declare("boolean", "complete", calls.get(0));
            for (String call : calls.subList(1, calls.size())) {
                place.code().line(complete + " = " + complete + " && " + call + ";");
            }
        } else {
            complete = place.declare("boolean", "complete", complete);
        }
        return new Value(place.declare("long", "hash", complete + " ? " + sequence + ".hash() : 0L"), "!" + complete);
    }
}
