package io.summarizer.dsl.parse;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.antlr.v4.runtime.CommonToken;
import org.antlr.v4.runtime.Token;

/**
 * Distinguishes the keywords {@code and or not in where} from names with the same letters, so that the grammar is not
 * ambiguous. After an operand, these words are keywords; {@code not} is a keyword before an operand, too. Everywhere
 * else, they are names. The grammar itself distinguishes all other keywords from names, by their position.
 */
final class Words {
    private static final Set<Integer> BEHIND_OPERAND =
            Set.of(SummLexer.AND, SummLexer.OR, SummLexer.IN, SummLexer.WHERE);
    /** Tokens, other than words, that are an operand by themselves. */
    private static final Set<Integer> OPERANDS = Set.of(
            SummLexer.IDENTIFIER,
            SummLexer.QUOTED,
            SummLexer.INTEGER,
            SummLexer.DECIMAL,
            SummLexer.DURATION,
            SummLexer.QUANTITY,
            SummLexer.STRING,
            SummLexer.BAD_NUMBER,
            SummLexer.OPEN_STRING,
            SummLexer.OPEN_QUOTED);

    private static final Set<Integer> COMPARISONS =
            Set.of(SummLexer.EQ, SummLexer.NE, SummLexer.LT, SummLexer.LE, SummLexer.GT, SummLexer.GE);

    private Words() {}

    /** Turns the words that are names into identifiers. */
    static void tellApart(List<Token> tokens) {
        List<CommonToken> seen = new ArrayList<>();
        for (Token token : tokens) {
            if (token.getChannel() == Token.DEFAULT_CHANNEL) {
                seen.add((CommonToken) token);
            }
        }
        boolean operandEnded = false;
        for (int i = 0; i < seen.size(); i++) {
            CommonToken token = seen.get(i);
            int next = type(seen, i + 1);
            int type = token.getType();
            if (BEHIND_OPERAND.contains(type)) {
                if (operandEnded) {
                    operandEnded = isTarget(seen, i);
                    continue;
                }
                token.setType(SummLexer.IDENTIFIER);
            } else if (type == SummLexer.NOT && !operandEnded) {
                boolean negates = !BEHIND_OPERAND.contains(next) || isCompared(seen, i + 1);
                if (isWord(next) ? negates : beginsOperand(next)) {
                    continue;
                }
                token.setType(SummLexer.IDENTIFIER);
            } else if (type == SummLexer.FOR && beginsStatement(type(seen, i - 1)) && !isFieldAhead(next)) {
                // The variables of a loop are always names. The `in` after the variables is a keyword.
                name(seen, i + 1);
                i++;
                if (type(seen, i + 1) == SummLexer.COMMA) {
                    name(seen, i + 2);
                    i += 2;
                }
                operandEnded = true;
                continue;
            }
            // After `dedup by`, an expression begins. Everywhere else, `dedup` and `by` are ordinary names.
            boolean clause = type == SummLexer.BY && type(seen, i - 1) == SummLexer.DEDUP;
            operandEnded = !clause && endsOperand(token.getType());
        }
    }

    /** Whether a token is the name of the summary in {@code map Event into summary}. */
    private static boolean isTarget(List<CommonToken> tokens, int position) {
        if (type(tokens, position - 1) != SummLexer.INTO) {
            return false;
        }
        int event = position - 2;
        if (type(tokens, event) == SummLexer.STRING) {
            event -= 2; // the topic and `on`
        }
        while (type(tokens, event - 1) == SummLexer.DOT) {
            event -= 2;
        }
        return type(tokens, event - 1) == SummLexer.MAP;
    }

    /** Whether a comparison follows a token, so that the token is an operand. */
    private static boolean isCompared(List<CommonToken> tokens, int position) {
        int next = type(tokens, position + 1);
        return COMPARISONS.contains(next) || (next == SummLexer.IN && type(tokens, position + 2) == SummLexer.LPAREN);
    }

    private static boolean beginsOperand(int type) {
        return OPERANDS.contains(type) || type == SummLexer.LPAREN || type == SummLexer.MINUS;
    }

    private static boolean endsOperand(int type) {
        return isWord(type) || OPERANDS.contains(type) || type == SummLexer.RPAREN || type == SummLexer.RBRACKET;
    }

    private static boolean beginsStatement(int previous) {
        return previous == SummLexer.LBRACE || previous == SummLexer.RBRACE || previous == SummLexer.SEMICOLON;
    }

    /**
     * Whether the token {@code next} after a {@code for} shows that this {@code for} is the name of a field, as in
     * {@code for += 1} and {@code for[...]}.
     */
    private static boolean isFieldAhead(int next) {
        return next == SummLexer.ADD || next == SummLexer.LBRACKET;
    }

    private static void name(List<CommonToken> tokens, int position) {
        if (isWord(type(tokens, position))) {
            tokens.get(position).setType(SummLexer.IDENTIFIER);
        }
    }

    private static int type(List<CommonToken> tokens, int position) {
        return position < 0 || position >= tokens.size()
                ? Token.EOF
                : tokens.get(position).getType();
    }

    /** Whether a token is a keyword; keywords are the first tokens of the grammar. */
    static boolean isWord(int type) {
        return type >= SummLexer.IMPORT && type <= SummLexer.NULL;
    }
}
