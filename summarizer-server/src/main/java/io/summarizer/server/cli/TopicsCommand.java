package io.summarizer.server.cli;

import io.summarizer.dsl.PlanCompiler;
import io.summarizer.dsl.model.Definitions;
import io.summarizer.server.explain.TopicReport;
import io.summarizer.server.explain.Topics;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code topics}: which event type takes a topic, and which mappings. */
@Command(
        name = "topics",
        description = {
            "Shows which event type and which mappings take a topic.",
            "Of each topic a line with the topic, the event type (- when none takes it) and its format, with tabs between; then"
                    + " indented lines with the patterns and mappings. Exit status 1 when no event type takes one of them."
        },
        sortOptions = false)
final class TopicsCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(
            names = "--definitions",
            paramLabel = "DIR",
            description = "Folder of the .summ files. Default: schemas of this project.")
    private @Nullable Path folder;

    @Parameters(
            paramLabel = "TOPIC",
            arity = "1..*",
            description = "Words with dots between, as ad.click.us; \"\" for messages without a topic.")
    private List<String> topics = List.of();

    TopicsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws CommandFailure {
        Definitions definitions = Plans.check(folder == null ? HomeFolder.definitions() : folder);
        Topics reports = new Topics(PlanCompiler.events(definitions), definitions.summaries());
        boolean allTaken = true;
        for (String topic : topics) {
            TopicReport report = reports.report(topic);
            terminal.out().print(report.text());
            allTaken &= report.isTaken();
        }
        return allTaken ? Main.OK : Main.FAILED;
    }
}
