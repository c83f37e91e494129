package io.summarizer.dsl.parse;

import io.summarizer.dsl.diagnose.Diagnostics;
import io.summarizer.dsl.diagnose.Source;
import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.ListTokenSource;
import org.antlr.v4.runtime.Token;
import org.jspecify.annotations.Nullable;

/**
 * Parses text to a syntax tree; errors go to the diagnostics. Never throws for bad input: the reader bounds the depth
 * of brackets before parsing, and the depth of expressions while it builds the tree.
 */
public final class SummReader {
    private SummReader() {}

    /** Parses one file. Cost: linear in the length of the text, for text as people write it. */
    public static Ast.File read(Source source, Diagnostics diagnostics) {
        List<Token> tokens = tokens(source);
        if (Nesting.report(tokens, source, diagnostics)) {
            return new Ast.File(source, List.of(), true);
        }
        SyntaxRecovery recovery = new SyntaxRecovery(source, diagnostics);
        return new AstBuilder(source, diagnostics, recovery)
                .file(parser(tokens, recovery).file());
    }

    /** Parses a separate expression. If the expression is malformed, reports an error and returns null. */
    public static Ast.@Nullable Expr readCondition(Source source, Diagnostics diagnostics) {
        List<Token> tokens = tokens(source);
        if (Nesting.report(tokens, source, diagnostics)) {
            return null;
        }
        SyntaxRecovery recovery = new SyntaxRecovery(source, diagnostics);
        SummParser.ConditionContext condition = parser(tokens, recovery).condition();
        return diagnostics.isEmpty() && !recovery.isDamaged(condition)
                ? new AstBuilder(source, diagnostics, recovery).condition(condition)
                : null;
    }

    private static List<Token> tokens(Source source) {
        SummLexer lexer = new SummLexer(CharStreams.fromString(source.text()));
        lexer.removeErrorListeners();
        return new ArrayList<>(lexer.getAllTokens());
    }

    private static SummParser parser(List<Token> tokens, SyntaxRecovery recovery) {
        Words.tellApart(tokens);
        CommonTokenStream stream = new CommonTokenStream(new ListTokenSource(tokens));
        stream.fill(); // error messages look ahead
        SummParser parser = new SummParser(stream);
        parser.removeErrorListeners();
        parser.setErrorHandler(recovery);
        return parser;
    }
}
