package io.summarizer.dsl.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.ledger.ProgramCounts;
import io.summarizer.dsl.model.Regex;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every regex is refused, or its matches end, also on long texts. A match that does not end hangs until a deadline far
 * beyond the time for the bound on steps; no test measures speed. {@code RegexStepsTest} counts the steps.
 */
class ExtractionBoundsTest {
    private static final long HANGS_MS = 120_000;
    private static final int LONG_TEXT = 200_000;
    /** Bytes that compiling the largest regex may allocate. */
    private static final long COMPILED_BYTES_MAX = 32 << 20;

    private static String times(int times, String part) {
        return part.repeat(times);
    }

    /** Regexes known to backtrack without end, or to loop without a look at the text. */
    static List<String> hostile() {
        List<String> regexes = new ArrayList<>(List.of(
                // Exponential and polynomial backtracking.
                "(a+)+b",
                "(a*)*b",
                "(a|a)*b",
                "(a|aa)+$",
                "(.*a){25}b",
                "(?:a?){40}a{40}",
                "([a-z]+)*=",
                "^(([a-z])+.)+[A-Z]([a-z])+$",
                "(\\w+\\s?)*$x",
                "\\s+$x",
                "(.*)(.*)(.*)(.*)(.*)b",
                "(a+){10}b",
                "((a+)+)+b",
                "(?:(?:(?:a{1,30}){1,30}){1,30}){1,30}b",
                "^(\\d+)*$x",
                "(x+x+)+y",
                // References to groups.
                "(a*)\\1*\\1*b",
                "(a+)(a+)\\1\\2b",
                "(a*?)\\1+b",
                "(?<n>a*)(?:\\k<n>)*b",
                "()\\1{1000000}b",
                "(a*)(?:\\1?){60}b",
                "(?i)(A*)\\1*b",
                // Look-around.
                "(?<=(?:a{0,900}))b",
                "(?<=a{0,100000000})b",
                "(?<=$a{0,100000000})b",
                "(?<!a{0,500})(?<!a{0,500})b",
                "(?=(a+))(?:a*)*b",
                "(?=(?=(?=(a*)*b)a*)*b)",
                "(?!(a+)+b)c",
                "(?=a*){1000}b",
                // Possessive and lazy.
                "(?>a*)*b",
                "(a++)*b",
                "(?:a*+)*+b",
                "(a*?)*?b",
                "(a+?)+?b",
                "(?>(?>a|aa)*)*b",
                // Case-insensitive, Unicode.
                "(?iu)(\u00e4+)+z",
                "(?iu)([\u0100-\u017f\u03b1-\u03c9a]+)+z",
                "(?U)(\\w+)+\\W\\b\\B!",
                "(?iu)(\u0130|i\u0307|\u212a|k|a)*z",
                "(?U)(?:\\b\\w)+!",
                "\\X*\\X*\\X*z",
                "(?:\\R|a)*\\R*z",
                "(?s)(?:.|\\p{L})*z",
                // Loops that look at nothing.
                "(?:){2147483647}",
                "(?:(?:){30000}){30000}",
                "(|){12}$",
                "(|){10}^b",
                "(|){10}\\z(|)",
                "(?:$){2147483647}",
                "(?:^|$|\\z|\\G){100000}b",
                "\\b{2147483647}",
                "\\G{2147483647}b",
                "a{2}{2147483647}",
                "a{2}{2}{2147483647}b",
                "{2147483647}",
                "(?:{2147483647})",
                "b|{2147483647}$",
                "(?i){2147483647}$",
                "\\Q\\E{2147483647}$",
                "a{2}\\Q\\E{2147483647}",
                "(a{0}){2147483647}$",
                "(?:a{0,0}){2147483647}$",
                "(?=){2147483647}",
                "(?<=){2147483647}",
                "(?:\\1){2147483647}()",
                // Counted repetitions.
                "(a{1000}){1000}",
                "(a{1000}){1000000}",
                "((((a{99}){99}){99}){99}){99}",
                "a{2147483647}",
                "(?:a{0,2147483647}){0,2147483647}b",
                "(?:a{0,2147483647}b?){0,2147483647}c",
                "(?:ab|a|b){2147483647}",
                "(?:.{0,100}){0,100}z"));
        // Large ones.
        regexes.add(times(83, "(?:a|b|aa)*") + "z");
        regexes.add(times(120, "(?:a|b)*") + "z");
        regexes.add(times(199, "(a*)*").substring(0, 995) + "b");
        regexes.add(times(450, "(") + "a" + times(450, ")") + "b");
        regexes.add(times(240, "(") + "a" + times(240, ")*") + "b");
        regexes.add(times(240, "(?:a|") + "b" + times(240, ")"));
        regexes.add(times(160, "(?=") + "a" + times(160, ")"));
        regexes.add(times(150, "(?<=") + "a" + times(150, ")"));
        regexes.add(times(400, "[") + "a" + times(400, "]") + "*z");
        regexes.add("(?:[" + times(240, "b-c[") + "a" + times(240, "]") + "])*z");
        regexes.add("[" + times(160, "b-c\\d&&[a]").substring(0, 990) + "]*z");
        regexes.add(times(240, "(a+") + times(240, ")+").substring(0, 270) + "b");
        regexes.add(times(330, "a?b") + "z");
        regexes.add(times(490, "a?") + "z");
        regexes.add(times(240, "a{9}"));
        return regexes;
    }

