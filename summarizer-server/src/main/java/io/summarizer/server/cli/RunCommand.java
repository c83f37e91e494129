package io.summarizer.server.cli;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.summarizer.core.export.CsvCompiler;
import io.summarizer.core.export.CsvExporter;
import io.summarizer.core.export.CsvName;
import io.summarizer.core.export.CsvProfile;
import io.summarizer.core.export.CsvQuery;
import io.summarizer.core.export.CsvQueryException;
import io.summarizer.core.export.Distinct;
import io.summarizer.core.export.ExportFormat;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.ledger.LedgerJson;
import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.receive.Framing;
import io.summarizer.core.recovery.RecoveryProgress;
import io.summarizer.core.state.FileWindow;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryView;
import io.summarizer.dsl.PlanCompiler;
import io.summarizer.dsl.export.CsvQueryCompiler;
import io.summarizer.server.config.ConfigException;
import io.summarizer.server.config.ServerConfig;
import io.summarizer.server.replay.Replay;
import io.summarizer.server.service.DefinitionsException;
import io.summarizer.server.service.FileRun;
import io.summarizer.server.service.LateMessages;
import io.summarizer.server.service.LimitAlarm;
import io.summarizer.server.service.PlanLoader;
import io.summarizer.server.service.StateLoading;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code run}: turns files into CSV, without a server. */
@Command(
        name = "run",
        description = {
            "Summarizes files of syslog messages without a server.",
            "Files may have any size. If a file has broken framing or damaged gzip data, the summaries have the messages before that place."
        },
        exitCodeList =
                "1:No message was an event of the definitions (for example, it is the wrong file), or the definitions have errors.")
