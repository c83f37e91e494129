package io.summarizer.dsl.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

class SourceCompilerTest {
    @Test
    void compilesClassesThatReferToEachOther() {
        JavaClass helper = new JavaClass("Helper", "Helps.");
        helper.member()
                .open("public static long twice(long value)")
                .line("return 2 * value;")
                .close();
        JavaClass main = new JavaClass("Main", "Asks for help.");
        main.inherits("implements " + main.use(LongUnaryOperator.class));
        main.member()
                .open("public long applyAsLong(long value)")
                .line("return Helper.twice(value);")
                .close();
        GeneratedClasses classes = SourceCompiler.compile(List.of(main.source(), helper.source()));
        assertThat(classes.newInstance(main.source().className(), LongUnaryOperator.class)
                        .applyAsLong(21))
                .isEqualTo(42);
    }

    @Test
    void showsTheLineThatDoesNotCompile() {
        JavaClass broken = new JavaClass("Broken", "Does not compile.");
        broken.member().open("public void run()").line("int x = missing;").close();
        assertThatThrownBy(() -> SourceCompiler.compile(List.of(broken.source())))
                .isInstanceOf(GeneratedCodeException.class)
                .hasMessageContaining("missing")
                .hasMessageContaining("\n        int x = missing;");
    }

    @Test
    void refusesAClassThatIsTooLarge() {
        JavaClass large = new JavaClass("Large", "Has more names than a class file may have.");
        for (int i = 0; i < 70_000; i++) {
            large.fields().line("int f" + i + ";");
        }
        assertThatThrownBy(() -> SourceCompiler.compile(List.of(large.source())))
                .isInstanceOf(TooLargeException.class)
                .hasMessageStartingWith("the definitions are too large: ");
    }

    @Test
    void keepsTextOfDefinitionsWithinCommentsAndLiterals() {
        String hostile = "*/ \\u002a/ \\u000a } \"\n\r\t\u0000\u00e4\ud834\udd1e \\";
        JavaClass quoting = new JavaClass("Quoting", hostile);
        quoting.inherits("implements " + quoting.use(CharSequence.class));
        quoting.member()
                .comment(hostile)
                .open("public String toString()")
                .line("return " + JavaText.literal(hostile) + ";")
                .close();
        quoting.member().open("public int length()").line("return 0;").close();
        quoting.member().open("public char charAt(int index)").line("return 0;").close();
        quoting.member()
                .open("public CharSequence subSequence(int from, int to)")
                .line("return this;")
                .close();
        GeneratedSource source = quoting.source();
        assertThat(SourceCompiler.compile(List.of(source))
                        .newInstance(source.className(), CharSequence.class)
                        .toString())
                .isEqualTo(hostile);
    }

    @Test
    void givesOutEachNameOnce() {
        Names names = new Names("event");
        assertThat(names.variable("campaign_id")).isEqualTo("campaignId");
        assertThat(names.variable("campaign_id")).isEqualTo("campaignId2");
        assertThat(names.variable("event")).isEqualTo("event2");
        assertThat(names.variable("class")).isEqualTo("class2");
        assertThat(names.variable("9 lives")).isEqualTo("n9Lives");
        assertThat(names.type("http.request")).isEqualTo("HttpRequest");
        assertThat(names.variable("campaignId")).isEqualTo("campaignId3");
    }
}
