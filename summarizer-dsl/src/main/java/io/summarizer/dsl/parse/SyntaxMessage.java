package io.summarizer.dsl.parse;

import io.summarizer.dsl.diagnose.ForeignAggregates;
import io.summarizer.dsl.diagnose.Span;
import io.summarizer.dsl.diagnose.Suggestions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.TokenStream;
import org.antlr.v4.runtime.misc.IntervalSet;
import org.jspecify.annotations.Nullable;

/**
 * The message of a syntax error for users: the expected text, the text that was found instead, and perhaps a guess of
 * the intended text.
 */
record SyntaxMessage(Span span, String text, List<String> help) {
    /** Tokens that may follow any operand. A message lists these tokens only if no other token may follow. */
    private static final Set<Integer> OPERATORS = Set.of(
            SummParser.PLUS,
            SummParser.MINUS,
            SummParser.STAR,
            SummParser.SLASH,
            SummParser.PERCENT,
            SummParser.EQ,
            SummParser.NE,
            SummParser.LT,
            SummParser.LE,
            SummParser.GT,
            SummParser.GE,
            SummParser.IN,
            SummParser.AND,
            SummParser.OR,
            SummParser.DOT,
            SummParser.LPAREN,
            SummParser.LBRACKET);

    private static final Set<Integer> BEGIN_EXPRESSION = Set.of(
            SummParser.LPAREN,
            SummParser.MINUS,
            SummParser.NOT,
            SummParser.INTEGER,
            SummParser.DECIMAL,
            SummParser.DURATION,
            SummParser.STRING,
            SummParser.RPAREN);

    /** Words that begin a declaration, when they begin a line. */
    private static final Set<Integer> DECLARATIONS =
            Set.of(SummParser.IMPORT, SummParser.EVENT, SummParser.SUMMARY, SummParser.MAP);

    /** For each rule that is a list, a description of the items of the list. */
    private static final Map<Integer, String> ITEMS = Map.of(
            SummParser.RULE_keyDefinition, "a key field",
            SummParser.RULE_valueDefinition, "a field",
            SummParser.RULE_keyStatement, "a key field",
            SummParser.RULE_block, "a statement");

    private static final Map<String, String> FOREIGN = Map.ofEntries(
            Map.entry("&&", "write `and`"),
            Map.entry("||", "write `or`; strings are joined by `+`"),
            Map.entry("!", "write `not`"),
            Map.entry("<>", "write `!=`"),
            Map.entry("===", "write `==`"),
            Map.entry("!==", "write `!=`"),
            Map.entry("=>", "write `>=`"),
            Map.entry("=<", "write `<=`"),
            Map.entry("-=", "`+=` adds one observation and is the only update; negate the operand instead"),
            Map.entry("*=", "`+=` adds one observation and is the only update"),
            Map.entry("/=", "`+=` adds one observation and is the only update"),
            Map.entry(
                    "::", "`int64(x)`, `double(x)`, `string(x)` and `timestamp(x)` convert; between names, write `.`"),
            Map.entry("->", "write `.`"));

    private static final List<String> WINDOW = List.of(
            "the clauses are in this order: `window day every 1d zone \"Europe/Berlin\" close after 1h keep 90d;`");
    private static final List<String> WIDTHS =
            List.of("the units are s, m, h, d, w, mo and y: `5m` is five minutes, `1mo` a month");
    private static final List<String> DEDUP =
            List.of("`dedup` belongs to an event: `event Sale on \"shop.sale\" as csv dedup by id within 1h;`");
    private static final List<String> COMMENTS = List.of("comments begin with `//`");

    /** Names of SQL functions, in lower case, that are called with {@code *}. */
    private static final Set<String> AGGREGATES = Set.of("count", "sum", "min", "max", "avg");

