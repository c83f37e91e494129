package io.summarizer.dsl.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.regex.PatternSyntaxException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The bound on steps that {@link Regex} proves, checked against the JDK's matcher: a search takes at most
 * {@link #JDK_STEPS} times {@link Regex#steps} for each look at a character and each place where a match may start.
 */
class RegexStepsTest {
    /** Calls and turns of loops in the JDK for one step of the proof: a loop over a group takes six. */
    private static final long JDK_STEPS = 8;

    /** Further steps of a search, such as those that reset all groups. */
    private static final long CALL_STEPS = 50;

    private static final int LOOKS_MAX = 5_000;

    private static final List<String> TEXTS = List.of(
            "",
            "a",
            "ab",
            "a".repeat(30),
            "a".repeat(2_000),
            "ab".repeat(700),
            "aab\n".repeat(100),
            "\r\n".repeat(300),
            " ".repeat(1_000) + "b",
            "a=b;1 A-".repeat(60),
            "\u00e4\u0130i\u0307\u212a".repeat(100),
            "a\u0301\u0308\ud83d\udc68\u200d\ud83d\udc69\ud83c\udde9\ud83c\uddea".repeat(40),
            "\ud83d\ude00".repeat(500));

    /** Text that allows {@link #LOOKS_MAX} looks. */
    private static final class Looked implements CharSequence {
        private final String text;
        private int looks;

        static final class EnoughException extends RuntimeException {
            EnoughException() {
                super("enough", null, false, false);
            }
        }

        Looked(String text) {
            this.text = text;
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            if (++looks > LOOKS_MAX) {
                throw new EnoughException();
            }
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }
    }

    /** Checks the bound of a regex; returns false when it is refused. */
    private static boolean isBounded(String regex, List<String> texts, String context) {
        Regex compiled;
        try {
            compiled = Regex.of(regex);
        } catch (PatternSyntaxException e) {
            return false;
        }
        CountedRegex counted = new CountedRegex(compiled.pattern().pattern());
        for (String text : texts) {
            Looked looked = new Looked(text);
            // A search of any number of looks needs fewer steps than this; the check below uses the actual number.
            long most = bound(compiled, LOOKS_MAX, text);
            long steps;
            try {
                steps = counted.find(looked, most);
            } catch (Looked.EnoughException
                    | IndexOutOfBoundsException
                    | NullPointerException e) { // the last two are the JDK's
                steps = most - CountedRegex.left();
            } catch (CountedRegex.TooManyStepsException e) {
                steps = most;
            }
            assertThat(steps)
                    .as(
                            "%s: steps of <%s>, of which %d between two looks, after %d looks at %d characters like <%.12s>",
                            context, regex, compiled.steps(), looked.looks, text.length(), text)
                    .isLessThanOrEqualTo(bound(compiled, looked.looks, text));
        }
        return true;
    }

    private static long bound(Regex regex, int looks, String text) {
        long call = CALL_STEPS + JDK_STEPS * regex.pattern().pattern().length();
        return call + JDK_STEPS * regex.steps() * (looks + text.length() + 1);
    }

    private static void assertBounded(String regex) {
        assertThat(isBounded(regex, TEXTS, "")).as("%s is taken", regex).isTrue();
    }

    /** Makes the JDK's tables, which are made once, at their first use. */
    @BeforeAll
    static void makeTables() {
        var unused = new CountedRegex("\\X+$").find("a\u00e4", Long.MAX_VALUE);
    }

    @Test
    void shouldCountStepsOfTheJdk() {
        CountedRegex counted = new CountedRegex("(?:){1000}");
        assertThat(counted.find("", Long.MAX_VALUE)).isBetween(1_000L, 10_000L);
        assertThat(new CountedRegex("a*b").find("a".repeat(1_000), Long.MAX_VALUE))
                .isGreaterThan(1_000_000L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a", "abcd", "abcdefgh", "(?i)abc", "(?iu)\u00e4\u0130", "\ud83d\ude00ab", "a\ud83d\ude00b", "."
            })
    void charactersLookAtThemselves(String regex) {
        assertBounded(regex);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[a-cx-z]",
                "[^a[b]&&[^c]]",
                "\\p{L}",
                "(?U)\\w",
                "(?iu)[\u0100-\u017fa]",
                "[\\w\\s=;-]",
                "\\h\\R"
            })
    void classesTakeStepsByTheirLength(String regex) {
        assertBounded(regex);
    }

    @Test
    void aLongClassIsChargedForItsLength() {
        assertBounded("[" + "b-cx-z\\d&&[a]".repeat(70) + "]*z");
        assertBounded("(?:[" + "b-c[".repeat(190) + "a" + "]".repeat(190) + "])*z");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a|b|c",
                "(?:a|ab|aab)b",
                "(?:|a)b",
                "(a|b|)(a|b|)(a|b|)c",
                "(?:a|(?:b|(?:c|d)))x",
                "(?:ab|ac|ad)*x"
            })
    void alternativesAddUp(String regex) {
        assertBounded(regex);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "^",
                "$",
                "\\b",
                "\\B",
                "\\A",
                "\\z",
                "\\Z",
                "\\G",
                "(?m)^",
                "(?m)$",
                "(?d)$",
                "a*$x",
                "\\s+$",
                "(?:^|$|\\b)z"
            })
    void placesAreOneWay(String regex) {
        assertBounded(regex);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a*",
                "a*b",
                "a*?b",
                "a*+b",
                "[ab]+$x",
                "(?:ab)*b",
                "(ab)+?$x",
                "(?:a|b)*z",
                ".*.*.*z",
                "(a+)+b",
                "(x+x+)+y"
            })
    void loopsOverCharactersLookInEachTurn(String regex) {
        assertBounded(regex);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(a*)*b",
                "(?:a?)*b",
                "((a*)*)*b",
                "(|a)+b",
                "(a*|b*)*c",
                "(?:\\b|a)*b",
                "(?:a*?)*?b",
                "(?:(?:a|)(?:b|))*z"
            })
    void loopsOverNothingEndWithTheTurnThatTookNothing(String regex) {
        assertBounded(regex);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(?:){5}",
                "(?:\\b){5}a",
                "(a*){4}b",
                "(|a){3}b",
                "(?:a?){2,9}b",
                "(?:a?){0,2000000000}b",
                "(?:^*){3}a"
            })
    void theLeastTurnsMayAllTakeNothing(String regex) {
        assertBounded(regex);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a{1000}",
                "(a{1000}){1000000}",
                "a{2147483647}",
                "(?:a{0,2147483647}b){0,2147483647}c",
                "(?:ab|a){1000}b",
                "(?:.{0,100}x){0,100}z"
            })
    void largeCountsTakeNoStepsWithoutCharacters(String regex) {
        assertBounded(regex);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(a*)\\1b",
                "(a+)(a+)\\1\\2b",
                "(a*?)\\1+b",
                "(?<n>a*)(?:\\k<n>)*b",
                "()\\1\\1b",
                "(?i)(A*)\\1*b",
                "\\1(a)",
                "(?:\\1?){3}()b",
                "(\\w)\\1\\111b"
            })
    void referencesLookAtWhatTheyCompare(String regex) {
        assertBounded(regex);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(?=a)",
                "(?=a*)*b",
                "(?!(a+)+b)c",
                "(?=(a+))(?:a*)*b",
                "(?=(?=a*)a*)b",
                "(?:(?=a|b|)a)*z",
                "(?!)"
            })
    void lookAheadIsLeftOnce(String regex) {
        assertBounded(regex);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(?<=a)b",
                "(?<=a{0,90})b",
                "(?<!a{0,90})(?<!a{0,90})b",
                "(?<=(?:ab){3,20})c",
                "(?<=$a{0,90})b",
                "(?<=\ud83d\ude00{0,90})b",
                "(?<=(?<=a{0,9})a{0,9})b"
            })
    void lookBehindTriesEachLength(String regex) {
        assertBounded(regex);
    }

    @ParameterizedTest
    @ValueSource(strings = {"(?>a*)b", "(?>a|aa)*b", "(?>a*)*b", "(?:a*+)*+b", "(a++)*b", "(?>(?>a|ab)*+b?)+z"})
    void possessiveOnesAreLeftOnce(String regex) {
        assertBounded(regex);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\X", "\\X*\\X*z", "\\R", "(?:\\R|a)*\\R*z", "\\R\\R\\R\\n"})
    void graphemesAndLineEndsLookAtWhatTheyPass(String regex) {
        assertBounded(regex);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\\Qa*\\Eb",
                "(?i)a(?-i)b*",
                "(?s:.)*z",
                "(?:(?i)a|B)*c",
                "\\x{1F600}*z",
                "\\uD83D\\uDE00*z",
                "\\07\\cA\\e*",
                "[]a]*z",
                "[&&a]*z"
            })
    void quotesFlagsAndEscapesAreReadAsTheJdkReadsThem(String regex) {
        assertBounded(regex);
    }

    @ParameterizedTest
    @MethodSource("io.summarizer.dsl.runtime.ExtractionBoundsTest#hostile")
    void hostileOnesAreRefusedOrBounded(String regex) {
        var unused = isBounded(regex, TEXTS, "");
    }

    /** All constructs, nested in one another. */
    @Test
    void randomOnesAreRefusedOrBounded() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int taken = 0;
        for (int i = 0; i < 20_000; i++) {
            taken += isBounded(random(random, 1 + random.nextInt(5)), texts(random), "seed " + seed) ? 1 : 0;
        }
        assertThat(taken).as("seed " + seed).isGreaterThan(3_000);
    }

    /** Characters of regexes in any order, to find text that this project and the JDK read differently. */
    @Test
    void anyTextIsRefusedOrBounded() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int taken = 0;
        for (int i = 0; i < 60_000; i++) {
            StringBuilder regex = new StringBuilder();
            for (int length = random.nextInt(14); length >= 0; length--) {
                regex.append(TOKENS[random.nextInt(TOKENS.length)]);
            }
            taken += isBounded(regex.toString(), texts(random), "seed " + seed) ? 1 : 0;
        }
        assertThat(taken).as("seed " + seed).isGreaterThan(3_000);
    }

    private static final String[] TOKENS = {
        "a", "b", "1", "0", "(", ")", "|", "*", "+", "?", "{2}", "{0,3}", "{9,}", "{", "}", ",", "[", "]", "^", "-",
        "&&", "$", ".", "\\", "\\Q", "\\E", "\\b", "\\G", "\\1", "\\X", "\\c", "\\0", "\\x", "\\u0061", "(?", "(?:",
        "(?=", "(?!", "(?<=", "(?<!", "(?>", "(?<n>", "\\k<n>", "(?i)", "(?m:", "(?-i", "(?^", "i", "x", ":", "<", ">",
        "=", "!", "\\p{L}", "\\P", "\\N", "{g}", "#", " ", "\u00e4"
    };

    private static List<String> texts(Random random) {
        return List.of("a".repeat(random.nextInt(12)), "ab1 \u00e4a\r\n\ud83d\ude00".repeat(random.nextInt(5)));
    }

    private static String random(Random random, int depth) {
        if (depth == 0) {
            String[] leaves = {
                "a",
                "b",
                "",
                ".",
                "\\w",
                "\\b",
                "$",
                "^",
                "\\1",
                "[ab\u00e4]",
                "\\Qa\\E",
                "\\X",
                "\\G",
                "(?i)",
                "\\R",
                "ab"
            };
            return leaves[random.nextInt(leaves.length)];
        }
        String inner = random(random, depth - 1);
        return switch (random.nextInt(11)) {
            case 0 -> "(" + inner + ")" + repetition(random);
            case 1 -> "(?:" + inner + ")" + repetition(random);
            case 2 -> "(?>" + inner + ")" + repetition(random);
            case 3 -> "(?=" + inner + ")" + repetition(random);
            case 4 -> "(?!" + inner + ")";
            case 5 -> "(?<=" + inner + ")" + repetition(random);
            case 6 -> "(?:" + inner + "|" + random(random, depth - 1) + ")" + repetition(random);
            case 7 -> "(?iu:" + inner + ")" + repetition(random);
            case 8 -> inner + repetition(random);
            default -> inner + random(random, depth - 1);
        };
    }

    private static String repetition(Random random) {
        String[] all = {
            "",
            "",
            "*",
            "+",
            "?",
            "*?",
            "*+",
            "+?",
            "??",
            "{2}",
            "{0,3}",
            "{7,}",
            "{3}+",
            "{1000000000}",
            "{0,1000000000}",
            "{0}"
        };
        return all[random.nextInt(all.length)];
    }
}
