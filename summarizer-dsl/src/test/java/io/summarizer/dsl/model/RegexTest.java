package io.summarizer.dsl.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
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

    /** Java takes quotes away before it parses: what is between them here is a group that catches nothing, and so on. */
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

    /** Looks times weight bounds the work: no text makes a regex run for long within a bound of looks. */
    @Test
    void boundsTheStepsOfRandomOnes() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int taken = 0;
        for (int i = 0; i < 20_000; i++) {
            StringBuilder regex = new StringBuilder(random(random, 4));
            while (random.nextBoolean()) {
                regex.insert(random.nextInt(regex.length() + 1), "\\Q\\E");
            }
            Regex compiled;
            try {
                compiled = Regex.of(regex.toString());
            } catch (PatternSyntaxException e) {
                continue;
            }
            taken++;
            Looked text = new Looked("a".repeat(random.nextInt(12)), 3_000 / compiled.weight());
            try {
                var unused = compiled.pattern().matcher(text).find();
            } catch (Looked.Enough e) {
                // as it should be
            }
        }
        assertThat(taken).as("seed " + seed).isGreaterThan(5_000);
    }

    private static String random(Random random, int depth) {
        return switch (depth == 0 ? random.nextInt(3) : random.nextInt(10)) {
            case 0 -> "a";
            case 1 -> "b";
            case 2 -> "";
            case 3, 4 -> "(?:" + random(random, depth - 1) + "|" + random(random, depth - 1) + ")";
            case 5 -> "(" + random(random, depth - 1) + ")" + repetition(random);
            case 6 -> "(?:" + random(random, depth - 1) + ")" + repetition(random);
            case 7 -> "(?=" + random(random, depth - 1) + ")";
            default -> random(random, depth - 1) + random(random, depth - 1);
        };
    }

    private static String repetition(Random random) {
        return new String[] {"*", "+", "?", "*?", "{2}", "{0,3}", "{20}", "{5,}", "{1000000000}"}[random.nextInt(9)];
    }

    /** Text that may be looked at so often. */
    private static final class Looked implements CharSequence {
        private final String text;
        private int left;

        static final class Enough extends RuntimeException {
            Enough() {
                super("enough", null, false, false);
            }
        }

        Looked(String text, int left) {
            this.text = text;
            this.left = left;
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            if (--left < 0) {
                throw new Enough();
            }
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }
    }
}
