package io.summarizer.dsl.parse;

import io.summarizer.dsl.diagnose.Diagnostics;
import io.summarizer.dsl.diagnose.Source;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.antlr.v4.runtime.CommonToken;
import org.antlr.v4.runtime.DefaultErrorStrategy;
import org.antlr.v4.runtime.InputMismatchException;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.atn.ATNState;
import org.antlr.v4.runtime.misc.IntervalSet;

/**
 * Reports a syntax error once, in words for users, and continues after the statement, field or declaration with the
 * error. Only after a missing semicolon does the parser continue within the statement. If it did so after any other
 * error, it would report more false errors than real errors.
 */
final class SyntaxRecovery extends DefaultErrorStrategy {
    /**
     * Rules in which the parser continues after an error. All other rules pass their errors up to one of these rules.
     */
    static final Set<Integer> ITEMS = Set.of(
            SummParser.RULE_declaration,
            SummParser.RULE_summaryBlock,
            SummParser.RULE_keyItem,
            SummParser.RULE_valueItem,
            SummParser.RULE_statement,
            SummParser.RULE_keyAssignment,
            SummParser.RULE_condition,
            SummParser.RULE_file);
    /** Rules that are lists of these {@link #ITEMS}. */
    private static final Set<Integer> LISTS = Set.of(
            SummParser.RULE_file,
            SummParser.RULE_summaryDeclaration,
            SummParser.RULE_keyDefinition,
            SummParser.RULE_valueDefinition,
            SummParser.RULE_keyStatement,
            SummParser.RULE_block);

    private final Spans spans;
    private final Diagnostics diagnostics;
    private final Set<ParserRuleContext> damaged = Collections.newSetFromMap(new IdentityHashMap<>());
    /** The last token with a reported error. Further errors at this token are not reported. */
    private int lastReported = -1;

    SyntaxRecovery(Source source, Diagnostics diagnostics) {
        spans = new Spans(source);
        this.diagnostics = diagnostics;
    }

    /**
     * Whether an error damaged {@code context}. A list is damaged if it lacks an element because of the error. An item
     * is damaged if it contains the error.
     */
    boolean isDamaged(ParserRuleContext context) {
        return context.exception != null || damaged.contains(context);
    }

    @Override
    public void reportError(Parser parser, RecognitionException error) {
        report(parser, error, false);
    }

    /** Reports an error. The error may be between items of a list. */
    private void report(Parser parser, RecognitionException error, boolean betweenItems) {
        if (inErrorRecoveryMode(parser)) {
            return;
        }
        beginErrorCondition(parser);
        if (error.getOffendingToken().getTokenIndex() == lastReported) {
            return;
        }
        lastReported = error.getOffendingToken().getTokenIndex();
        SyntaxMessage message = SyntaxMessage.of(spans, parser, error, betweenItems);
        diagnostics.error(message.span(), message.text(), message.help());
    }

    @Override
    public void recover(Parser parser, RecognitionException error) {
        if (!ITEMS.contains(parser.getRuleContext().getRuleIndex())) {
            throw error;
        }
        skipItem(parser);
        endErrorCondition(parser);
    }

    @Override
    public Token recoverInline(Parser parser) {
        InputMismatchException mismatch = new InputMismatchException(parser);
        Token found = parser.getCurrentToken();
        Token before = SyntaxMessage.before(parser.getInputStream(), found);
        boolean itemEnds = mismatch.getExpectedTokens().contains(SummParser.SEMICOLON);
        if (!itemEnds
                || before == null
                || (before.getLine() == found.getLine() && found.getType() != SummParser.RBRACE)) {
            throw mismatch;
        }
        reportError(parser, mismatch);
        endErrorCondition(parser);
        CommonToken missing = new CommonToken(SummParser.SEMICOLON, ";");
        missing.setLine(before.getLine());
        missing.setCharPositionInLine(before.getCharPositionInLine());
        return missing;
    }

    /**
     * Reports and skips everything that is not an item of the list, so that the parser can continue with the list.
     * Called where an item may begin.
     */
    @Override
    public void sync(Parser parser) {
        ATNState state = parser.getInterpreter().atn.states.get(parser.getState());
        boolean atHead =
                state.getStateType() == ATNState.STAR_LOOP_ENTRY || state.getStateType() == ATNState.STAR_LOOP_BACK;
        if (!atHead || !LISTS.contains(parser.getRuleContext().getRuleIndex())) {
            return;
        }
        IntervalSet items = parser.getATN().nextTokens(state);
        while (!items.contains(parser.getCurrentToken().getType())) {
            report(parser, new InputMismatchException(parser), true);
            damaged.add(parser.getContext());
            if (parser.getCurrentToken().getType() == Token.EOF) {
                return; // the rule fails at the missing brace, which was just reported
            }
            boolean stray = parser.getCurrentToken().getType() == SummParser.RBRACE;
            if (SyntaxMessage.isForeignComment(parser.getInputStream(), parser.getCurrentToken())) {
                skipLine(parser);
            } else if (stray) {
                parser.consume();
            } else {
                skipItem(parser);
            }
            endErrorCondition(parser);
        }
    }

    private static void skipLine(Parser parser) {
        int line = parser.getCurrentToken().getLine();
        while (parser.getCurrentToken().getType() != Token.EOF
                && parser.getCurrentToken().getLine() == line) {
            parser.consume();
        }
    }

    /** Consumes tokens past a semicolon or a closed block, or up to the brace that ends the item's list. */
    private static void skipItem(Parser parser) {
        int depth = 0;
        while (true) {
            int type = parser.getCurrentToken().getType();
            if (type == Token.EOF || (type == SummParser.RBRACE && depth == 0)) {
                return;
            }
            Token consumed = parser.consume();
            boolean open = type == SummParser.OPEN_STRING || type == SummParser.OPEN_QUOTED;
            if (open && depth == 0 && parser.getCurrentToken().getLine() > consumed.getLine()) {
                return; // an unclosed string swallowed the semicolon
            }
            if (type == SummParser.LBRACE) {
                depth++;
            } else if (type == SummParser.RBRACE && --depth == 0) {
                return;
            } else if (type == SummParser.SEMICOLON && depth == 0) {
                return;
            }
        }
    }
}
