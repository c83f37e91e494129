package io.summarizer.dsl.parse;

import io.summarizer.core.time.CalendarUnit;
import io.summarizer.dsl.diagnose.Diagnostics;
import io.summarizer.dsl.diagnose.Source;
import io.summarizer.dsl.diagnose.Span;
import io.summarizer.dsl.model.Expression.BinaryOperator;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.ParseTree;
import org.antlr.v4.runtime.tree.TerminalNode;
import org.jspecify.annotations.Nullable;

/**
 * Converts ANTLR's tree to an {@link Ast}. The builder leaves out parts with errors, and marks the parents of these
 * parts.
 *
 * <p>The class has more than 500 lines, because there is a method for each rule of the grammar.
 */
final class AstBuilder {
    /** Maximum number of operators within each other. Each bracket within brackets counts, too. */
    private static final int MAX_OPERATORS = 400;
    /** Maximum depth of a tree: operators and an operand. The bound limits recursion in code that walks a tree. */
    static final int MAX_DEPTH = MAX_OPERATORS + 1;
    /** Largest exponent. Nobody needs amounts such as 1e999999999. */
    private static final int MAX_SCALE = 400;

    private final Source source;
    private final Spans spans;
    private final Diagnostics diagnostics;
    private final SyntaxRecovery recovery;
    private boolean incomplete;

    AstBuilder(Source source, Diagnostics diagnostics, SyntaxRecovery recovery) {
        this.source = source;
        spans = new Spans(source);
        this.diagnostics = diagnostics;
        this.recovery = recovery;
    }

    Ast.File file(SummParser.FileContext context) {
        List<Ast.Declaration> declarations = new ArrayList<>();
        boolean damaged = leavesOut(context.declaration(), item -> declarations.add(declaration(item)));
        damaged |= recovery.isDamaged(context);
        return new Ast.File(source, declarations, damaged);
    }

    /**
     * Passes each item of a list to {@code use}, except items with errors. Returns whether the list has items with
     * errors.
     */
    private <C extends ParserRuleContext> boolean leavesOut(List<C> items, Consumer<C> use) {
        List<C> sound = items.stream().filter(item -> !recovery.isDamaged(item)).toList();
        sound.forEach(use);
        return sound.size() < items.size();
    }

    Ast.Expr condition(SummParser.ConditionContext context) {
        return expression(context.expression());
    }

    private Ast.Declaration declaration(SummParser.DeclarationContext context) {
        if (context.importDeclaration() != null) {
            return new Ast.Import(text(context.importDeclaration().text()));
        }
        if (context.eventDeclaration() != null) {
            SummParser.EventDeclarationContext event = context.eventDeclaration();
            return new Ast.Event(
                    name(event.qualifiedName()), text(event.text()), name(event.name()), dedup(event.dedupClause()));
        }
        if (context.summaryDeclaration() != null) {
            return summary(context.summaryDeclaration());
        }
        return map(context.mapDeclaration());
    }

    private Ast.@Nullable Dedup dedup(SummParser.@Nullable DedupClauseContext context) {
        if (context == null) {
            return null;
        }
        Token within = context.DURATION().getSymbol();
        return new Ast.Dedup(expression(context.expression()), duration(within), spans.of(context));
    }

    private Ast.Summary summary(SummParser.SummaryDeclarationContext context) {
        boolean damaged = recovery.isDamaged(context);
        List<Ast.KeyBlock> keys = new ArrayList<>();
        List<Ast.ValueBlock> values = new ArrayList<>();
        List<Ast.Limit> limits = new ArrayList<>();
        List<Ast.Window> windows = new ArrayList<>();
        for (SummParser.SummaryBlockContext block : context.summaryBlock()) {
            if (recovery.isDamaged(block)) {
                damaged = true;
            } else if (block.keyDefinition() != null) {
                damaged |= keyBlock(block.keyDefinition(), keys);
            } else if (block.valueDefinition() != null) {
                damaged |= valueBlock(block.valueDefinition(), values);
            } else if (block.limitDefinition() != null) {
                damaged |= leavesOut(List.of(block.limitDefinition()), item -> limits.add(limit(item)));
            } else {
                damaged |= leavesOut(List.of(block.windowDefinition()), item -> windows.add(window(item)));
            }
        }
        return new Ast.Summary(name(context.name()), keys, values, limits, windows, damaged);
    }

