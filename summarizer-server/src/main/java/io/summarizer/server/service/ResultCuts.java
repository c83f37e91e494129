package io.summarizer.server.service;

import io.summarizer.core.result.Manifest;
import io.summarizer.core.result.Result;
import io.summarizer.core.result.ResultException;
import io.summarizer.core.result.ResultFolder;
import io.summarizer.core.store.Cut;
import io.summarizer.server.http.CutSource;
import io.summarizer.server.http.DefinitionsControl;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** The results of a job as cuts. Nothing can be changed. Thread-safe. */
record ResultCuts(ResultFolder results) implements CutSource, DefinitionsControl {
    private static final System.Logger LOGGER = System.getLogger(ResultCuts.class.getName());

    @Override
    public Cut cut() {
        try {
            return results.acquire();
        } catch (ResultException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    /** The number of the newest result's checkpoint. */
    @Override
    public OptionalLong state() {
        Result result = results.current();
        return result == null
                ? OptionalLong.empty()
                : OptionalLong.of(result.manifest().checkpoint());
    }

    @Override
    public Map<Long, Long> late(String summary) {
        Map<Long, Long> late = new HashMap<>();
        Result result = results.current();
        if (result != null) {
            result.manifest().summaries().stream()
                    .filter(each -> each.name().equals(summary))
                    .flatMap(each -> each.windows().stream())
                    .forEach(window -> late.put(window.start(), window.late()));
        }
        return late;
    }

    @Override
    public Optional<String> fixed() {
        Result result = results.current();
        return Optional.of("this service shows the results in " + results
                + (result == null || result.manifest().job().isEmpty()
                        ? ""
                        : " of the job " + result.manifest().job())
                + ": change summaries, windows and definitions at the job, not here");
    }

    /**
     * The answer to {@link #reload} and {@link #plan}. HTTP requests for these actions never get this answer, because
     * they are refused earlier.
     */
    private CompletableFuture<Answer> refused() {
        return CompletableFuture.completedFuture(new Answer(Outcome.REFUSED, fixed().orElse("")));
    }

    @Override
    public CompletableFuture<Answer> reload() {
        LOGGER.log(System.Logger.Level.WARNING, "definitions were not reloaded: " + fixed().orElse(""));
        return refused();
    }

    @Override
    public CompletableFuture<Answer> plan() {
        return refused();
    }

    /** The manifest of the newest result; empty before the first result. */
    Optional<Manifest> manifest() {
        return Optional.ofNullable(results.current()).map(Result::manifest);
    }
}
