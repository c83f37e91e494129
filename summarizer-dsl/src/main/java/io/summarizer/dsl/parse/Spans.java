package io.summarizer.dsl.parse;

import io.summarizer.dsl.diagnose.Source;
import io.summarizer.dsl.diagnose.Span;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;

/** The places of ANTLR's tokens and trees in one source. Immutable. */
record Spans(Source source) {
    Span of(Token token) {
        if (token.getType() == Token.EOF) {
            return new Span(source, token.getLine(), token.getCharPositionInLine() + 1, 1);
        }
        String text = token.getText();
        int end = text.indexOf('\n');
        String firstLine = end < 0 ? text : text.substring(0, end);
        return new Span(
                source,
                token.getLine(),
                token.getCharPositionInLine() + 1,
                Math.max(1, firstLine.codePointCount(0, firstLine.length())));
    }

    Span of(ParserRuleContext context) {
        return of(context.getStart()).to(of(context.getStop()));
    }
}
