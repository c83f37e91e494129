package io.summarizer.server.cli;

import io.summarizer.core.export.CsvCompiler;
import io.summarizer.core.export.CsvExporter;
import io.summarizer.core.export.CsvName;
import io.summarizer.core.export.CsvProfile;
import io.summarizer.core.export.CsvQuery;
import io.summarizer.core.export.CsvQueryException;
import io.summarizer.core.export.Distinct;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.message.RejectReason;
import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.receive.Framing;
import io.summarizer.core.recovery.RecoveryProgress;
import io.summarizer.core.state.StateWriter;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryView;
import io.summarizer.dsl.PlanCompiler;
import io.summarizer.dsl.export.CsvQueryCompiler;
import io.summarizer.server.config.ConfigException;
import io.summarizer.server.config.ServerConfig;
import io.summarizer.server.http.LedgerJson;
import io.summarizer.server.replay.Replay;
import io.summarizer.server.service.DefinitionsException;
import io.summarizer.server.service.FileRun;
import io.summarizer.server.service.StateLoading;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code run}: files in, CSV out, no server. */
@Command(
        name = "run",
        description = {
            "Summarizes files of syslog messages without a server.",
            "Files may be of any size. What came before lost framing, or the end of damaged gzip data, is in the summaries all the same."
        },
        exitCodeList =
                "1:No message was an event of the definitions, as in a wrong file, or the definitions have errors.",
        sortOptions = false)
@SuppressWarnings("NullAway.Init") // picocli sets what is required
final class RunCommand implements Callable<Integer> {
    private static final String STANDARD_INPUT = "-";
    private static final String LEDGER = "ledger.json";

    private final Terminal terminal;
    private final Map<String, String> environment;

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Option(
            names = "--out",
            required = true,
            paramLabel = "DIR",
            description = {
                "Where NAME.csv and NAME.FIELD.csv go, and ledger.json, which says what became of every message;",
                "made when it is not there."
            })
    private Path out;

    @Option(
            names = "--framing",
            paramLabel = "auto|lf|octet",
            description = "How messages follow each other. Default: auto.",
            converter = FramingConverter.class)
    private Framing framing = Framing.AUTO;

    @Mixin
    private TopicOption topic = new TopicOption();

    @Mixin
    private YearOption year = new YearOption();

    @Option(
            names = "--profile",
            paramLabel = "rfc4180|excel|pg",
            description = "Whom the CSV is for. Default: rfc4180.",
            converter = ProfileConverter.class)
    private CsvProfile profile = CsvProfile.RFC4180;

    @Option(
            names = "--distinct",
            paramLabel = "estimate|hll|both",
            description = "What is written of a multiset. Default: estimate.",
            converter = DistinctConverter.class)
    private Distinct distinct = Distinct.ESTIMATE;

    @Option(
            names = "--rejects",
            paramLabel = "DIR",
            description = "Keep rejected messages there. Default: they are only counted.")
    private @Nullable Path rejects;

    @Option(
            names = "--from-state",
            paramLabel = "FILE",
            description = "Go on from this state file; from all of them when given more than once.")
    private List<Path> fromStates = new ArrayList<>();

    @Option(names = "--state", paramLabel = "FILE", description = "Write a state file, too.")
    private @Nullable Path state;

    @Mixin
    private OverwriteOption overwrite = new OverwriteOption();

    @Parameters(paramLabel = "FILE", description = "What to read, gzip or not; - or none: standard input.")
    private List<String> files = new ArrayList<>();

    RunCommand(Terminal terminal, Map<String, String> environment) {
        this.terminal = terminal;
        this.environment = environment;
    }

    static final class ProfileConverter extends WordConverter<CsvProfile> {
        ProfileConverter() {
            super(CsvProfile.values());
        }
    }

    static final class DistinctConverter extends WordConverter<Distinct> {
        DistinctConverter() {
            super(Distinct.values());
        }
    }

    static final class FramingConverter extends WordConverter<Framing> {
        FramingConverter() {
            super(Framing.values());
        }
    }

    @Override
    public Integer call()
            throws IOException, CommandFailure, ConfigException, DefinitionsException, InterruptedException {
        topic.check(framing);
        List<String> inputs = files.isEmpty() ? List.of(STANDARD_INPUT) : files;
        for (String input : inputs) {
            if (!input.equals(STANDARD_INPUT)) {
                check(Path.of(input));
            }
        }
        if (state != null) {
            List<Path> read = new ArrayList<>(fromStates);
            inputs.stream()
                    .filter(input -> !input.equals(STANDARD_INPUT))
                    .map(Path::of)
                    .forEach(read::add);
            overwrite.check(state, read, "--state");
        }
        ServerConfig config = options.load(environment, topic.settings());
        PlanCompiler.Options compiling = new PlanCompiler.Options(config.timezones(), year.year());
        Plan plan = PlanCompiler.compile(Plans.check(options.definitions(config), terminal), compiling);
        Files.createDirectories(out);
        Summaries initial = StateLoading.load(
                config,
                plan,
                fromStates,
                new RecoveryProgress(),
                note -> terminal.err().println("left out: " + note));
        long start = System.nanoTime();
        List<String> broken = new ArrayList<>();
        FileRun.Result result;
        // Bytes of the files as they lie on disk are what a bar can be drawn of, packed or not.
        try (ProgressBar progress = new ProgressBar(terminal, "reading", total(inputs), Units::bytes);
                FileRun run = new FileRun(config, plan, topic.framing(framing), rejects, initial)) {
            long before = 0;
            for (String input : inputs) {
                long offset = before;
                try (InputStream raw = open(input);
                        CountingStream counted = new CountingStream(raw, read -> progress.update(offset + read));
                        InputStream in = topic.messages(Replay.unpacked(counted))) {
                    String closeReason = run.read(in);
                    if (closeReason != null) {
                        broken.add(input + ": not read to its end, the framing was lost: " + closeReason);
                    }
                    before += counted.count();
                } catch (EOFException | ZipException e) {
                    broken.add(name(input) + ": " + packed(e)
                            + ". The messages before that are in the summaries; run again with a whole file");
                    before += sizeOf(input);
                } catch (IOException e) {
                    throw new CommandFailure(name(input) + ": cannot be read to its end: " + e.getMessage(), e);
                }
            }
            result = run.finish();
            write(result, CsvQueryCompiler.of(plan.summaries()));
            if (state != null) {
                StateWriter.write(result.cut(), state, StateLoading.threads());
            }
            report(result, before, (System.nanoTime() - start) / 1e9);
        }
        boolean nothing = result.received() > 0 && result.updates() == 0;
        if (nothing) {
            terminal.err().println(NothingMatched.explain(result, plan));
        }
        if (!broken.isEmpty()) {
            throw new CommandFailure(String.join("\nsummarizer: ", broken));
        }
        if (result.isAllDiscarded()) {
            throw new CommandFailure(
                    CommandFailure.Kind.NO,
                    "no message was an event of these definitions; nothing was added to any summary");
        }
        if (nothing) {
            terminal.err().println("summarizer: warning: nothing was added to any summary");
        }
        return Exit.OK;
    }

