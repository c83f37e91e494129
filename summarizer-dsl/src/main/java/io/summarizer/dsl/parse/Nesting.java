package io.summarizer.dsl.parse;

import io.summarizer.dsl.diagnose.Diagnostics;
import io.summarizer.dsl.diagnose.Source;
import java.util.List;
import org.antlr.v4.runtime.Token;

/** Bounds nested brackets, the only input on which the parser recurses. */
final class Nesting {
    /** Maximum number of levels of round and square brackets. */
    static final int MAX_BRACKETS = 64;
    /** Maximum number of levels of braces; a nested summary takes two. */
    static final int MAX_BRACES = 130;

    private Nesting() {}

    /** Reports the first bracket that is too deep. Returns whether there is such a bracket. */
    static boolean report(List<Token> tokens, Source source, Diagnostics diagnostics) {
        int brackets = 0;
        int braces = 0;
        for (Token token : tokens) {
            switch (token.getType()) {
                case SummLexer.LPAREN, SummLexer.LBRACKET -> brackets++;
                case SummLexer.RPAREN, SummLexer.RBRACKET -> brackets = Math.max(0, brackets - 1);
                case SummLexer.LBRACE -> {
                    braces++;
                    brackets = 0;
                }
                case SummLexer.RBRACE -> {
                    braces = Math.max(0, braces - 1);
                    brackets = 0;
                }
                case SummLexer.SEMICOLON -> brackets = 0;
                default -> {}
            }
            if (brackets > MAX_BRACKETS || braces > MAX_BRACES) {
                diagnostics.error(
                        new Spans(source).of(token),
                        brackets > MAX_BRACKETS
                                ? "too many brackets within brackets; at most " + MAX_BRACKETS
                                : "too many blocks within blocks; at most " + MAX_BRACES);
                return true;
            }
        }
        return false;
    }
}