    static SyntaxMessage of(Spans spans, Parser parser, RecognitionException error, boolean betweenItems) {
        Token found = error.getOffendingToken();
        Span span = spans.of(found);
        SyntaxMessage broken = broken(span, found, isInWindow(betweenItems ? null : item(parser.getContext())));
        if (broken != null) {
            return broken;
        }
        if (betweenItems && isForeignComment(parser.getInputStream(), found)) {
            Span dashes = new Span(span.source(), span.line(), span.column(), 2);
            return new SyntaxMessage(dashes, "`--` begins no comment", COMMENTS);
        }
        ParserRuleContext item = betweenItems ? null : item(parser.getContext());
        IntervalSet expected = item == null
                ? parser.getExpectedTokens()
                : ExpectedTokens.of(
                        parser.getATN(),
                        item.getRuleIndex(),
                        parser.getInputStream(),
                        item.getStart().getTokenIndex(),
                        found.getTokenIndex());
        if (expected.isNil()) {
            // The parser skipped an earlier error in the item, so no path leads from the start of the item to this
            // token.
            expected = parser.getExpectedTokens();
        }
        String itemName = betweenItems ? ITEMS.get(parser.getContext().getRuleIndex()) : null;
        boolean condition = item != null && item.getRuleIndex() == SummParser.RULE_condition;
        String wanted = describe(expected, itemName == null ? "a name" : itemName, condition);
        List<String> help = ofSql(parser.getInputStream(), found, expected);
        Token before = before(parser.getInputStream(), found);
        if (help.isEmpty() && item != null && item.getRuleIndex() == SummParser.RULE_valueItem) {
            Token first = item.getStart();
            help = ForeignAggregates.help(
                    first.getText(), after(parser.getInputStream(), first).getText());
        }
        if (help.isEmpty()) {
            help = isDedup(found, before) ? DEDUP : help(item, found, expected);
        }
        if (before != null && found.getType() == Token.EOF) {
            Span end = spans.of(before).behind();
            return new SyntaxMessage(end, "expected " + wanted + ", found " + end(condition), help);
        }
        if (before != null
                && item != null
                && before.getLine() < found.getLine()
                && before.getTokenIndex() >= item.getStart().getTokenIndex()) {
            // Report the missing token at the end of the line above.
            Span end = spans.of(before).behind();
            return new SyntaxMessage(end, "expected " + wanted + " after " + quote(before), help);
        }
        return new SyntaxMessage(span, "expected " + wanted + ", found " + quote(found), help);
    }

    /** The innermost list item with the error, or null when the error is between items at the top of a file. */
    private static @Nullable ParserRuleContext item(@Nullable ParserRuleContext context) {
        for (ParserRuleContext at = context; at != null; at = at.getParent()) {
            if (at.getRuleIndex() != SummParser.RULE_file && SyntaxRecovery.ITEMS.contains(at.getRuleIndex())) {
                return at;
            }
        }
        return null;
    }

    /** The last token before {@code token} that is neither a comment nor space. */
    static @Nullable Token before(TokenStream tokens, Token token) {
        for (int i = token.getTokenIndex() - 1; i >= 0; i--) {
            if (tokens.get(i).getChannel() == Token.DEFAULT_CHANNEL) {
                return tokens.get(i);
            }
        }
        return null;
    }

    /** The words for the end of the input: the end of a file, or of a condition that stands alone. */
    private static String end(boolean condition) {
        return condition ? "the end of the condition" : "the end of the file";
    }