    private Ast.Window window(SummParser.WindowDefinitionContext context) {
        return new Ast.Window(
                spans.of(context.getStart()),
                name(context.column),
                duration(context.width),
                context.text() == null ? null : text(context.text()),
                context.after == null ? null : duration(context.after),
                context.keep == null ? null : duration(context.keep));
    }

    private Ast.Limit limit(SummParser.LimitDefinitionContext context) {
        return new Ast.Limit(
                spans.of(context.getStart()),
                context.limitBound().stream().map(this::bound).toList(),
                context.OTHER() != null);
    }

    private Ast.Bound bound(SummParser.LimitBoundContext context) {
        SummParser.AmountContext amount = context.amount();
        return new Ast.Bound(
                new Ast.Name(context.getStart().getText(), spans.of(context.getStart())),
                amount.DURATION() == null ? quantity(amount.getText()) : -1,
                new Ast.Name(amount.getText(), spans.of(amount.getStart())));
    }

    /**
     * The value of a number with or without a k, M or G. A value that is too large for a long becomes the largest long.
     */
    private static long quantity(String text) {
        char unit = text.charAt(text.length() - 1);
        BigInteger factor = BigInteger.valueOf(
                switch (unit) {
                    case 'k', 'K' -> 1_000;
                    case 'M' -> 1_000_000;
                    case 'G' -> 1_000_000_000;
                    default -> 1;
                });
        String digits = Character.isDigit(unit) ? text : text.substring(0, text.length() - 1);
        return new BigInteger(digits)
                .multiply(factor)
                .min(BigInteger.valueOf(Long.MAX_VALUE))
                .longValue();
    }

    private boolean keyBlock(SummParser.KeyDefinitionContext context, List<Ast.KeyBlock> into) {
        boolean damaged = recovery.isDamaged(context);
        List<Ast.Column> columns = new ArrayList<>();
        List<Ast.Reserved> reserved = new ArrayList<>();
        damaged |= leavesOut(context.keyItem(), item -> {
            if (item.field() != null) {
                columns.add(column(item.field()));
            } else {
                reserved(item.reserved(), reserved);
            }
        });
        into.add(new Ast.KeyBlock(spans.of(context.getStart()), columns, reserved));
        return damaged;
    }

    private boolean valueBlock(SummParser.ValueDefinitionContext context, List<Ast.ValueBlock> into) {
        boolean damaged = recovery.isDamaged(context);
        List<Ast.Column> columns = new ArrayList<>();
        List<Ast.Repeated> repeated = new ArrayList<>();
        List<Ast.Summary> summaries = new ArrayList<>();
        List<Ast.Reserved> reserved = new ArrayList<>();
        damaged |= leavesOut(context.valueItem(), item -> {
            if (item.field() != null) {
                columns.add(column(item.field()));
            } else if (item.nestedField() != null) {
                SummParser.NestedFieldContext field = item.nestedField();
                repeated.add(new Ast.Repeated(name(field.type), name(field.column), integer(field.integer())));
            } else if (item.summaryDeclaration() != null) {
                summaries.add(summary(item.summaryDeclaration()));
            } else {
                reserved(item.reserved(), reserved);
            }
        });
        into.add(new Ast.ValueBlock(spans.of(context.getStart()), columns, repeated, summaries, reserved));
        return damaged;
    }

    private Ast.Column column(SummParser.FieldContext context) {
        List<Ast.Parameter> parameters = new ArrayList<>();
        if (context.parameters() != null) {
            for (SummParser.ParameterContext parameter : context.parameters().parameter()) {
                parameters.add(new Ast.Parameter(name(parameter.name()), integer(parameter.integer())));
            }
        }
        return new Ast.Column(name(context.type), parameters, name(context.column), integer(context.integer()));
    }