    static List<String> texts() {
        return List.of(
                "",
                "a",
                times(30, "a"),
                times(2_000, "a"),
                times(LONG_TEXT, "a"),
                times(LONG_TEXT / 2, "ab"),
                times(1_000, "x"),
                times(500, "\u00e4\u0130i\u0307\u212a"),
                times(300, "a\u0301\u0308\ud83d\udc68\u200d\ud83d\udc69"),
                times(500, "\r\n"),
                times(20_000, " ") + "a",
                "ab" + times(3_000, "ba") + "!");
    }

    /** Ends, by its result or by its bound. */
    @ParameterizedTest
    @MethodSource("hostile")
    void shouldRefuseARegexOrEndItsMatches(String regex) throws Exception {
        inTime(regex, () -> {
            Extraction extraction;
            try {
                extraction = new Extraction(regex, 0);
            } catch (PatternSyntaxException e) {
                return;
            }
            ProgramCounts counts = new ProgramCounts(0);
            for (String text : texts()) {
                InputEvent event = new InputEvent(1 << 20);
                byte[] bytes = text.getBytes(UTF_8);
                var unused = extraction.find(event, counts, event.copyToScratch(bytes, 0, bytes.length));
            }
        });
    }

    /** A regex of a few characters can request any number of repetitions; none is unrolled. */
    @ParameterizedTest
    @MethodSource("hostile")
    void shouldCompileWithinABoundOfMemory(String regex) throws Exception {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long[] allocated = new long[1];
        inTime(regex, () -> {
            long before = threads.getCurrentThreadAllocatedBytes();
            try {
                var unused = Regex.of(regex);
            } catch (PatternSyntaxException e) {
                // expected
            }
            allocated[0] = threads.getCurrentThreadAllocatedBytes() - before;
        });
        assertThat(allocated[0]).isPositive().isLessThan(COMPILED_BYTES_MAX);
    }

    /** The matcher of the JDK 17 throws for these texts: the result is a counted null, and no fault of the program. */
    @ParameterizedTest
    @CsvSource({"(?i)(\\S)\\1, \ud83d\ude00\ud83d\ude00, xaA", "[a-z1&&]|x, a, x"})
    void shouldCountMatchesThatTheJdkFailsAt(String regex, String text, String other) {
        Extraction extraction = new Extraction(regex, 0);
        ProgramCounts counts = new ProgramCounts(0);
        InputEvent event = new InputEvent();
        byte[] bytes = text.getBytes(UTF_8);
        long found = extraction.find(event, counts, event.copyToScratch(bytes, 0, bytes.length));
        assertThat(found == InputEvent.NULL_STRING || counts.extractsAbandoned() == 0)
                .isTrue();
        if (Runtime.version().feature() == 17) {
            assertThat(counts.extractsAbandoned()).isEqualTo(1);
        }
        byte[] next = other.getBytes(UTF_8);
        assertThatCode(() -> extraction.find(event, counts, event.copyToScratch(next, 0, next.length)))
                .doesNotThrowAnyException();
    }

    @Test
    void shouldLetGoOfTheTextAndOfWhatAQueryMadeOfARow() {
        class Query extends Evaluator {
            final Extraction extraction = new Extraction("b", 0);

            void row(byte[] text) {
                long string = event.copyToScratch(text, 0, text.length);
                assertThat(string).isNotEqualTo(InputEvent.NULL_STRING);
                assertThat(extraction.find(event, counts, string)).isEqualTo(InputEvent.NULL_STRING);
                endRow();
            }

            int kept() {
                return event.scratch().length;
            }
        }
        byte[] text = times(100_000, "\u00e4").getBytes(UTF_8);
        List<Query> queries = new ArrayList<>();
        long before = used();
        for (int i = 0; i < 100; i++) {
            Query query = new Query();
            query.row(text);
            assertThat(query.kept()).isLessThanOrEqualTo(64 * 1024);
            queries.add(query);
        }
        assertThat(used() - before)
                .as("%d queries, 400 kB each", queries.size())
                .isLessThan(10 << 20);
    }

    private static long used() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static void inTime(String what, Runnable work) throws InterruptedException {
        AtomicReference<@Nullable Throwable> fault = new AtomicReference<>();
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (Throwable e) {
                fault.set(e);
            }
        });
        thread.setDaemon(true); // nothing else ends a match
        thread.start();
        thread.join(HANGS_MS);
        assertThat(thread.isAlive())
                .as("%s hangs at %s", what, List.of(thread.getStackTrace()))
                .isFalse();
        assertThat(fault.get()).as(what).isNull();
    }
}
