package io.summarizer.server.cli;

import io.summarizer.dsl.explain.Explanation;
import io.summarizer.dsl.explain.Step;
import io.summarizer.dsl.explain.Term;
import io.summarizer.server.explain.MessageExplainer.Told;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message in {@code explain --json}.
 *
 * @param rejected reason of the rejection, with its name in metrics, or null
 * @param topic the topic, or null when the message has no topic
 * @param event the event type, or null when the topic has no event type
 * @param refusal the reason why the payload, a key or a text was rejected, or null
 * @param unexplained the reason why the mappings are not explained, or null
 */
record ExplainedMessage(
        @Nullable String rejected,
        @Nullable String topic,
        @Nullable String event,
        @Nullable String refusal,
        @Nullable String unexplained,
        List<Field> fields,
        @Nullable Value id,
        List<OfMapping> mappings) {
    /** A decoded field. The value is null when the field is absent. */
    record Field(String name, String type, @Nullable String value) {}

    /**
     * The text of an expression in the definitions, and the expression's value. If the value is null, the remark is the
     * reason for this, if it is known. If the value is the start of a window, the remark has the time of the event.
     */
    record Value(
            String expression,
            @Nullable String value,
            @Nullable String remark) {}

    /**
     * A mapping.
     *
     * @param outcome {@code applied}, {@code filtered} or {@code other_topic}
     */
    record OfMapping(
            String name,
            String summary,
            @Nullable String topic,
            String outcome,
            @Nullable Value where,
            List<OfStep> steps) {}

    /**
     * A step of a mapping. A {@code row} or {@code nested} step has a summary and a key; an {@code update} step has a
     * column and an operand. A {@code loop} step contains {@code element} steps, which contain further steps.
     *
     * @param statement the statement as in the definitions, or null
     * @param done whether the step was done: depending on the kind of the step, the row was entered, the operand was
     *     added, or the element was taken
     */
    record OfStep(
            String kind,
            @Nullable String name,
            @Nullable String statement,
            boolean done,
            @Nullable Value where,
            @Nullable Value operand,
            List<Key> key,
            List<OfStep> steps) {}

    /** A key column. */
    record Key(String name, Value value) {}

    static ExplainedMessage of(Told told) {
        Explanation explanation = told.explanation();
        if (explanation == null) {
            return new ExplainedMessage(told.rejected(), told.topic(), null, null, null, List.of(), null, List.of());
        }
        Explanation.Identity identity = explanation.identity();
        return new ExplainedMessage(
                told.rejected(),
                told.topic(),
                explanation.event(),
                explanation.refusal() != null ? explanation.refusal() : explanation.tooLong(),
                explanation.unexplained(),
                explanation.fields().stream()
                        .map(field -> new Field(field.name(), field.type(), field.value()))
                        .toList(),
                identity == null ? null : value(identity.id()),
                explanation.mappings().stream().map(ExplainedMessage::mapping).toList());
    }

    private static OfMapping mapping(Explanation.OfMapping mapping) {
        return new OfMapping(
                mapping.name(),
                mapping.summary(),
                mapping.topic(),
                mapping.outcome().name().toLowerCase(Locale.ROOT),
                value(mapping.where()),
                steps(mapping.steps()));
    }

    private static @Nullable Value value(@Nullable Term term) {
        return term == null ? null : new Value(term.text(), term.isNull() ? null : term.value(), term.remark());
    }

    private static List<OfStep> steps(List<Step> steps) {
        return steps.stream().map(ExplainedMessage::step).toList();
    }

    private static OfStep step(Step step) {
        if (step instanceof Step.Row row) {
            return new OfStep(
                    "row",
                    row.summary(),
                    null,
                    !row.isTooLong() && row.rejected() == null,
                    null,
                    null,
                    key(row.key()),
                    steps(row.steps()));
        }
        if (step instanceof Step.Update update) {
            return new OfStep(
                    "update",
                    update.column(),
                    update.text(),
                    update.isApplied(),
                    value(update.where()),
                    value(update.operand()),
                    List.of(),
                    List.of());
        }
        if (step instanceof Step.Nested nested) {
            return new OfStep(
                    "nested",
                    nested.summary(),
                    nested.text(),
                    nested.isEntered() && !nested.isTooLong(),
                    value(nested.where()),
                    null,
                    key(nested.key()),
                    steps(nested.steps()));
        }
        Step.Loop loop = (Step.Loop) step;
        List<OfStep> elements = loop.elements().stream()
                .map(element -> new OfStep(
                        "element",
                        null,
                        null,
                        element.isTaken(),
                        value(element.where()),
                        null,
                        List.of(),
                        steps(element.steps())))
                .toList();
        return new OfStep("loop", null, loop.text(), loop.length() >= 0, null, null, List.of(), elements);
    }

    private static List<Key> key(List<Step.KeyColumn> columns) {
        return columns.stream()
                .map(column -> new Key(column.name(), Objects.requireNonNull(value(column.term()))))
                .toList();
    }
}
