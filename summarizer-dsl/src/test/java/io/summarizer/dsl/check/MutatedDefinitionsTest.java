package io.summarizer.dsl.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Valid files with random edits: for any of them the checker ends, within bounds, and with the same result each time.
 */
class MutatedDefinitionsTest {
    private static final Pattern TOKEN = Pattern.compile("\\w+|\\s+|\"[^\"\n]*\"|.", Pattern.DOTALL);
    private static final int ROUNDS = 150;

    @Test
    void randomEditsNeverThrow() throws IOException {
        long seed = Seeds.first();
        Random random = new Random(seed);
        Path golden = ProjectRoot.resolve("summarizer-dsl/src/test/resources/golden");
        String proto = Files.readString(golden.resolve("shop.proto"));
        List<String> tokens = tokens(Files.readString(golden.resolve("every_construct.summ")));
        List<String> protoTokens = tokens(proto);
        for (int round = 0; round < ROUNDS; round++) {
            boolean mutateProto = random.nextInt(4) == 0;
            String summ = String.join("", mutateProto ? tokens : mutate(tokens, random));
            String shop = mutateProto ? String.join("", mutate(protoTokens, random)) : proto;
            Map<String, String> files = Map.of("a.summ", summ, "shop.proto", shop);
            String context = "seed " + seed + ", round " + round + ":\n" + (mutateProto ? shop : summ);
            CheckResult result;
            String rendered;
            try {
                result = DefinitionsCompiler.check(files);
                rendered = result.render();
            } catch (RuntimeException | StackOverflowError e) {
                throw new AssertionError(context, e);
            }
            assertThat(result.isValid()).as(context).isEqualTo(result.errors() == 0);
            assertThat(rendered).as(context).doesNotContain("Context", "RULE_", "Exception", "<EOF>");
        }
    }

    private static List<String> tokens(String text) {
        List<String> tokens = new ArrayList<>();
        Matcher matcher = TOKEN.matcher(text);
        while (matcher.find()) {
            tokens.add(matcher.group());
        }
        return tokens;
    }

    private static List<String> mutate(List<String> tokens, Random random) {
        List<String> mutated = new ArrayList<>(tokens);
        int edits = 1 + random.nextInt(random.nextBoolean() ? 3 : 30);
        for (int i = 0; i < edits && !mutated.isEmpty(); i++) {
            int at = random.nextInt(mutated.size());
            String other = tokens.get(random.nextInt(tokens.size()));
            switch (random.nextInt(6)) {
                case 0 -> mutated.remove(at);
                case 1 -> mutated.add(at, other);
                case 2 -> mutated.set(at, other);
                case 3 -> mutated.set(at, mutated.get(random.nextInt(mutated.size())));
                case 4 -> mutated.add(at, String.valueOf((char) random.nextInt(0x3000)));
                default -> {
                    int end = Math.min(mutated.size(), at + random.nextInt(20));
                    List<String> copy = new ArrayList<>(mutated.subList(at, end));
                    mutated.addAll(random.nextInt(mutated.size()), copy);
                }
            }
        }
        return mutated;
    }
}