    /** Says of a file that cannot be read why, before anything is done. */
    private static void check(Path input) throws CommandFailure {
        if (Files.isDirectory(input)) {
            throw new CommandFailure(input + ": is a folder; name the files in it, as " + input.resolve("*"));
        }
        if (!Files.exists(input)) {
            throw new CommandFailure(input + ": no such file");
        }
        if (!Files.isReadable(input)) {
            throw new CommandFailure(input + ": this user may not read it");
        }
    }

    private static String name(String input) {
        return input.equals(STANDARD_INPUT) ? "standard input" : input;
    }

    /** What is wrong with gzip data. */
    private static String packed(IOException e) {
        return e instanceof EOFException
                ? "the gzip data end too early, the file is cut off"
                : "the gzip data are damaged (" + e.getMessage() + ")";
    }

    private static long sizeOf(String input) throws IOException {
        return input.equals(STANDARD_INPUT) ? 0 : Files.size(Path.of(input));
    }

    private static InputStream open(String input) throws IOException {
        return input.equals(STANDARD_INPUT) ? System.in : Files.newInputStream(Path.of(input));
    }

    private static long total(List<String> inputs) throws IOException {
        long total = 0;
        for (String input : inputs) {
            if (input.equals(STANDARD_INPUT)) {
                return 0;
            }
            total += sizeOf(input);
        }
        return total;
    }

    private void write(FileRun.Result result, CsvCompiler compiler) throws IOException, CommandFailure {
        for (SummaryView summary : result.cut().summaries()) {
            for (CsvName name : CsvName.all(List.of(summary.layout()))) {
                write(summary, name, compiler);
            }
        }
        try (AtomicFile file = new AtomicFile(out.resolve(LEDGER))) {
            file.stream().write(LedgerJson.of(result.cut()));
            file.commit();
        }
    }

    private void write(SummaryView summary, CsvName name, CsvCompiler compiler) throws IOException, CommandFailure {
        try (AtomicFile file = new AtomicFile(out.resolve(name.file()))) {
            CsvQuery query = CsvQuery.ALL.withProfile(profile).withDistinct(distinct);
            CsvExporter.of(summary, name.fields(), query, compiler).writeTo(file.stream());
            file.commit();
        } catch (CsvQueryException e) {
            throw new CommandFailure(CommandFailure.Kind.USAGE, name.path() + ": " + e.getMessage(), e);
        }
    }

    private void report(FileRun.Result result, long bytes, double seconds) {
        long rejected =
                result.rejected().values().stream().mapToLong(Long::longValue).sum();
        terminal.err()
                .println("received  " + Units.count(result.received()) + " messages, " + Units.bytes((double) bytes)
                        + ", in " + Units.duration(seconds) + ", " + Units.rate(result.received(), seconds));
        terminal.err().println("updates   " + Units.count(result.updates()));
        terminal.err().println("unmatched " + Units.count(result.unmatched()));
        terminal.err().println("rejected  " + Units.count(rejected) + reasons(result.rejected()));
        FileRun.Losses lost = result.lost();
        reportSome("filtered", result.filtered(), "events that a where kept out, once for each mapping");
        reportSome("duplicate", result.duplicates(), "events that came before, once for each mapping");
        reportSome("extracts", lost.extractsAbandoned(), "null, because the match took too many steps");
        reportSome("repaired", lost.invalidUtf8(), "strings with U+FFFD for what is not UTF-8");
        reportSome("saturated", lost.saturations(), "observations beyond the bounds of a sum");
        reportSome("failures", result.failures(), "lost to a fault of this program");
        NullLines.of(LedgerCounts.of(result.cut()).nulls()).forEach(terminal.err()::println);
    }

    private void reportSome(String name, long count, String meaning) {
        if (count > 0) {
            terminal.err().println(String.format("%-9s ", name) + Units.count(count) + " (" + meaning + ")");
        }
    }

    private static String reasons(Map<RejectReason, Long> rejected) {
        StringBuilder text = new StringBuilder();
        rejected.forEach((reason, count) -> text.append(text.isEmpty() ? " (" : ", ")
                .append(reason.label())
                .append(' ')
                .append(Units.count(count)));
        return text.isEmpty() ? "" : text.append(')').toString();
    }
}
