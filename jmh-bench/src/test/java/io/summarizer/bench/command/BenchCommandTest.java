package io.summarizer.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine.Model.OptionSpec;

class BenchCommandTest {
    /** A command in the documentation, with its indented continuation lines. */
    private static final Pattern DOCUMENTED = Pattern.compile("bin/bench ([a-z0-9-]+)([^`\\n]*(?:\\n +\\[[^`\\n]*)*)");

    private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--?[a-zA-Z][a-zA-Z-]*");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

    /** All commands of {@code bin/bench}, found as it finds them: the classes of the package, except for their base. */
    static List<Named<BenchCommand>> commands() throws IOException, ReflectiveOperationException, URISyntaxException {
        Path classes = Path.of(BenchCommand.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .resolve(BenchCommand.class.getPackageName().replace('.', '/'));
        List<Named<BenchCommand>> commands = new ArrayList<>();
        try (Stream<Path> files = Files.list(classes)) {
            for (Path file : files.sorted().toList()) {
                String name = file.getFileName().toString();
                if (name.matches("[A-Z]\\w*\\.class") && !name.equals("BenchCommand.class")) {
                    Class<?> type = Class.forName(
                            BenchCommand.class.getPackageName() + "." + name.substring(0, name.lastIndexOf('.')));
                    Constructor<?> constructor = type.getDeclaredConstructor();
                    constructor.setAccessible(true);
                    BenchCommand command = (BenchCommand) constructor.newInstance();
                    commands.add(Named.of(command.name(), command));
                }
            }
        }
        assertThat(commands).hasSizeGreaterThan(9);
        return commands;
    }

    private int run(BenchCommand command, String... arguments) {
        return BenchCommand.run(command, stream(out), stream(errors), arguments);
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private void assertOneLineOf(BenchCommand command) {
        assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
        assertThat(errors.toString(StandardCharsets.UTF_8).lines())
                .singleElement()
                .asString()
                .startsWith(command.name() + ": ")
                .endsWith("; see --help");
        errors.reset();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void helpSaysWhatTheCommandAndEachOptionDo(BenchCommand command) {
        assertThat(run(command, "--help")).isZero();
        String help = out.toString(StandardCharsets.UTF_8);
        assertThat(help).startsWith("Usage: bin/bench " + command.name() + " ");
        assertThat(errors.size()).isZero();
        assertThat(command.line().getCommandSpec().usageMessage().description())
                .as("description of " + command.name())
                .isNotEmpty();
        for (OptionSpec option : command.line().getCommandSpec().options()) {
            assertThat(option.description()).as(option.longestName()).isNotEmpty();
            assertThat(help).contains(option.names());
        }
    }

    @ParameterizedTest
    @MethodSource("commands")
    void aTypoIsToldInOneLine(BenchCommand command) {
        assertThat(run(command, "--no-such-option")).isEqualTo(2);
        assertOneLineOf(command);
        assertThat(run(command, "one", "word", "too-many")).isEqualTo(2);
        assertOneLineOf(command);
    }

    @ParameterizedTest
    @MethodSource("commands")
    void aValueThatIsMissingIsToldInOneLine(BenchCommand command) {
        for (OptionSpec option :
                BenchCommand.commandLine(command).getCommandSpec().options()) {
            if (option.arity().min() > 0) {
                assertThat(run(command, option.longestName()))
                        .as(option.longestName())
                        .isEqualTo(2);
                assertOneLineOf(command);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("commands")
    void theDocumentationNamesNoOptionThatIsNotThere(BenchCommand command) throws IOException {
        List<String> names = BenchCommand.commandLine(command).getCommandSpec().options().stream()
                .flatMap(option -> Stream.of(option.names()))
                .toList();
        List<Path> pages;
        try (Stream<Path> docs = Files.walk(Path.of("../docs"))) {
            pages = docs.filter(page -> page.toString().endsWith(".md")).toList();
        }
        assertThat(pages).isNotEmpty();
        for (Path page : pages) {
            Matcher documented = DOCUMENTED.matcher(Files.readString(page));
            while (documented.find()) {
                if (documented.group(1).equals(command.name())) {
                    assertThat(names)
                            .as(page + ": " + documented.group())
                            .containsAll(OPTION.matcher(documented.group(2))
                                    .results()
                                    .map(option -> option.group())
                                    .toList());
                }
            }
        }
    }

    /** An invalid number, choice and list. */
    @ParameterizedTest
    @MethodSource("unusable")
    void aValueThatCannotBeUsedIsToldInOneLine(BenchCommand command, List<String> arguments, String answer) {
        assertThat(run(command, arguments.toArray(String[]::new))).isEqualTo(2);
        assertThat(errors.toString(StandardCharsets.UTF_8)).contains(answer);
        assertOneLineOf(command);
    }

    static Object[][] unusable() {
        return new Object[][] {
            {new DistinctError(), List.of("--trials", "0"), "--trials 0 is less than 1"},
            {new Sweep(), List.of("--workload", "v1,v3", "--list"), "no workload v3; there are v1, v2"},
            {new Sweep(), List.of("--linger", "0,1"), "'1' is not a time such as 0, 500us or 1ms"},
            {new E2e(), List.of("--workload", "v3"), "no workload v3; there are v1, v2"},
            {new E2e(), List.of("--repeats", "some"), "'some' is not an int"},
            {new E2e(), List.of("--against", "one-core"), "--against one-core is for --run"},
            {new Queues(), List.of("--sections", "threads,thread"), "no section thread; there are threads, "},
            {new Recovery(), List.of("--compression", "gzip"), "expected one of [ZSTD, NONE]"},
            {new Reload(), List.of("--every", "0"), "--every 0 is less than 1"},
            {new State(), List.of("--sections", "all"), "no section all; there are memory, "},
            {new Topics(), List.of("--contenders", "none"), "no contender none; there are "},
            {new Windows(), List.of("--sections", "opened"), "no section opened; there are open, "},
            {new Windows(), List.of("--rows", "0"), "--rows 0 is less than 1000"},
        };
    }

    @Test
    void badInputIsToldInOneLineAndAFaultIsNot() {
        assertThat(run(new Failing(new IllegalArgumentException("no runs of workload v3"))))
                .isEqualTo(1);
        assertThat(run(new Failing(new NoSuchFileException("x.csv")))).isEqualTo(1);
        assertThat(errors.toString(StandardCharsets.UTF_8).lines())
                .containsExactly("failing: no runs of workload v3", "failing: x.csv: no such file");
        errors.reset();
        assertThat(run(new Failing(new IllegalStateException("received=1 of 2"))))
                .isEqualTo(1);
        assertThat(errors.toString(StandardCharsets.UTF_8)).contains("received=1 of 2", "\tat ");
    }

    /** A command that ends as it is told to. */
    private static final class Failing extends BenchCommand {
        private final Exception failure;

        Failing(Exception failure) {
            this.failure = failure;
        }

        @Override
        public Integer call() throws Exception {
            throw failure;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "--mode, foo, pipeline.mode",
        "--queues, lbq-mpsq, pipeline.summarize.queue",
        "--capacity, many, pipeline.parse.capacity",
        "--parse-queue, stack, pipeline.parse.queue",
        "--connections, 0, --connections 0"
    })
    void aValueThatServersWouldRefuseIsToldOfBeforeAnyIsStarted(String option, String value, String told) {
        assertThat(run(new Sweep(), "--list", option, value)).isNotZero();
        assertThat(errors.toString(StandardCharsets.UTF_8))
                .startsWith("sweep: ")
                .contains(told);
        assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
    }
}
