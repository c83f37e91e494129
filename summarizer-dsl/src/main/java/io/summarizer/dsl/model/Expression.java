package io.summarizer.dsl.model;

import io.summarizer.core.time.CalendarUnit;
import java.math.BigDecimal;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An expression over an event, with resolved names and known types. Any expression may be null at run time. */
public sealed interface Expression {
    /** The type of the expression. */
    Type type();

    /** The expressions of which this expression consists, in the order of evaluation. */
    default List<Expression> operands() {
        return List.of();
    }

    /** Types of expressions. The only implicit conversions are INT and UINT to DOUBLE, and NULL to any type. */
    enum Type {
        /** Signed 64-bit. */
        INT,
        /**
         * Unsigned 64-bit integer, which is compared and hashed as unsigned. In arithmetic it becomes INT, or null when
         * it is 2^63 or more.
         */
        UINT,
        DOUBLE,
        BOOL,
        STRING,
        /** µs since the epoch, UTC. */
        TIMESTAMP,
        /** µs. */
        DURATION,
        /** The literal {@code null}. */
        NULL,
        /** A message, list or map. Only {@code has}, {@code len} and {@code for} accept this type. */
        COMPOSITE
    }

    /**
     * An integer literal.
     *
     * @param type INT, or UINT for a literal of 2^63 or more; {@code value} has the bits of the literal
     */
    record IntLiteral(long value, Type type) implements Expression {}

    /** A literal with a point or an exponent. The exact value is kept, because currency needs it. */
    record DecimalLiteral(BigDecimal value) implements Expression {
        @Override
        public Type type() {
            return Type.DOUBLE;
        }
    }

    /** A string literal, escapes resolved. */
    record StringLiteral(String value) implements Expression {
        @Override
        public Type type() {
            return Type.STRING;
        }
    }

    /** {@code true} or {@code false}. */
    record BoolLiteral(boolean value) implements Expression {
        @Override
        public Type type() {
            return Type.BOOL;
        }
    }

    /** {@code 5m}. */
    record DurationLiteral(long micros) implements Expression {
        @Override
        public Type type() {
            return Type.DURATION;
        }
    }

    /** {@code 1d, "Europe/Berlin"}: the width of a bucket, and the zone whose calendar the bucket follows. */
    record WindowLiteral(long count, CalendarUnit unit, ZoneId zone) implements Expression {
        @Override
        public Type type() {
            return Type.DURATION;
        }
    }

    /** {@code null}. */
    record NullLiteral() implements Expression {
        @Override
        public Type type() {
            return Type.NULL;
        }
    }

    /** A value of the event or its message. */
    sealed interface Name extends Expression {}

    /** The start of a path. */
    sealed interface Root {}

    /** The event itself. */
    record EventRoot() implements Root {}

    /** The current element of the loop with this id: a message, a scalar, or the value of a map entry. */
    record Variable(int loop) implements Root {}

    /** The key of a map entry of the loop with this id. */
    record MapKey(int loop) implements Root {}

    /**
     * A path of fields from a root. If the path is empty, the expression is the root itself: a scalar loop variable or
     * a map key. Only the last field of a path may be repeated.
     */
    record Field(Root root, List<EventField> path, Type type) implements Name {
        public Field {
            path = List.copyOf(path);
        }

        /** The last field of the path; null when the path is empty. */
        public @Nullable EventField last() {
            return path.isEmpty() ? null : path.get(path.size() - 1);
        }
    }

    /** Built-in values. */
    enum Builtin {
        TOPIC(Type.STRING),
        SYSLOG_HOST(Type.STRING),
        SYSLOG_SEVERITY(Type.INT),
        SYSLOG_FACILITY(Type.INT),
        SYSLOG_TIMESTAMP(Type.TIMESTAMP),
        SYSLOG_APP_NAME(Type.STRING),
        SYSLOG_PROC_ID(Type.STRING),
        SYSLOG_MSG_ID(Type.STRING),
        /** Bytes of the payload. */
        SYSLOG_SIZE(Type.INT);

        private final Type type;

        Builtin(Type type) {
            this.type = type;
        }

        /** The type of the value. */
        public Type type() {
            return type;
        }
    }

    /** {@code topic}, {@code syslog.host} and so on. */
    record BuiltinValue(Builtin builtin) implements Name {
        @Override
        public Type type() {
            return builtin.type();
        }
    }