    private void reserved(SummParser.ReservedContext context, List<Ast.Reserved> into) {
        for (SummParser.ReservedItemContext item : context.reservedItem()) {
            if (item.text() != null) {
                into.add(new Ast.ReservedName(text(item.text())));
            } else {
                Ast.Int from = integer(item.from);
                into.add(new Ast.ReservedNumbers(from, item.to == null ? from : integer(item.to)));
            }
        }
    }

    private Ast.Map map(SummParser.MapDeclarationContext context) {
        incomplete = false;
        Ast.@Nullable Expr where = where(context.whereClause());
        List<Ast.Statement> body = block(context.block());
        return new Ast.Map(
                name(context.qualifiedName()),
                context.text() == null ? null : text(context.text()),
                name(context.name()),
                where,
                body,
                spans.of(context.getStart()),
                incomplete);
    }

    private Ast.@Nullable Expr where(SummParser.@Nullable WhereClauseContext context) {
        return context == null ? null : expression(context.expression());
    }

    private List<Ast.Statement> block(SummParser.BlockContext context) {
        incomplete |= recovery.isDamaged(context);
        List<Ast.Statement> statements = new ArrayList<>();
        if (leavesOut(context.statement(), statement -> statements.add(statement(statement)))) {
            incomplete = true;
        }
        return statements;
    }

    private Ast.Statement statement(SummParser.StatementContext context) {
        if (context.keyStatement() != null) {
            return key(context.keyStatement());
        }
        if (context.forStatement() != null) {
            SummParser.ForStatementContext loop = context.forStatement();
            return new Ast.For(
                    spans.of(loop.getStart()),
                    name(loop.name(0)),
                    loop.name().size() > 1 ? name(loop.name(1)) : null,
                    path(loop.path()),
                    where(loop.whereClause()),
                    block(loop.block()));
        }
        if (context.updateStatement() != null) {
            SummParser.UpdateStatementContext update = context.updateStatement();
            return new Ast.Update(name(update.name()), expression(update.expression()), where(update.whereClause()));
        }
        SummParser.NestedStatementContext nested = context.nestedStatement();
        List<Ast.Assignment> keys = new ArrayList<>();
        for (SummParser.NestedKeyContext key : nested.nestedKey()) {
            keys.add(assignment(key.name(), key.expression()));
        }
        return new Ast.Nested(name(nested.name()), keys, where(nested.whereClause()), block(nested.block()));
    }

    private Ast.Key key(SummParser.KeyStatementContext context) {
        incomplete |= recovery.isDamaged(context);
        List<Ast.Assignment> assignments = new ArrayList<>();
        if (leavesOut(context.keyAssignment(), key -> assignments.add(assignment(key.name(), key.expression())))) {
            incomplete = true;
        }
        return new Ast.Key(spans.of(context.getStart()), assignments);
    }

    private Ast.Assignment assignment(
            SummParser.NameContext context, SummParser.@Nullable ExpressionContext expression) {
        Ast.Name name = name(context);
        return new Ast.Assignment(
                name, expression == null ? new Ast.PathExpr(List.of(name), name.span()) : expression(expression));
    }

    private List<Ast.Name> path(SummParser.PathContext context) {
        List<Ast.Name> names = new ArrayList<>();
        names.add(name(context.operandName()));
        context.name().forEach(name -> names.add(name(name)));
        return names;
    }

    // Expressions. Each method returns a tree, and leaves the depth of this tree in `depth`.

    private int depth;
    private boolean tooDeep;

    // Get all children at once, because each getter of ANTLR walks through all children.

    private Ast.Expr expression(SummParser.ExpressionContext context) {
        return chain(context.conjunction(), context.OR(), this::conjunction);
    }

    private Ast.Expr conjunction(SummParser.ConjunctionContext context) {
        return chain(context.negation(), context.AND(), this::negation);
    }