    private static String describe(IntervalSet expected, String name, boolean condition) {
        List<Integer> types = new ArrayList<>(expected.toList());
        List<String> words = new ArrayList<>();
        if (types.contains(SummParser.IDENTIFIER)) {
            boolean expression = types.contains(SummParser.LPAREN) && types.contains(SummParser.DECIMAL);
            words.add(expression ? "an expression" : name);
            types.removeIf(type -> Words.isWord(type) || type == SummParser.IDENTIFIER || type == SummParser.QUOTED);
            if (expression) {
                types.removeIf(BEGIN_EXPRESSION::contains);
            }
        } else if (types.contains(SummParser.PLUS)) {
            if (OPERATORS.containsAll(types)) {
                return "an operator";
            }
            types.removeIf(OPERATORS::contains);
            if (condition) {
                words.add("an operator");
            }
        }
        if (types.size() > 1) {
            types.removeIf(type -> type == Token.EOF);
        }
        if (words.size() == 1 && words.get(0).equals("a name")) {
            types.removeIf(type -> type == SummParser.LPAREN);
        }
        if (types.contains(SummParser.QUANTITY)) {
            types.removeIf(type -> type == SummParser.QUANTITY || type == SummParser.DURATION);
        }
        if (types.contains(SummParser.INTEGER)) {
            types.removeIf(type -> type == SummParser.MINUS);
        }
        for (int type : types) {
            words.add(type == Token.EOF ? end(condition) : describe(type));
        }
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < words.size(); i++) {
            out.append(i == 0 ? "" : i == words.size() - 1 ? " or " : ", ").append(words.get(i));
        }
        return out.isEmpty() ? "something else" : out.toString();
    }

    private static String describe(int type) {
        return switch (type) {
            case SummParser.INTEGER -> "a whole number";
            case SummParser.DECIMAL -> "a number";
            case SummParser.DURATION -> "a duration";
            case SummParser.STRING -> "a text in quotes";
            default -> {
                String literal = SummParser.VOCABULARY.getLiteralName(type);
                yield literal == null ? "something else" : "`" + literal.substring(1, literal.length() - 1) + "`";
            }
        };
    }

    private static String quote(Token token) {
        if (token.getType() == Token.EOF) {
            return "the end of the file";
        }
        String text = token.getText();
        return "`" + (text.length() <= 40 ? text : text.substring(0, 40) + "...") + "`";
    }

    /** The message for a token that would be malformed at any place. */
    private static @Nullable SyntaxMessage broken(Span span, Token found, boolean inWindow) {
        return switch (found.getType()) {
            case SummParser.OPEN_STRING ->
                new SyntaxMessage(
                        span,
                        "the text is not closed on its line",
                        List.of("write `\\n` for a line break within a text"));
            case SummParser.OPEN_QUOTED -> new SyntaxMessage(span, "the backquoted name is not closed", List.of());
            case SummParser.OPEN_COMMENT -> new SyntaxMessage(span, "the comment is not closed by `*/`", List.of());
            case SummParser.BAD_NUMBER ->
                new SyntaxMessage(
                        span,
                        quote(found) + " is neither a number nor a duration",
                        inWindow ? WIDTHS : List.of("durations are written 500ms, 5s, 5m, 1h or 1d"));
            case SummParser.QUANTITY ->
                new SyntaxMessage(
                        span,
                        quote(found) + " is neither a number nor a duration",
                        inWindow ? WIDTHS : List.of("k, M and G stand for thousands in `limit keys = 10M;` only"));
            case SummParser.FOREIGN_OPERATOR -> {
                String help = FOREIGN.get(found.getText());
                yield new SyntaxMessage(
                        span, "there is no operator " + quote(found), help == null ? List.of() : List.of(help));
            }
            case SummParser.UNKNOWN -> new SyntaxMessage(span, "unexpected character " + quote(found), strange(found));
            default -> null;
        };
    }

    private static List<String> strange(Token found) {
        int point = found.getText().codePointAt(0);
        if (Character.isLetter(point)) {
            return List.of("a name with letters other than A to Z is written in backquotes");
        }
        int type = Character.getType(point);
        if (type == Character.INITIAL_QUOTE_PUNCTUATION || type == Character.FINAL_QUOTE_PUNCTUATION) {
            return List.of("texts are written in straight quotes, \" or '");
        }
        return switch (point) {
            case '#' -> COMMENTS;
            case '?' -> List.of("a choice is written `if(condition, a, b)`");
            case '&' -> List.of("write `and`");
            case '|' -> List.of("write `or`");
            default -> List.of();
        };
    }

    /**
     * Whether a comment in the style of another language begins here. Such a comment goes from {@code --} or {@code #}
     * to the end of the line.
     */
    static boolean isForeignComment(TokenStream tokens, Token token) {
        if (token.getType() == SummParser.MINUS) {
            Token next = tokens.get(token.getTokenIndex() + 1);
            return next.getType() == SummParser.MINUS;
        }
        return token.getType() == SummParser.UNKNOWN && token.getText().equals("#");
    }

    /** Advice that translates expressions of SQL into this language. */
    private static List<String> ofSql(TokenStream tokens, Token found, IntervalSet expected) {
        Token before = before(tokens, found);
        if (before == null) {
            return List.of();
        }
        if (found.getType() == SummParser.STAR && before.getType() == SummParser.LPAREN) {
            Token function = before(tokens, before);
            return function != null && AGGREGATES.contains(lower(function))
                    ? List.of(
                            "events are counted by a field `count n = 1;` of the summary, and `n += 1;` in the mapping")
                    : List.of();
        }
        if (!expected.contains(SummParser.EQ)) {
            return List.of();
        }
        String operand = operand(tokens, before);
        if (isNotInCapitals(tokens, before)) {
            return List.of("did you mean `not`?");
        }
        boolean negated = lower(found).equals("not");
        Token word = negated ? after(tokens, found) : found;
        String not = negated ? "not " : "";
        return switch (lower(word)) {
            case "is" ->
                List.of(
                        lower(after(tokens, word)).equals("not")
                                ? "`has(" + operand + ")` holds where it is not null"
                                : "`not has(" + operand + ")` holds where it is null");
            case "isnull" -> List.of("`not has(" + operand + ")` holds where it is null");
            case "notnull" -> List.of("`has(" + operand + ")` holds where it is not null");
            case "between" ->
                List.of(
                        negated
                                ? "write `(" + operand + " < a or " + operand + " > b)`"
                                : "write `" + operand + " >= a and " + operand + " <= b`");
            case "like", "ilike", "rlike", "regexp", "similar", "contains", "matches" ->
                List.of(
                        "`" + not + "has(extract(" + operand + ", \"regex\", 0))` holds where the regex is "
                                + (negated ? "not " : "") + "found",
                        "`" + not + "substr(" + operand + ", 1, 3) == \"abc\"` compares the beginning");
            case "=" ->
                lower(after(tokens, found)).equals("null")
                        ? List.of("`not has(" + operand + ")` holds where it is null")
                        : List.of();
            case "when" -> List.of("a choice is written `if(condition, a, b)`");
            default -> List.of();
        };
    }

    /** Whether a token is an operand that was meant as the operator {@code not}. */
    private static boolean isNotInCapitals(TokenStream tokens, Token token) {
        return lower(token).equals("not")
                && !token.getText().equals("not")
                && operand(tokens, token).equals(token.getText());
    }

    private static String lower(Token token) {
        return token.getText().toLowerCase(Locale.ROOT);
    }

    /** The first token after {@code token} that is neither a comment nor space. */
    private static Token after(TokenStream tokens, Token token) {
        int at = token.getTokenIndex() + 1;
        while (tokens.get(at).getChannel() != Token.DEFAULT_CHANNEL
                && tokens.get(at).getType() != Token.EOF) {
            at++;
        }
        return tokens.get(at);
    }

    /** The path that ends with a token, such as {@code a.b.c}; {@code x} when there is no path. */
    private static String operand(TokenStream tokens, Token last) {
        String path = "";
        for (Token at = last; at != null; at = before(tokens, at)) {
            boolean dot = at.getType() == SummParser.DOT;
            boolean turn = (path.isEmpty() || path.charAt(0) == '.') ? !dot : dot;
            boolean name = Words.isWord(at.getType())
                    || at.getType() == SummParser.IDENTIFIER
                    || at.getType() == SummParser.QUOTED;
            if (!turn || !(dot || name)) {
                break;
            }
            path = at.getText() + path;
        }
        return path.isEmpty() || path.startsWith(".") ? "x" : path;
    }

    /** Whether the error is at the word {@code dedup}, or at {@code by} after it. */
    private static boolean isDedup(Token found, @Nullable Token before) {
        return found.getType() == SummParser.DEDUP
                || (found.getType() == SummParser.BY && before != null && before.getType() == SummParser.DEDUP);
    }

    /** Whether an item is a {@code window} of a summary. */
    private static boolean isInWindow(@Nullable ParserRuleContext item) {
        return item != null
                && item.getRuleIndex() == SummParser.RULE_summaryBlock
                && item.getStart().getType() == SummParser.WINDOW;
    }

    private static List<String> help(@Nullable ParserRuleContext item, Token found, IntervalSet expected) {
        int type = found.getType();
        boolean declaration = DECLARATIONS.contains(type) && found.getCharPositionInLine() == 0;
        if (item != null && item.getRuleIndex() != SummParser.RULE_declaration) {
            Token start = item.getStart();
            declaration |= DECLARATIONS.contains(start.getType()) && start.getCharPositionInLine() == 0;
        }
        if (declaration && item != null && item.getStart().getType() == SummParser.IMPORT) {
            return List.of("an import ends with `;`, as in `import \"ads.proto\";`");
        }
        if (declaration && (expected.contains(SummParser.RBRACE) || item != null)) {
            return List.of("if this begins a declaration, a `}` is missing above");
        }
        if (type == SummParser.ASSIGN && expected.contains(SummParser.ADD)) {
            return List.of("an update is written `field += expression;`");
        }
        if (type == SummParser.ASSIGN && expected.contains(SummParser.EQ)) {
            return List.of("`==` is equality");
        }
        if (lower(found).equals("not") && expected.contains(SummParser.IN)) {
            return List.of("write `not a in (b, c)`");
        }
        if (type == SummParser.IDENTIFIER && !expected.contains(SummParser.IDENTIFIER)) {
            List<String> words = new ArrayList<>();
            for (int wanted : expected.toList()) {
                if (Words.isWord(wanted)) {
                    words.add(describe(wanted).replace("`", ""));
                }
            }
            List<String> help = Suggestions.help(found.getText(), words, "");
            if (!help.isEmpty() && !help.get(0).startsWith(" ")) {
                return help;
            }
        }
        if (isInWindow(item)) {
            return type == SummParser.INTEGER ? WIDTHS : WINDOW;
        }
        return List.of();
    }
}
