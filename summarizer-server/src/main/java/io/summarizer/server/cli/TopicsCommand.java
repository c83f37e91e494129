package io.summarizer.server.cli;

import io.summarizer.dsl.PlanCompiler;
import io.summarizer.dsl.model.Definitions;
import io.summarizer.server.config.ConfigException;
import io.summarizer.server.explain.TopicExplainer;
import io.summarizer.server.explain.TopicReport;
import io.summarizer.server.service.DefinitionsException;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code topics}: shows the event type and the mappings of a topic. */
@Command(
        name = "topics",
        description = {
            "Shows which event type and which mappings take a topic.",
            "Prints a line for each topic: the topic, the event type (- if there is none) and its format, separated by"
                    + " tabs; then indented lines with the patterns and mappings. Uses the definitions of a folder or,"
                    + " with --server, those of the running service. Standard error names the definitions."
        },
        exitCodeList = "1:No event type takes one of the topics, or the definitions have errors.")
final class TopicsCommand extends JsonCommand {
    @Parameters(
            paramLabel = "TOPIC",
            arity = "1..*",
            description = "Words separated by dots, such as ad.click.us; \"\" for messages without a topic.")
    private List<String> topics = List.of();

    @Mixin
    private DefinitionsSource source = new DefinitionsSource();

    /** The answer as JSON. */
    record Answer(DefinitionsSource.Used definitions, List<TopicReport> topics) {}

    @Override
    public Integer call()
            throws IOException, CommandFailure, ConfigException, DefinitionsException, InterruptedException {
        DefinitionsSource.Loaded loaded = source.load(environment);
        Definitions definitions = loaded.checked().definitions();
        TopicExplainer reports = new TopicExplainer(PlanCompiler.events(definitions), definitions.summaries());
        List<TopicReport> answers = topics.stream().map(reports::report).toList();
        if (json.isGiven()) {
            JsonOption.print(new Answer(loaded.used(), answers), terminal);
        } else {
            terminal.err().println(loaded.used().line());
            answers.forEach(report -> terminal.out().print(report.text()));
        }
        return answers.stream().allMatch(TopicReport::isTaken) ? Exit.OK : Exit.NO;
    }
}