    /** Combines operands with operators of one rank, from left to right. */
    private <C> Ast.Expr chain(List<C> operands, List<? extends ParseTree> operators, Function<C, Ast.Expr> operand) {
        Ast.Expr left = operand.apply(operands.get(0));
        for (int i = 1; i < operands.size(); i++) {
            int leftDepth = depth;
            ParseTree operator = operators.get(i - 1);
            Token token = operator instanceof TerminalNode word
                    ? word.getSymbol()
                    : ((ParserRuleContext) operator).getStart();
            Ast.Expr right = operand.apply(operands.get(i));
            left = binary(token, left, leftDepth, right);
        }
        return left;
    }

    private Ast.Expr negation(SummParser.NegationContext context) {
        Ast.Expr operand = comparison(context.comparison());
        List<TerminalNode> nots = context.NOT();
        for (int i = nots.size() - 1; i >= 0; i--) {
            Span span = spans.of(nots.get(i).getSymbol()).to(operand.span());
            operand = deeper(new Ast.NotExpr(operand, span), depth);
        }
        return operand;
    }

    private Ast.Expr comparison(SummParser.ComparisonContext context) {
        Ast.Expr left = sum(context.sum());
        List<SummParser.ComparisonTailContext> tails = context.comparisonTail();
        if (tails.size() > 1) {
            Token operator = tails.get(1).operator;
            diagnostics.error(
                    spans.of(operator),
                    "comparisons do not chain",
                    "join them: `a < b and b < c`, or put one in parentheses");
            return new Ast.BadExpr(spans.of(context));
        }
        if (tails.isEmpty()) {
            return left;
        }
        SummParser.ComparisonTailContext tail = tails.get(0);
        int leftDepth = depth;
        if (tail.operator.getType() == SummParser.IN) {
            List<Ast.Expr> elements = expressions(tail.expression());
            return deeper(new Ast.InExpr(left, elements, spans.of(context)), Math.max(leftDepth, depth));
        }
        Ast.Expr right = sum(tail.sum());
        return binary(tail.operator, left, leftDepth, right);
    }

    /** The expressions of a list; leaves the depth of the deepest one, at least 1, in `depth`. */
    private List<Ast.Expr> expressions(List<SummParser.ExpressionContext> contexts) {
        List<Ast.Expr> expressions = new ArrayList<>();
        int deepest = 1;
        for (SummParser.ExpressionContext context : contexts) {
            expressions.add(expression(context));
            deepest = Math.max(deepest, depth);
        }
        depth = deepest;
        return expressions;
    }

    private Ast.Expr sum(SummParser.SumContext context) {
        return chain(context.product(), context.sumOperator(), this::product);
    }

    private Ast.Expr product(SummParser.ProductContext context) {
        return chain(context.unary(), context.productOperator(), this::unary);
    }

    private static BinaryOperator operator(Token token) {
        return Arrays.stream(BinaryOperator.values())
                .filter(operator -> operator.symbol().equals(token.getText()))
                .findFirst()
                .orElseThrow();
    }

    private Ast.Expr unary(SummParser.UnaryContext context) {
        List<TerminalNode> minuses = context.MINUS();
        int outer = minuses.size();
        Ast.Expr operand = null;
        if (outer > 0) {
            // A minus is part of the number, because -9223372036854775808 fits int64 but 9223372036854775808 does not.
            SummParser.PostfixContext postfix = context.postfix();
            Span span = spans.of(minuses.get(outer - 1).getSymbol()).to(spans.of(postfix));
            operand = postfix.suffix().isEmpty() ? number(postfix.primary(), "-", span) : null;
            outer -= operand == null ? 0 : 1;
        }
        if (operand == null) {
            operand = postfix(context.postfix());
        }
        for (int i = outer - 1; i >= 0; i--) {
            Span span = spans.of(minuses.get(i).getSymbol()).to(operand.span());
            operand = deeper(new Ast.NegateExpr(operand, span), depth);
        }
        return operand;
    }

