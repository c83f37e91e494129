package io.summarizer.server.service;

import io.summarizer.core.disk.DiskErrors;
import io.summarizer.core.evolve.LayoutMatch;
import io.summarizer.core.export.CsvCompiler;
import io.summarizer.core.export.CsvProgram;
import io.summarizer.core.export.CsvQuery;
import io.summarizer.core.export.CsvQueryException;
import io.summarizer.core.pipeline.ClosedFiles;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.pipeline.ReloadRefusedException;
import io.summarizer.core.queue.Threads;
import io.summarizer.core.store.ClosedWindow;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.dsl.export.CsvQueryCompiler;
import io.summarizer.dsl.model.Definitions;
import io.summarizer.server.config.ServerConfig;
import io.summarizer.server.config.ServerConfig.Exported;
import io.summarizer.server.http.DefinitionsControl;
import io.summarizer.server.http.DefinitionsInForce;
import io.summarizer.server.metrics.ServerMetrics;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Switches a running pipeline to the present content of the definitions folder. Requests are served one at a time, on a
 * thread of the reloader. The reloader first reads, checks and compiles the definitions, so that errors in them change
 * nothing. It also compiles queries, because queries depend on the definitions, too. Any thread may call it.
 */
final class Reloader implements DefinitionsControl, CsvCompiler, AutoCloseable {
    /** Largest number of waiting requests. Each request reads the folder again. */
    private static final int WAITING_MAX = 16;

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(30);

    private static final System.Logger LOGGER = System.getLogger(Reloader.class.getName());

    private final Path folder;
    private final List<ZoneId> timezones;
    private final Map<String, String> settings;
    private final List<Exported> exports;
    private final Pipeline pipeline;
    private final ClosedFiles windows;
    private final AtomicReference<@Nullable Switch> switching = new AtomicReference<>();
    private final ServerMetrics metrics;
    private final ThreadPoolExecutor thread;
    private final LongAdder[] outcomes = new LongAdder[Outcome.values().length];
    private volatile @Nullable CheckedDefinitions inForce;
    private volatile CsvQueryCompiler queries;
    private volatile Consumer<Plan> adopted = plan -> {};
    private volatile double lastSeconds;

