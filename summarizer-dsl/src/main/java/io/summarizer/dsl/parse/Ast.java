package io.summarizer.dsl.parse;

import io.summarizer.core.time.CalendarUnit;
import io.summarizer.dsl.diagnose.Source;
import io.summarizer.dsl.diagnose.Span;
import io.summarizer.dsl.model.Expression.BinaryOperator;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The syntax tree of {@code .summ} files, as they are written; no name is resolved. The parser leaves out parts that it
 * could not parse, and marks the parents of these parts {@code incomplete}, so that the checker does not report the
 * parts as missing. Immutable, because the parser keeps no reference to the lists of a tree.
 */
public final class Ast {
    private Ast() {}

    /** A name and its place. */
    public record Name(String text, Span span) {}

    /**
     * A string literal and its place, with escapes resolved.
     *
     * @param isBroken whether an escape is invalid; the error was reported, and the value is undefined
     */
    public record Text(String value, Span span, boolean isBroken) {}

    /** A whole number and its place. A number outside the range of int becomes the nearest int. */
    public record Int(int value, Span span) {}

    /**
     * A file.
     *
     * @param incomplete whether a declaration was left out
     */
    public record File(Source source, List<Declaration> declarations, boolean incomplete) {}

    /** A top-level declaration of a file. */
    public sealed interface Declaration {}

    /** {@code import "x.proto";}. */
    public record Import(Text path) implements Declaration {}

    /** {@code event Type on "topic" as format dedup by id within 1h;}. */
    public record Event(
            Name type, Text topic, Name format, @Nullable Dedup dedup) implements Declaration {}

    /**
     * {@code dedup by id within 1h}.
     *
     * @param within a duration, or a reported error
     * @param span the whole clause
     */
    public record Dedup(Expr by, Expr within, Span span) {}

    /**
     * {@code summary Name { key ... value ... }}.
     *
     * @param incomplete whether a block or a field was left out because of an error
     */
    public record Summary(
            Name name,
            List<KeyBlock> keys,
            List<ValueBlock> values,
            List<Limit> limits,
            List<Window> windows,
            boolean incomplete)
            implements Declaration {}

    /**
     * {@code limit keys = amount bytes = amount overflow = other;} of a summary.
     *
     * @param bounds at least one
     * @param other whether it has {@code overflow = other}
     */
    public record Limit(Span span, List<Bound> bounds, boolean other) {}

    /**
     * {@code keys = amount} or {@code bytes = amount} of a limit.
     *
     * @param of the word {@code keys} or {@code bytes}
     * @param value the amount; -1 when it is a duration
     * @param amount place and text of the amount
     */
    public record Bound(Name of, long value, Name amount) {}

    /**
     * {@code window column every 1d zone "Z" close after 2m keep 90d;} of a summary.
     *
     * @param every the width of the windows: a duration, or an expression that stands for a reported error; {@code
     *     closeAfter} and {@code keep} have the same forms
     * @param closeAfter null when it is missing
     */
    public record Window(
            Span span,
            Name column,
            Expr every,
            @Nullable Text zone,
            @Nullable Expr closeAfter,
            @Nullable Expr keep) {}

    /** {@code key { fields }} of a summary. */
    public record KeyBlock(Span span, List<Column> columns, List<Reserved> reserved) {}

    /** {@code value { fields }} of a summary. */
    public record ValueBlock(
            Span span,
            List<Column> columns,
            List<Repeated> repeated,
            List<Summary> summaries,
            List<Reserved> reserved) {}

    /** {@code type(parameters) name = number;}. */
    public record Column(Name type, List<Parameter> parameters, Name name, Int number) {}

    /** {@code name=value} of a type. */
    public record Parameter(Name name, Int value) {}

    /** {@code repeated Type name = number;}. */
    public record Repeated(Name type, Name name, Int number) {}

    /** An item of {@code reserved}. */
    public sealed interface Reserved {}