    private Ast.Expr postfix(SummParser.PostfixContext context) {
        Ast.Expr target = primary(context.primary());
        for (SummParser.SuffixContext suffix : context.suffix()) {
            Span span = target.span().to(spans.of(suffix));
            if (suffix.expression() != null) {
                int targetDepth = depth;
                Ast.Expr index = expression(suffix.expression());
                target = deeper(new Ast.IndexExpr(target, index, span), Math.max(targetDepth, depth));
            } else if (target instanceof Ast.PathExpr path
                    && suffix.name() != null
                    && path.names().size() < MAX_DEPTH) {
                List<Ast.Name> names = new ArrayList<>(path.names());
                names.add(name(suffix.name()));
                target = new Ast.PathExpr(names, span);
            } else {
                target = deeper(new Ast.MemberExpr(target, name(suffix.name()), span), depth);
            }
        }
        return target;
    }

    private Ast.Expr primary(SummParser.PrimaryContext context) {
        Span span = spans.of(context);
        depth = 1;
        Ast.Expr number = number(context, "", span);
        if (number != null) {
            return number;
        }
        if (context.text() != null) {
            Ast.Text text = text(context.text());
            return text.isBroken() ? new Ast.BadExpr(span) : new Ast.StringExpr(text.value(), span);
        }
        if (context.TRUE() != null || context.FALSE() != null) {
            return new Ast.BoolExpr(context.TRUE() != null, span);
        }
        if (context.NULL() != null) {
            return new Ast.NullExpr(span);
        }
        if (context.call() != null) {
            List<Ast.Expr> arguments = expressions(context.call().expression());
            return deeper(new Ast.CallExpr(name(context.call().operandName()), arguments, span), depth);
        }
        if (context.operandName() != null) {
            return new Ast.PathExpr(List.of(name(context.operandName())), span);
        }
        return expression(context.expression());
    }

    /** The literal of a number with a leading sign; null when {@code context} is not such a literal. */
    private Ast.@Nullable Expr number(SummParser.PrimaryContext context, String sign, Span span) {
        depth = 1;
        if (context.INTEGER() != null) {
            return integer(sign, context.INTEGER().getText(), span);
        }
        if (context.DECIMAL() != null) {
            BigDecimal value;
            try {
                value = new BigDecimal(sign + context.DECIMAL().getText());
            } catch (NumberFormatException e) {
                return bad(span, "the number's exponent is too large");
            }
            if (Math.abs((long) value.scale()) > MAX_SCALE || value.precision() > MAX_SCALE) {
                return bad(span, "the number is too long or its exponent too large");
            }
            return new Ast.DecimalExpr(value, span);
        }
        if (context.DURATION() != null) {
            return duration(sign, context.DURATION().getSymbol(), span);
        }
        return null;
    }

    private Ast.Expr integer(String sign, String digits, Span span) {
        // Do not parse a number with too many digits: a million digits would take seconds.
        BigInteger value = digits.length() > MAX_SCALE ? BigInteger.TWO.pow(Long.SIZE) : new BigInteger(sign + digits);
        boolean unsigned = value.bitLength() == Long.SIZE && value.signum() > 0;
        return unsigned || value.bitLength() < Long.SIZE
                ? new Ast.IntExpr(value.longValue(), unsigned, span)
                : bad(span, "the number does not fit 64 bits", "write it with a point, `1.0`, for a double");
    }

    private Ast.Expr duration(Token token) {
        return duration("", token, spans.of(token));
    }

    private Ast.Expr duration(String sign, Token token, Span span) {
        String text = token.getText();
        int digits = 0;
        while (Character.isDigit(text.charAt(digits))) {
            digits++;
        }
        try {
            long count = Long.parseLong(sign + text.substring(0, digits));
            CalendarUnit unit = CalendarUnit.of(text.substring(digits));
            Math.multiplyExact(count, unit.micros());
            return new Ast.DurationExpr(count, unit, span);
        } catch (NumberFormatException | ArithmeticException e) {
            return bad(span, "the duration is too long");
        }
    }

    private Ast.Expr binary(Token operator, Ast.Expr left, int leftDepth, Ast.Expr right) {
        Span span = left.span().to(right.span());
        return deeper(
                new Ast.BinaryExpr(operator(operator), left, right, spans.of(operator), span),
                Math.max(leftDepth, depth));
    }