@SuppressWarnings("NullAway.Init") // picocli sets required options
final class RunCommand extends JsonCommand {
    private static final String STANDARD_INPUT = "-";
    private static final String LEDGER = "ledger.json";
    private static final String WINDOWS = "windows";
    /** Indentation of the lines that explain a count. */
    private static final String INDENT = " ".repeat(10);

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = {
                "The folder for NAME.csv and NAME.FIELD.csv (or .ndjson), and for ledger.json, which counts the messages by fate.",
                "The folder is made when it is missing. With --state, --out may be left out."
            })
    private @Nullable Path out;

    @Option(
            names = "--framing",
            paramLabel = "auto|lf|octet",
            description = "How the files are divided into messages. Default: auto.")
    private Framing framing = Framing.AUTO;

    @Mixin
    private TopicOption topic = new TopicOption();

    @Mixin
    private YearOption year = new YearOption();

    @Option(
            names = "--profile",
            paramLabel = "rfc4180|excel|pg",
            description =
                    "Dialect of the CSV: rfc4180 for most readers, excel for spreadsheets, pg for PostgreSQL. Default: rfc4180.")
    private @Nullable CsvProfile profile;

    @Option(
            names = "--distinct",
            paramLabel = "estimate|hll|both",
            description = "The form of a multiset: its estimate, the set (hll), or both. Default: estimate.")
    private Distinct distinct = Distinct.ESTIMATE;

    @Option(
            names = "--format",
            paramLabel = "csv|ndjson",
            description = "Format of the rows: CSV, or a JSON object in each line. Default: csv.")
    private ExportFormat format = ExportFormat.CSV;

    @Option(
            names = "--rejects",
            paramLabel = "DIR",
            description = "Folder for rejected messages. Default: they are only counted.")
    private @Nullable Path rejects;

    @Option(
            names = "--from-state",
            paramLabel = "FILE",
            description = "Start with the rows of this state file; may be given several times.")
    private List<Path> fromStates = new ArrayList<>();

    @Option(names = "--state", paramLabel = "FILE", description = "Write a state file, too.")
    private @Nullable Path state;

    @Option(
            names = "--close",
            description = {
                "Close all time windows at the end of the input, and write each to a file DIR/windows/SUMMARY/WINDOW.state.",
                "A file of --state then has no rows of these windows, and a run that begins with this file counts events of these windows as late."
            })
    private boolean close;

    @Mixin
    private OnlyOption only = new OnlyOption();

    @Mixin
    private OverwriteOption overwrite = new OverwriteOption();

    @Parameters(
            paramLabel = "FILE",
            description = "Files to read; gzip is unpacked. With - or without FILE, standard input is read.")
    private List<String> files = new ArrayList<>();

    /**
     * The answer as JSON. The file {@code ledger.json} has more counts.
     *
     * @param bytes size of the input files on disk
     * @param files the files that were written
     * @param broken for each input file that could not be read to its end, the reason
     */
    record Answer(
            @JsonUnwrapped FileRun.Counts counts,
            long bytes,
            double seconds,
            List<String> files,
            List<String> broken) {}

    @Override
    public Integer call()
            throws IOException, CommandFailure, ConfigException, DefinitionsException, InterruptedException {
        topic.check(framing);
        if (out == null && (state == null || close)) {
            throw CommandFailure.usage("--out: say which folder the rows go to");
        }
        if (format != ExportFormat.CSV && profile != null) {
            throw CommandFailure.usage("--profile is a dialect of CSV: not with --format " + format.word());
        }
        List<String> inputs = files.isEmpty() ? List.of(STANDARD_INPUT) : files;
        for (String input : inputs) {
            if (!input.equals(STANDARD_INPUT)) {
                Path path = Path.of(input);
                if (Files.isDirectory(path)) {
                    throw new CommandFailure(path + ": is a folder; name the files in it, as " + path.resolve("*"));
                }
                InputFile.check(path);
            }
        }
        if (state != null) {
            overwrite.check(state, inputFiles(), "--state");
        }
        MergeCommand.requireDifferent(fromStates);
        if (inputs.stream().filter(STANDARD_INPUT::equals).count() > 1) {
            throw CommandFailure.usage(STANDARD_INPUT + " is given twice, and standard input can be read once");
        }
        ServerConfig config = options.load(environment);
        PlanCompiler.Options compiling = new PlanCompiler.Options(config.timezones(), year.year());
        Path folder = options.definitions(config);
        Plan plan = PlanLoader.compile(folder.toString(), only.select(Plans.check(folder, terminal)), compiling);
        FileWindow window = only.window(plan, fromStates).orElse(null);
        List<String> late = new ArrayList<>();
        for (String input : inputs) {
            if (!input.equals(STANDARD_INPUT)
                    && only.isLate(Path.of(input), framing != Framing.LF && topic.messagesAreFrames())) {
                late.add(input);
            }
        }
        warnOfOthers(late);
        Path windows = out == null ? null : out.resolve(WINDOWS);
        if (close && windows != null) {
            checkClose(plan, window, windows);
        }
        if (out != null) {
            checkApart(out, plan);
            Files.createDirectories(out);
        }
        Summaries initial = StateLoading.load(
                config,
                plan,
                fromStates,
                new RecoveryProgress(),
                note -> terminal.err().println("left out: " + note));
        long start = System.nanoTime();
        List<String> broken = new ArrayList<>();
        FileRun.Result result;
        // The bar shows bytes of the files on disk, compressed or not.
        ServerConfig.Stream listener = config.syslogTcp();
        try (ProgressBar progress = new ProgressBar(terminal, "reading", total(inputs), Units::bytes);
                FileRun run = new FileRun(
                        config,
                        plan,
                        asked -> topic.framer(asked, listener.messageBytesMax(), listener.topic()),
                        framing,
                        rejects,
                        initial)) {
            long before = 0;
            for (String input : inputs) {
                if (late.contains(input)) {
                    only.read(Path.of(input), run).forEach(terminal.err()::println);
                    before += sizeOf(input);
                    continue;
                }
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
            List<String> limits = limits(result.cut(), run);
            List<Path> written = new ArrayList<>();
            if (out != null) {
                Cut selected = only.select(result.cut(), window);
                written.addAll(write(out, result, selected, CsvQueryCompiler.of(plan.summaries())));
            }
            Cut rest = result.cut();
            if (close && windows != null) {
                rest = run.closeWindows(windows);
                written.addAll(filesIn(windows));
            }
            if (state != null) {
                WindowStates.write(only.select(rest, window), only.corrected(window), state);
                written.add(state);
            }
            Answer answer = new Answer(
                    result.counts(),
                    before,
                    (System.nanoTime() - start) / 1e9,
                    written.stream().map(Path::toString).toList(),
                    broken);
            if (json.isGiven()) {
                JsonOption.print(answer, terminal);
            } else {
                report(answer, isForNothing(result) ? List.of() : result.examples()); // NothingMatched shows more
                NullLines.of(LedgerCounts.of(result.cut()).nulls()).forEach(terminal.err()::println);
            }
            limits.forEach(limit -> terminal.err().println("summarizer: warning: " + limit));
        }
        boolean nothing = isForNothing(result);
        if (nothing) {
            terminal.err().println(NothingMatched.explain(result, plan));
        }
        if (!broken.isEmpty()) {
            throw new CommandFailure(String.join("\nsummarizer: ", broken));
        }
        if (result.counts().isAllDiscarded()) {
            throw new CommandFailure(
                    Exit.NO, "no message was an event of these definitions; nothing was added to any summary");
        }
        if (nothing) {
            terminal.err().println("summarizer: warning: nothing was added to any summary");
        }
        return Exit.OK;
    }

    /** Warnings of the mappings whose messages a limit rejected. */
    private static List<String> limits(Cut cut, FileRun run) {
        return LedgerCounts.of(cut).mappings().stream()
                .filter(mapping -> mapping.account().count(Fate.LIMIT) > 0)
                .map(mapping -> LimitAlarm.text(
                        mapping, mapping.account().count(Fate.LIMIT), run.hasAllWindows(mapping.summary())))
                .toList();
    }

    /** Warns of files of late messages that are not read, though another file of their summary is. */
    private void warnOfOthers(List<String> late) {
        Set<Path> given = late.stream()
                .map(input -> Path.of(input).toAbsolutePath().normalize())
                .collect(Collectors.toSet());
        Set<Path> others = new TreeSet<>();
        for (Path file : given) {
            others.addAll(LateMessages.others(file));
        }
        others.removeAll(given);
        others.forEach(other -> terminal.err().println("not read: " + other + ", which has late messages, too"));
    }

    /**
     * Refuses {@code --close} if no summary has windows. Also refuses it if the folder already has files of windows,
     * because old and new files would get mixed.
     */
    private static void checkClose(Plan plan, @Nullable FileWindow window, Path windows)
            throws IOException, CommandFailure {
        if (window != null) {
            throw CommandFailure.usage("--close: writes all windows; not with --window, or the file of a window");
        }
        if (plan.summaries().stream().allMatch(summary -> summary.window() == null)) {
            throw CommandFailure.usage("--close: no summary of these definitions has a window");
        }
        List<Path> present = filesIn(windows);
        if (!present.isEmpty()) {
            throw CommandFailure.usage("--close: " + windows + " has files already, such as " + present.get(0)
                    + "; name another folder, or move them away");
        }
    }

    /** The files below a folder, which need not exist. */
    private static List<Path> filesIn(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static String name(String input) {
        return input.equals(STANDARD_INPUT) ? "standard input" : input;
    }

    /** Describes a fault of gzip data. */
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

    /** The files that the command reads. */
    private List<Path> inputFiles() {
        return Stream.concat(
                        fromStates.stream(),
                        files.stream()
                                .filter(input -> !input.equals(STANDARD_INPUT))
                                .map(Path::of))
                .toList();
    }

    /** Refuses to write a table or the ledger to an input. */
    private void checkApart(Path out, Plan plan) throws IOException, CommandFailure {
        List<Path> read = inputFiles();
        OverwriteOption.checkApart(out.resolve(LEDGER), read, "--out");
        for (CsvName name : CsvName.all(plan.summaries())) {
            OverwriteOption.checkApart(out.resolve(format.file(name.path())), read, "--out");
        }
    }

    /** Writes the rows of summaries and the ledger; returns the files. */
    private List<Path> write(Path out, FileRun.Result result, Cut selected, CsvCompiler compiler)
            throws IOException, CommandFailure {
        List<Path> written = new ArrayList<>();
        for (SummaryView summary : selected.summaries()) {
            for (CsvName name : CsvName.all(List.of(summary.layout()))) {
                Path rows = out.resolve(format.file(name.path()));
                write(summary, name, compiler, rows);
                written.add(rows);
            }
        }
        Path ledger = out.resolve(LEDGER);
        try (AtomicFile file = new AtomicFile(ledger)) {
            file.stream().write(LedgerJson.of(result.cut()));
            file.commit();
        }
        written.add(ledger);
        return written;
    }

    private void write(SummaryView summary, CsvName name, CsvCompiler compiler, Path rows)
            throws IOException, CommandFailure {
        try (AtomicFile file = new AtomicFile(rows)) {
            CsvQuery query = CsvQuery.ALL
                    .withProfile(profile == null ? CsvProfile.RFC4180 : profile)
                    .withDistinct(distinct)
                    .withFormat(format);
            CsvExporter.of(summary, name.fields(), query, compiler).writeTo(file.stream());
            file.commit();
        } catch (CsvQueryException e) {
            throw new CommandFailure(Exit.USAGE, name.path() + ": " + e.getMessage(), e);
        }
    }

    /** Whether no message added anything. A message with a text that is too long is rejected, but adds the rest. */
    private static boolean isForNothing(FileRun.Result result) {
        FileRun.Counts counts = result.counts();
        return counts.received() > 0
                && counts.updates() == 0
                && (counts.rejected().getOrDefault(Fate.LIMIT.label(), 0L) == 0
                        || result.cut().summaries().stream().allMatch(summary -> summary.rows(List.of()) == 0));
    }

    private void report(Answer answer, List<String> examples) {
        FileRun.Counts counts = answer.counts();
        long rejected =
                counts.rejected().values().stream().mapToLong(Long::longValue).sum();
        terminal.err()
                .println("received  " + Units.count(counts.received(), "message") + ", "
                        + Units.bytes(answer.bytes()) + ", in " + Units.duration(answer.seconds()) + ", "
                        + Units.rate(counts.received(), answer.seconds()));
        terminal.err().println("updates   " + Units.count(counts.updates()));
        terminal.err().println("unmatched " + Units.count(counts.unmatched()));
        terminal.err().println("rejected  " + Units.count(rejected) + reasons(counts.rejected()));
        if (!examples.isEmpty()) {
            reportExamples(examples);
        }
        reportWithoutWindow(counts.rejected());
        reportSome("filtered", counts.filtered(), "events that a where kept out, once for each mapping");
        reportSome("duplicate", counts.duplicate(), "events that came before, once for each mapping");
        reportSome(
                "extracts",
                counts.abandonedExtracts(),
                "null, because the match took too many steps, or Java's matcher failed");
        reportSome("repaired", counts.repairedTexts(), "strings with U+FFFD for what is not UTF-8");
        reportSome("saturated", counts.saturated(), "observations beyond the bounds of a sum");
        reportSome("failures", counts.failures(), "lost to a fault of this program");
    }

    private void reportExamples(List<String> examples) {
        examples.forEach(example -> terminal.err().println(INDENT + "first " + example));
        terminal.err()
                .println(INDENT
                        + (rejects == null
                                ? "--rejects DIR keeps rejected messages; summarizer rejects DIR prints them"
                                : "summarizer rejects " + rejects + " prints the rejected messages"));
    }

    /** Says what the reasons mean that have no examples, because they depend on a window. */
    private void reportWithoutWindow(Map<String, Long> rejected) {
        Map<Fate, String> meanings = new EnumMap<>(Map.of(
                Fate.UNTIMED, "the time that chooses the window was null",
                Fate.EARLY, "the time was further ahead than limits.ahead allows",
                Fate.LATE, "the window was closed"));
        meanings.forEach((reason, meaning) -> {
            if (rejected.getOrDefault(reason.label(), 0L) > 0) {
                terminal.err()
                        .println(INDENT + reason.label() + ": " + meaning + "; explain shows the window of a message");
            }
        });
    }

    private void reportSome(String name, long count, String meaning) {
        if (count > 0) {
            terminal.err().println(String.format("%-9s ", name) + Units.count(count) + " (" + meaning + ")");
        }
    }

    private static String reasons(Map<String, Long> rejected) {
        List<String> texts = new ArrayList<>();
        boolean ofUpdates = false;
        for (Fate reason : Fate.rejections()) {
            long count = rejected.getOrDefault(reason.label(), 0L);
            if (count > 0) {
                texts.add(reason.label() + " " + Units.count(count));
                ofUpdates |= reason.isOfUpdates();
            }
        }
        return texts.isEmpty()
                ? ""
                : " (" + String.join(", ", texts) + (ofUpdates ? ", once for each mapping" : "") + ")";
    }
}
