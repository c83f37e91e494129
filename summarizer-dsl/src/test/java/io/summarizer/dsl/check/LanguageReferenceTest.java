package io.summarizer.dsl.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The examples of docs/write/language.md: each {@code summ} block checks, or gives the errors or warnings of the
 * {@code text} block after it. A block without an import stands for a part of a file; the events and the summary of the
 * first file are put around it.
 */
class LanguageReferenceTest {
    private static final Pattern BLOCK = Pattern.compile("```(\\w+)\n(.*?)```\n", Pattern.DOTALL);

    private record Block(String language, String text, int line) {}

    @TestFactory
    Stream<DynamicTest> examplesAreTrue() throws IOException {
        List<Block> blocks = blocks(Files.readString(ProjectRoot.resolve("docs/write/language.md")));
        String proto = blocks.stream()
                .filter(block -> block.language.equals("proto"))
                .findFirst()
                .orElseThrow()
                .text;
        String first = blocks.stream()
                .filter(block -> block.language.equals("summ"))
                .findFirst()
                .orElseThrow()
                .text;
        List<DynamicTest> tests = new ArrayList<>();
        for (int i = 0; i < blocks.size(); i++) {
            Block block = blocks.get(i);
            if (block.language.equals("summ")) {
                boolean stated =
                        i + 1 < blocks.size() && blocks.get(i + 1).language.equals("text");
                String errors = stated ? blocks.get(i + 1).text : "";
                tests.add(DynamicTest.dynamicTest("line " + block.line, () -> {
                    Map<String, String> files = Map.of("shop.proto", proto, "example.summ", whole(block.text, first));
                    CheckResult result = DefinitionsCompiler.check(files);
                    assertThat(result.render() + result.renderWarnings()).isEqualTo(errors);
                }));
            }
        }
        assertThat(tests).hasSizeGreaterThan(5);
        return tests.stream();
    }

    private static String whole(String text, String first) {
        if (text.contains("import ")) {
            return text;
        }
        String preamble = first.substring(0, first.indexOf("\nmap "));
        return text.contains("map ")
                ? preamble + text
                : preamble + "map Order into Cities { key { city = null; country = null; }\n" + text + "}";
    }

    private static List<Block> blocks(String markdown) {
        List<Block> blocks = new ArrayList<>();
        Matcher matcher = BLOCK.matcher(markdown);
        while (matcher.find()) {
            int line = (int) markdown.substring(0, matcher.start()).lines().count() + 1;
            blocks.add(new Block(matcher.group(1), matcher.group(2), line));
        }
        return blocks;
    }
}