    /**
     * Returns {@code tree}, or a BadExpr when the tree is too deep. The deepest operand of the tree has depth {@code
     * below}.
     */
    private Ast.Expr deeper(Ast.Expr tree, int below) {
        depth = below + 1;
        if (depth > MAX_DEPTH && tooDeep) {
            depth = 1;
            return new Ast.BadExpr(tree.span());
        }
        if (depth > MAX_DEPTH) {
            tooDeep = true; // reported once per file
            return bad(
                    tree.span(),
                    "the expression is too deep; at most " + MAX_OPERATORS + " operators within each other",
                    "compare with many values by `x in (...)`");
        }
        return tree;
    }

    private Ast.Expr bad(Span span, String message, String... help) {
        diagnostics.error(span, message, help);
        depth = 1;
        return new Ast.BadExpr(span);
    }

    // Names, texts, numbers.

    private Ast.Name name(ParserRuleContext context) {
        if (context instanceof SummParser.QualifiedNameContext qualified) {
            StringBuilder text = new StringBuilder();
            for (SummParser.NameContext part : qualified.name()) {
                text.append(text.isEmpty() ? "" : ".").append(unquote(part.getStart()));
            }
            return new Ast.Name(text.toString(), spans.of(context));
        }
        return new Ast.Name(unquote(context.getStart()), spans.of(context.getStart()));
    }

    private static String unquote(Token token) {
        String text = token.getText();
        return token.getType() == SummParser.QUOTED ? text.substring(1, text.length() - 1) : text;
    }

    private Ast.Int integer(SummParser.IntegerContext context) {
        boolean negative = context.MINUS() != null;
        int value;
        try {
            value = Integer.parseInt((negative ? "-" : "") + context.INTEGER().getText());
        } catch (NumberFormatException e) {
            value = negative ? Integer.MIN_VALUE : Integer.MAX_VALUE;
        }
        return new Ast.Int(value, spans.of(context));
    }

    private Ast.Text text(SummParser.TextContext context) {
        Token token = context.STRING().getSymbol();
        String value = unescape(token);
        return new Ast.Text(value == null ? "" : value, spans.of(token), value == null);
    }

    /** The text with its escapes resolved. If an escape is invalid, reports the first such escape and returns null. */
    private @Nullable String unescape(Token token) {
        String text = token.getText();
        StringBuilder out = new StringBuilder(text.length());
        for (int i = 1; i < text.length() - 1; i++) {
            char c = text.charAt(i);
            if (c != '\\') {
                out.append(c);
                continue;
            }
            char escape = text.charAt(++i);
            switch (escape) {
                case 'n' -> out.append('\n');
                case 't' -> out.append('\t');
                case '\\', '"', '\'' -> out.append(escape);
                case 'u' -> {
                    if (i + 4 < text.length() - 1 && isHex(text, i + 1)) {
                        out.append((char) Integer.parseInt(text, i + 1, i + 5, 16));
                        i += 4;
                    } else {
                        return badEscape(token, i, "`\\u` takes four hexadecimal digits");
                    }
                }
                default -> {
                    return badEscape(
                            token, i, "there is no escape `\\" + Character.toString(text.codePointAt(i)) + "`");
                }
            }
        }
        int unpaired = unpairedSurrogate(out);
        return unpaired < 0
                ? out.toString()
                : badEscape(
                        token,
                        0,
                        String.format(
                                "`\\u%04x` is half of a character; its other half must stand beside it",
                                (int) out.charAt(unpaired)));
    }

    /** Position of an unpaired surrogate, which UTF-8 cannot encode; -1 when there is none. */
    private static int unpairedSurrogate(CharSequence text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean isHex(String text, int from) {
        for (int i = from; i < from + 4; i++) {
            if (Character.digit(text.charAt(i), 16) < 0 || text.charAt(i) > 'f') {
                return false;
            }
        }
        return true;
    }

    private @Nullable String badEscape(Token token, int at, String message) {
        int column = token.getCharPositionInLine() + token.getText().codePointCount(0, at);
        return diagnostics.error(
                new Span(source, token.getLine(), column, 2),
                message,
                "escapes are \\n \\t \\\\ \\\" \\' \\uXXXX; a backslash in a regex is written \\\\");
    }
}