    /** Makes a reloader for a pipeline that runs the definitions of the configured folder. */
    Reloader(ServerConfig config, Pipeline pipeline, ClosedFiles windows, ServerMetrics metrics) {
        folder = config.definitions();
        timezones = config.timezones();
        settings = config.messageSettings();
        exports = config.exports();
        this.pipeline = pipeline;
        this.windows = windows;
        this.metrics = metrics;
        queries = CsvQueryCompiler.of(pipeline.plan().summaries());
        thread = new ThreadPoolExecutor(
                0, 1, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING_MAX), Threads.factory("definitions"));
        Arrays.setAll(outcomes, i -> new LongAdder());
        for (Outcome outcome : Outcome.values()) {
            metrics.counter(
                    "reloads",
                    "Attempts to reload definitions, by what became of them",
                    outcomes[outcome.ordinal()]::sum,
                    "outcome",
                    outcome.name().toLowerCase(Locale.ROOT));
        }
        metrics.gauge(
                "reload.switch.seconds",
                "Time from the moment at which the last reload stopped parser workers until all owners went on",
                () -> lastSeconds);
    }

    /** A switch of a pipeline to other definitions. */
    @FunctionalInterface
    interface Switch {
        /** Switches durably, like {@link Pipeline#reload}. */
        Pipeline.Reload to(LoadedPlan next) throws ReloadRefusedException, InterruptedException, IOException;
    }

    /** Allows reloads, once the pipeline has the definitions with which it continues. */
    void begin(CheckedDefinitions definitions, Switch switching) {
        inForce = definitions;
        queries = CsvQueryCompiler.of(pipeline.plan().summaries());
        metrics.bindSummaries(pipeline);
        adopted.accept(pipeline.plan());
        this.switching.set(switching);
    }

    /** Calls {@code adopted} with each plan soon after the switch to it. */
    void onReload(Consumer<Plan> adopted) {
        this.adopted = adopted;
    }

    @Override
    public CompletableFuture<Answer> reload() {
        return submit(() -> {
            Answer answer = guarded(this::replace);
            outcomes[answer.outcome().ordinal()].increment();
            System.Logger.Level level =
                    answer.outcome() == Outcome.DONE ? System.Logger.Level.INFO : System.Logger.Level.WARNING;
            answer.text().lines().filter(line -> !line.isBlank()).forEach(line -> LOGGER.log(level, line));
            return answer;
        });
    }

    @Override
    public CompletableFuture<Answer> plan() {
        return submit(() -> guarded(this::preview));
    }

    @Override
    public Optional<DefinitionsInForce> inForce() {
        CheckedDefinitions definitions = inForce;
        return definitions == null
                ? Optional.empty()
                : Optional.of(new DefinitionsInForce(
                        definitions.files().name(),
                        settings,
                        definitions.files().texts()));
    }

    private CompletableFuture<Answer> submit(Task task) {
        CompletableFuture<Answer> future = new CompletableFuture<>();
        try {
            thread.execute(() -> {
                try {
                    future.complete(task.run());
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    future.completeExceptionally(new IllegalStateException("the service is stopping", e));
                }
            });
        } catch (RejectedExecutionException e) {
            future.completeExceptionally(new IllegalStateException(
                    thread.isShutdown() ? "the service is stopping" : "too many requests wait already", e));
        }
        return future;
    }

    @FunctionalInterface
    private interface Task {
        Answer run() throws InterruptedException;
    }

    /** A step that needs definitions without errors. */
    @FunctionalInterface
    private interface Step {
        Answer run() throws InterruptedException, DefinitionsException, ReloadRefusedException, IOException;
    }

    private Answer guarded(Step step) throws InterruptedException {
        try {
            return step.run();
        } catch (DefinitionsException e) {
            return new Answer(Outcome.INVALID, e.rendered() + "\n\n" + e.summary() + "; nothing has changed");
        } catch (ReloadRefusedException e) {
            return e.match().refusals().isEmpty()
                    ? new Answer(Outcome.REFUSED, e.getMessage() + "; nothing has changed")
                    : refused(e.match());
        } catch (IOException e) {
            return new Answer(Outcome.FAILED, "the reload failed: " + DiskErrors.describe(e));
        } catch (RuntimeException | Error e) {
            LOGGER.log(System.Logger.Level.ERROR, "definitions could not be reloaded", e);
            return new Answer(Outcome.FAILED, "definitions could not be reloaded: " + e);
        }
    }

    private Answer preview() throws DefinitionsException, ReloadRefusedException {
        Definitions definitions = PlanLoader.load(folder, timezones).checked().definitions();
        String unexported = ExportSetup.problems(exports, definitions.summaries());
        if (!unexported.isEmpty()) {
            return refused(unexported);
        }
        LayoutMatch match = pipeline.match(definitions.summaries());
        return new Answer(Outcome.DONE, report(match).text() + rules(definitions));
    }

    private ChangeReport report(LayoutMatch match) {
        return new ChangeReport(match, this::ends, ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
    }

    private List<Long> ends(String summary) {
        ClosedFiles.Held held = windows.hold(summary);
        try {
            return held.files().stream().map(ClosedWindow::end).toList();
        } finally {
            held.release().run();
        }
    }

    private Answer replace() throws InterruptedException, DefinitionsException, ReloadRefusedException, IOException {
        Switch to = switching.get();
        if (to == null) {
            return new Answer(Outcome.RECOVERING, "definitions cannot be reloaded yet: the service is recovering");
        }
        LoadedPlan loaded = PlanLoader.load(folder, timezones);
        Plan next = loaded.plan();
        String unexported = ExportSetup.problems(exports, next.summaries());
        if (!unexported.isEmpty()) {
            return refused(unexported);
        }
        CsvQueryCompiler nextQueries = CsvQueryCompiler.of(next.summaries());
        // Made before the switch, because the report gives the numbers of rows before the switch.
        String done = report(pipeline.match(next.summaries())).text()
                + rules(loaded.checked().definitions());
        Pipeline.Reload reload = to.to(loaded);
        inForce = loaded.checked();
        queries = nextQueries;
        metrics.bindSummaries(pipeline);
        adopted.accept(next);
        lastSeconds = reload.nanos() / 1e9;
        return new Answer(
                Outcome.DONE, done + String.format(Locale.ROOT, "reloaded %s in %.3f s", folder, lastSeconds));
    }

    private String rules(Definitions next) {
        CheckedDefinitions before = inForce;
        return before == null
                ? ""
                : RuleChanges.between(before.definitions(), next).text();
    }

    private static Answer refused(String unexported) {
        return new Answer(
                Outcome.REFUSED,
                unexported
                        + "\nrefused; nothing has changed. To change a table that is exported, change exports in the"
                        + " configuration, too, and restart the service");
    }

    private Answer refused(LayoutMatch match) {
        return new Answer(
                Outcome.REFUSED,
                new ChangeReport(match).text()
                        + "refused; nothing has changed. Give what changed a new name or number, or begin anew:"
                        + " save /state, and start without it");
    }

    @Override
    public CsvProgram compile(SummaryLayout layout, List<Integer> path, CsvQuery query) throws CsvQueryException {
        return queries.compile(layout, path, query);
    }

    @Override
    public boolean isKept(SummaryLayout layout, List<Integer> path, CsvQuery query) {
        return queries.isKept(layout, path, query);
    }

    /** Takes no more requests, and waits for the request in progress. A switch that has begun is completed. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                LOGGER.log(System.Logger.Level.WARNING, "a reload was under way still");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
