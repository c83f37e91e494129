package io.summarizer.dsl.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.regex.PatternSyntaxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RegexTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "(\\w+): (\\w+)",
                "\"id\": \"([0-9]+)\"",
                "utm_source=([^&]*)",
                "(?i)^(?:get|post|put|delete|head|options|patch|trace|connect) /([^ ?]*)",
                "(?<=id=)\\d+(?= )",
                "(?<name>a*)\\k<name>+",
                "[]a-z&&[^[b]\\Q]\\E]]*+",
                "\\Q(((\\E(a)",
                "((a?)b?){3}c{2,5}?",
                "\\p{Lu}*\\x{1F600}*\\uD83D\\uDE00*\\x41*\\07*\\cA*",
                "(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})",
                "a{0,1000000}b"
            })
    void takesOrdinaryOnesAtFullSpeed(String regex) {
        assertThat(Regex.of(regex).weight()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(|){30}b",
                "(a*|b*){30}c",
                "(?:){2000000000}",
                "(?:\\b){2000000000}",
                "^{2000000000}",
                "(?=a){2000000000}",
                "(?<=a{0,900})(?:(?:(?<=b{0,900}))*)*c",
                "(?:\\x41*){30}z",
                "(?:\\uD83D\\uDE00*){30}z",
                "(?:\uD83D\uDE00*){30}z",
                "(?:\\Qa\\E*){30}z",
                "((((((((a*)*)*)*)*)*)*)*)*b",
                "(?<=a.{0,1100}=)x"
            })
    void refusesThoseThatGoThroughNothingInManyWays(String regex) {
        assertThatThrownBy(() -> Regex.of(regex))
                .isInstanceOf(PatternSyntaxException.class)
                .hasMessageContaining("there are too many ways between two characters");
    }

    /** An escape in a class may have several characters, also a bracket. */
    @ParameterizedTest
    @ValueSource(strings = {"[^\\c\\]", "[\\c]]", "[a[\\c\\]]", "[\\x{5d}]", "[\\\\]", "[\\]]"})
    void readsClassesAsJavaDoes(String part) {
        assertThatThrownBy(() -> Regex.of(part + "(?:|)".repeat(60) + "(?!)]"))
                .isInstanceOf(PatternSyntaxException.class)
                .hasMessageContaining("there are too many ways between two characters");
    }

    /**
     * Java removes quotes before it parses: the text between them here becomes a group that captures nothing, and so
     * on.
     */
    @ParameterizedTest
    @ValueSource(strings = {"(\\Q\\E?:|)", "(?\\Q\\E:|)", "(?:|\\Q\\E)", "(?:\\Q\\E\\Q\\E|)"})
    void readsQuotesAsJavaDoes(String part) {
        assertThatThrownBy(() -> Regex.of(part.repeat(60) + "(?!)"))
                .isInstanceOf(PatternSyntaxException.class)
                .hasMessageContaining("there are too many ways between two characters");
    }

    @ParameterizedTest
    @CsvSource({
        "\\Qa.(b\\E+, a.(bbb, axb",
        "x\\Q1*\\E\\d, x1*5, x15",
        "(.)\\1\\Q1\\E, aa1, aa",
        "[\\Q]^-\\E]+, ]-^, a",
        "\\Q\\\\E, \\, E",
        "a\\Q*, a*, aa",
        "\\Q\u00e4 #\\E, \u00e4 #, \u00e4#",
        "\\\\Q, \\Q, Q"
    })
    void takesQuotedTextAsItIs(String regex, String text, String other) {
        assertThat(Regex.of(regex).pattern().matcher(text).matches()).isTrue();
        assertThat(text).matches(regex);
        assertThat(Regex.of(regex).pattern().matcher(other).matches()).isFalse();
    }

    /** The JDK 17 reads beyond the end of the text for it, for example for {@code (?<=(?!\\b{g})a)}. */
    @Test
    void refusesTheBoundaryOfGraphemes() {
        assertThatThrownBy(() -> Regex.of("a\\b{g}"))
                .isInstanceOf(PatternSyntaxException.class)
                .hasMessageContaining("\\b{g} is not supported");
        assertThat(Regex.of("\\bg").pattern().matcher("a g").find()).isTrue();
    }

    @Test
    void saysWhatIsWrong() {
        assertThatThrownBy(() -> Regex.of("a(b")).hasMessageContaining("Unclosed group");
        assertThatThrownBy(() -> Regex.of("a(?x:b #(\n)"))
                .hasMessageContaining("the flag x, for comments, is not supported");
        assertThatThrownBy(() -> Regex.of("a".repeat(1001))).hasMessageContaining("longer than 1000 characters");
    }

    /** Java takes the second one for so many iterations of the empty text. */
    @ParameterizedTest
    @ValueSource(strings = {"a{2}{2147483647}", "{2147483647}", "b|{3}", "(?:{3})", "a*{3}", "a+?{3}", "a{2}?{3}"})
    void refusesRepetitionsOfRepetitionsAndOfNothing(String regex) {
        assertThatThrownBy(() -> Regex.of(regex))
                .isInstanceOf(PatternSyntaxException.class)
                .hasMessageContaining("a repetition of a repetition, or of nothing");
    }

    @Test
    void weighsWhatTakesMoreStepsThanCharacters() {
        assertThat(Regex.of("((a*)*)*b").weight()).isGreaterThan(1);
        assertThat(Regex.of("[" + "a-cx-z".repeat(160) + "]").weight()).isGreaterThan(1);
    }
}