    /**
     * A word of the topic, by its position from 1; null when the topic has no such word. The language counts words from
     * 0, so {@code topic[2]} has position 3.
     */
    record TopicWord(int position) implements Name {
        @Override
        public Type type() {
            return Type.STRING;
        }
    }

    /** {@code syslog.sd["id"].param}: the first value of the parameter; null when the parameter is absent. */
    record StructuredData(String id, String param) implements Name {
        @Override
        public Type type() {
            return Type.STRING;
        }
    }

    /** {@code not x} and {@code -x}. */
    record Unary(UnaryOperator operator, Expression operand, Type type) implements Expression {
        @Override
        public List<Expression> operands() {
            return List.of(operand);
        }
    }

    /** Unary operators. */
    enum UnaryOperator {
        NOT,
        NEGATE
    }

    /**
     * A binary operation. The operands of a comparison or of arithmetic have the same type, or they are numbers of the
     * types INT, UINT and DOUBLE. Comparisons compare numbers by value. For times and durations, TIMESTAMP - TIMESTAMP
     * gives a DURATION, TIMESTAMP ± DURATION a TIMESTAMP, DURATION ± DURATION a DURATION, and DURATION / DURATION a
     * DOUBLE.
     */
    record Binary(BinaryOperator operator, Expression left, Expression right, Type type) implements Expression {
        @Override
        public List<Expression> operands() {
            return List.of(left, right);
        }
    }

    /** Binary operators; CONCAT is {@code +} on strings. */
    enum BinaryOperator {
        OR("or"),
        AND("and"),
        EQ("=="),
        NE("!="),
        LT("<"),
        LE("<="),
        GT(">"),
        GE(">="),
        ADD("+"),
        CONCAT("+"),
        SUBTRACT("-"),
        MULTIPLY("*"),
        DIVIDE("/"),
        REMAINDER("%");

        private final String symbol;

        BinaryOperator(String symbol) {
            this.symbol = symbol;
        }

        /**
         * The operator as written in definitions. Java has the same spelling for all operators except {@code or} and
         * {@code and}.
         */
        public String symbol() {
            return symbol;
        }

        /** Whether the operator compares its operands. */
        public boolean isComparison() {
            return compareTo(EQ) >= 0 && compareTo(GE) <= 0;
        }
    }

    /** {@code x in (a, b)}. As in SQL, the result is null when an element is null and no element equals the operand. */
    record In(Expression operand, List<Expression> elements) implements Expression {
        public In {
            elements = List.copyOf(elements);
        }

        @Override
        public List<Expression> operands() {
            List<Expression> operands = new ArrayList<>(elements);
            operands.add(0, operand);
            return operands;
        }

        @Override
        public Type type() {
            return Type.BOOL;
        }
    }

    /** A function call; the checker has verified the number and types of the arguments. */
    record Call(Function function, List<Expression> arguments, Type type) implements Expression {
        public Call {
            arguments = List.copyOf(arguments);
        }

        @Override
        public List<Expression> operands() {
            return arguments;
        }
    }

    /** Functions. */
    enum Function {
        /** {@code if(condition, a, b)}: a when the condition is true, b when the condition is false or null. */
        IF,
        COALESCE,
        HAS,
        LOWER,
        UPPER,
        /** Number of code points of a string, or of elements of a list or map. */
        LEN,
        CONCAT,
        /**
         * {@code substr(text, from, length)}, in code points, counted from 1. Without {@code length}, the rest of the
         * text.
         */
        SUBSTR,
        /** {@code extract(text, "regex", group)}: null when the regex does not match. Regex and group are literals. */
        EXTRACT,
        /** Murmur3 of one or more values; INT. */
        HASH64,
        INT64,
        DOUBLE,
        STRING,
        TIMESTAMP,
        /**
         * {@code bucket(time, 5m)}: rounds down to buckets that start at the epoch. With a WindowLiteral, rounds down
         * to the zone's windows ({@link io.summarizer.core.time.Windows}).
         */
        BUCKET
    }

    /** The type, for messages to people. */
    static String describe(Type type) {
        return switch (type) {
            case INT -> "an integer";
            case UINT -> "an unsigned integer";
            case DOUBLE -> "a double";
            case BOOL -> "a bool";
            case STRING -> "a string";
            case TIMESTAMP -> "a timestamp";
            case DURATION -> "a duration";
            case NULL -> "null";
            case COMPOSITE -> "a message or list";
        };
    }
}
