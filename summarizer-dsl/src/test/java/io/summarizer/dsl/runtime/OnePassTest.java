package io.summarizer.dsl.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.Seeds;
import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.ledger.ProgramCounts;
import io.summarizer.dsl.model.Regex;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Simple regexes give what the JDK's matcher gives. */
class OnePassTest {
    private static final String[] ATOMS = {
        "a", "b", " ", ":", "\\d", "\\S", "\\s", "\\w", "\\W", "\\D", ".", "[^a]", "[^?]", "[^ ?]", "[ab]", "[a-c]",
        "[^a-z?]", "\\[", "\\?", "[\\d:]", "[^\\s?]", "[0-9.]", "-", "%", "[^&]", "[?&]", "\\\\", "\\.", "[^-]", "[a-]",
        "[&&a]", "[^^]", "x|", "(?i)", "\\b", "[[a]b]", "[]a]", "$", "é", "[é]", "\\Q", "{", "}", "]", "\\x41",
        "(?<n>a)"
    };
    private static final String[] QUANTIFIERS = {"", "", "", "", "+", "+", "+", "*", "*", "?", "+?", "*+", "{2}"};
    private static final String CHARACTERS = "ab?: 0.-Z&\\[\n\r\t]^";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "^([^?]+)",
                "^ ?(\\S+) ",
                "^ ?message repeated (\\d+) times: ",
                "^ ?Accepted (\\S+) for (\\S+) from (\\S+) port",
                "^/(?:[^/?]+/)([^/?.]*)",
                "^[A-Z][a-z]*=\"([^\"\\\\]*)\""
            })
    void shouldTakeTheRegexesOfTheDocs(String regex) {
        assertThat(OnePass.of(regex, 0)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "^(.*)b",
                "^a*a",
                "^a?a",
                "^a+[^b]",
                "^a?b*a",
                "^a|b",
                "^(a)?b",
                "^a+?b",
                "^a++",
                "^a{2}",
                "^a$",
                "^(?i)a",
                "^(?<n>a)",
                "^(a)\\1",
                "^[a&&b]",
                "^[a[b]]",
                "^é",
                "^\\x41",
                "^(?=a)",
                "^a\\b",
                "^\\Qa\\E"
            })
    void shouldLeaveOthersToTheJdk(String regex) {
        assertThat(Regex.of(regex)).isNotNull();
        assertThat(OnePass.of(regex, 0)).isNull();
    }

    @Test
    void shouldFindWhatTheJdkFinds() {
        long seed = Seeds.first();
        SplittableRandom random = new SplittableRandom(seed);
        int simple = 0;
        int matched = 0;
        int abandoned = 0;
        for (int round = 0; round < 20_000; round++) {
            StringBuilder regex = new StringBuilder("^");
            int open = 0;
            for (int i = random.nextInt(6); i >= 0; i--) {
                if (random.nextInt(4) == 0) {
                    regex.append(random.nextBoolean() ? "(" : "(?:");
                    open++;
                }
                // Half of the atoms are among the first few, so that most regexes have only simple ones.
                regex.append(ATOMS[random.nextInt(random.nextInt(8) == 0 ? ATOMS.length : 28)])
                        .append(QUANTIFIERS[random.nextInt(random.nextInt(8) == 0 ? QUANTIFIERS.length : 10)]);
                if (open > 0 && random.nextInt(2) == 0) {
                    regex.append(")").append(random.nextInt(20) == 0 ? "?" : "");
                    open--;
                }
            }
            regex.append(")".repeat(open));
            Pattern pattern = compiled(regex.toString());
            if (pattern == null) {
                continue;
            }
            int groups = pattern.matcher("").groupCount();
            int group = random.nextInt(groups + 1);
            Extraction extraction = new Extraction(regex.toString(), group);
            simple += OnePass.of(regex.toString(), group) == null ? 0 : 1;
            for (int text = 0; text < 10; text++) {
                String input = text(random);
                Matcher matcher = pattern.matcher(input);
                String expected = matcher.find() ? matcher.group(group) : null;
                String what = "-Dsummarizer.seed=%d: %s, group %d, in \"%s\"".formatted(seed, regex, group, input);
                ProgramCounts counts = new ProgramCounts(0);
                String found = find(extraction, input, counts);
                if (counts.extractsAbandoned() > 0) {
                    // Some regexes that are not simple go back too often.
                    assertThat(OnePass.of(regex.toString(), group)).as(what).isNull();
                    assertThat(found).as(what).isNull();
                    abandoned++;
                    continue;
                }
                assertThat(found).as(what).isEqualTo(expected);
                matched += expected == null ? 0 : 1;
            }
        }
        assertThat(simple).as("simple regexes, seed %d", seed).isGreaterThan(1_000);
        assertThat(matched).as("matches, seed %d", seed).isGreaterThan(10_000);
        assertThat(abandoned).as("abandoned, seed %d", seed).isLessThan(50);
    }

    @Test
    void shouldTakeTheSameSteps() {
        ProgramCounts counts = new ProgramCounts(0);
        counts.extractSteps = 100;
        assertThat(find(new Extraction("^([^?]+)", 1), "/search?q=a", counts)).isEqualTo("/search");
        // 11 for the characters of the text, 8 for reads up to the question mark.
        assertThat(counts.extractSteps).isEqualTo(81);
        counts.extractSteps = 18;
        assertThat(find(new Extraction("^([^?]+)", 1), "/search?q=a", counts)).isNull();
        assertThat(counts.extractsAbandoned()).isEqualTo(1);
        assertThat(find(new Extraction("^([^?]+)", 1), "a".repeat(4_000_000), new ProgramCounts(0)))
                .isNotNull();
        assertThat(find(new Extraction("^([^?]+)", 1), "a".repeat(4_000_001), new ProgramCounts(0)))
                .isNull();
    }

    private static @Nullable Pattern compiled(String regex) {
        try {
            return Regex.of(regex).pattern();
        } catch (java.util.regex.PatternSyntaxException e) {
            return null;
        }
    }

    private static String text(SplittableRandom random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(20); i > 0; i--) {
            text.append(
                    random.nextInt(3) == 0 && text.length() > 0
                            ? text.charAt(text.length() - 1)
                            : CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
        }
        return random.nextInt(20) == 0 ? text.append('é').toString() : text.toString();
    }

    private static @Nullable String find(Extraction extraction, String text, ProgramCounts counts) {
        InputEvent event = new InputEvent();
        byte[] bytes = ("?" + text).getBytes(UTF_8);
        long copy = event.copyToScratch(bytes, 0, bytes.length);
        long found = extraction.find(event, counts, InputEvent.slice(copy, 1, bytes.length - 1));
        return found == InputEvent.NULL_STRING ? null : event.string(found);
    }
}
