package io.summarizer.dsl.parse;

import io.summarizer.dsl.diagnose.Diagnostics;
import io.summarizer.dsl.diagnose.Source;
import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.ListTokenSource;
import org.antlr.v4.runtime.Token;

/**
 * Text in, syntax tree out; errors go to the diagnostics. Never throws for bad input, whatever it is: the depth of brackets
 * is bounded before parsing, the depth of expressions while the tree is built.
 */
public final class SummReader {
    private SummReader() {}

    /** Parses one file. Cost: linear in the text, for all that people write. */
    public static Ast.File read(Source source, Diagnostics diagnostics) {
        SummLexer lexer = new SummLexer(CharStreams.fromString(source.text()));
        lexer.removeErrorListeners();
        List<Token> tokens = new ArrayList<>(lexer.getAllTokens());
        if (Nesting.report(tokens, source, diagnostics)) {
            return new Ast.File(source, List.of(), true);
        }
        Words.tellApart(tokens);
        SummParser parser = new SummParser(new CommonTokenStream(new ListTokenSource(tokens)));
        Recovery recovery = new Recovery(source, diagnostics);
        parser.removeErrorListeners();
        parser.setErrorHandler(recovery);
        return new AstBuilder(source, diagnostics, recovery).file(parser.file());
    }
}