    /** A range of numbers, both ends included. */
    public record ReservedNumbers(Int from, Int to) implements Reserved {}

    /** A name. */
    public record ReservedName(Text name) implements Reserved {}

    /**
     * {@code map Event on "topic" into Summary where condition { body }}.
     *
     * @param incomplete whether something in the body was left out because of an error
     */
    public record Map(
            Name event,
            @Nullable Text topic,
            Name summary,
            @Nullable Expr where,
            List<Statement> body,
            Span span,
            boolean incomplete)
            implements Declaration {}

    /** A statement of a mapping. */
    public sealed interface Statement {
        /** The place of the statement's first words. */
        Span span();
    }

    /** {@code key { assignments }}. */
    public record Key(Span span, List<Assignment> assignments) implements Statement {}

    /** {@code name = value}; a bare {@code name} has the value {@code name}. */
    public record Assignment(Name name, Expr value) {}

    /** {@code field += operand where condition;}. */
    public record Update(Name field, Expr operand, @Nullable Expr where) implements Statement {
        @Override
        public Span span() {
            return field.span();
        }
    }

    /** {@code field[keys] where condition { body }}. */
    public record Nested(
            Name field, List<Assignment> keys, @Nullable Expr where, List<Statement> body) implements Statement {
        @Override
        public Span span() {
            return field.span();
        }
    }

    /**
     * {@code for first, second in list where condition { body }}.
     *
     * @param second the variable for values in a loop over a map, else null
     */
    public record For(
            Span span,
            Name first,
            @Nullable Name second,
            List<Name> list,
            @Nullable Expr where,
            List<Statement> body) implements Statement {}

    /** An expression. */
    public sealed interface Expr {
        /** The whole expression. */
        Span span();
    }

    /**
     * A whole number.
     *
     * @param isUnsigned whether the number is 2^63 or more; {@code value} then has the number's bits
     */
    public record IntExpr(long value, boolean isUnsigned, Span span) implements Expr {}

    /** A number with a point or an exponent. */
    public record DecimalExpr(BigDecimal value, Span span) implements Expr {}

    /** A string. */
    public record StringExpr(String value, Span span) implements Expr {}

    /** A duration, or a number of weeks, months or years, for {@code bucket} and {@code window}. */
    public record DurationExpr(long count, CalendarUnit unit, Span span) implements Expr {
        /** Length in µs; for months and years, the smallest possible length. */
        public long micros() {
            return count * unit.micros();
        }

        /** The text of the duration, for messages. */
        public String text() {
            return count + unit.suffix();
        }
    }

    /** {@code true} or {@code false}. */
    public record BoolExpr(boolean value, Span span) implements Expr {}

    /** {@code null}. */
    public record NullExpr(Span span) implements Expr {}

    /** A malformed expression, which was reported. */
    public record BadExpr(Span span) implements Expr {}

    /** {@code a.b.c}, at least one name. */
    public record PathExpr(List<Name> names, Span span) implements Expr {}

    /** {@code target[index]}. */
    public record IndexExpr(Expr target, Expr index, Span span) implements Expr {}

    /** {@code target.name} when the target is not a plain path. */
    public record MemberExpr(Expr target, Name name, Span span) implements Expr {}

    /** {@code function(arguments)}. */
    public record CallExpr(Name function, List<Expr> arguments, Span span) implements Expr {}

    /** {@code -x}. */
    public record NegateExpr(Expr operand, Span span) implements Expr {}

    /** {@code not x}. */
    public record NotExpr(Expr operand, Span span) implements Expr {}

    /**
     * {@code left operator right}.
     *
     * @param operator not CONCAT, which is ADD here
     * @param at place of the operator
     */
    public record BinaryExpr(BinaryOperator operator, Expr left, Expr right, Span at, Span span) implements Expr {}

    /** {@code operand in (elements)}. */
    public record InExpr(Expr operand, List<Expr> elements, Span span) implements Expr {}
}
