package io.summarizer.dsl.parse;

import io.summarizer.dsl.diagnose.Span;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;

/** The places of ANTLR's tokens and trees. */
final class Spans {
    private Spans() {}

    static Span of(Token token) {
        if (token.getType() == Token.EOF) {
            return new Span(token.getLine(), token.getCharPositionInLine() + 1, 1);
        }
        String text = token.getText();
        int end = text.indexOf('\n');
        String firstLine = end < 0 ? text : text.substring(0, end);
        return new Span(
                token.getLine(),
                token.getCharPositionInLine() + 1,
                Math.max(1, firstLine.codePointCount(0, firstLine.length())));
    }

    static Span of(ParserRuleContext context) {
        return of(context.getStart()).to(of(context.getStop()));
    }
}
