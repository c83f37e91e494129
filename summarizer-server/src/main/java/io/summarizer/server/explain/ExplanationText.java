package io.summarizer.server.explain;

import io.summarizer.core.ledger.Fate;
import io.summarizer.dsl.explain.Explanation;
import io.summarizer.dsl.explain.Step;
import io.summarizer.dsl.explain.Term;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Describes decoded fields and the effects of mappings. Stateless. */
final class ExplanationText {
    private static final String NO_ROW = ": none of its own, its key is longer than limits.key-bytes";

    private ExplanationText() {}

    static void add(Explanation explanation, Outline text) {
        if (!explanation.fields().isEmpty()) {
            text.line(0, "fields, as far as mappings use them");
            int names = width(explanation.fields().stream()
                    .map(Explanation.DecodedField::name)
                    .toList());
            int types = width(explanation.fields().stream()
                    .map(Explanation.DecodedField::type)
                    .toList());
            for (Explanation.DecodedField field : explanation.fields()) {
                String value = field.value();
                text.line(
                        1,
                        field.name(),
                        names,
                        field.type()
                                + " ".repeat(types - field.type().length() + 2)
                                + (value == null ? "absent" : value));
            }
        }
        identity(explanation.identity(), text);
        explanation.mappings().forEach(mapping -> mapping(mapping, text));
        if (explanation.tooLong() != null) {
            text.line(0, "rejected (limit): " + explanation.tooLong());
        }
    }

    private static void identity(Explanation.@Nullable Identity identity, Outline text) {
        if (identity == null) {
            return;
        }
        text.line(0, identity.clause());
        Term id = identity.id();
        text.line(
                1,
                "id: " + said(id)
                        + (id.isNull()
                                ? ", so that it counts whatever came before"
                                : ": counts in each row that no other event with it was added to in that time"));
        parts(id, 2, text);
    }

    private static int width(List<String> texts) {
        return texts.stream().mapToInt(String::length).max().orElse(0);
    }

    private static void mapping(Explanation.OfMapping mapping, Outline text) {
        String name = "mapping " + mapping.name() + (mapping.topic() == null ? "" : " on " + mapping.topic());
        switch (mapping.outcome()) {
            case OTHER_TOPIC -> text.line(0, name + ": not applied, its own pattern does not match the topic");
            case FILTERED -> text.line(0, name + ": not applied, its condition does not hold");
            case APPLIED ->
                text.line(0, name + (mapping.rejected() == null ? ": applied" : rejected(mapping.rejected())));
        }
        condition(mapping.where(), 1, text);
        steps(mapping.steps(), 1, text);
    }

    private static String rejected(Fate fate) {
        return ": rejected (" + fate.label() + ")";
    }

    private static void condition(@Nullable Term where, int depth, Outline text) {
        if (where != null) {
            text.line(depth, "where " + said(where));
            parts(where, depth + 1, text);
        }
    }

    private static void steps(List<Step> steps, int depth, Outline text) {
        for (Step step : steps) {
            if (step instanceof Step.Row row) {
                text.line(
                        depth,
                        "row of " + row.summary()
                                + (row.isTooLong() ? NO_ROW : row.rejected() == null ? "" : rejected(row.rejected())));
                key(row.key(), depth + 1, text);
                steps(row.steps(), depth + 1, text);
            } else if (step instanceof Step.Update update) {
                update(update, depth, text);
            } else if (step instanceof Step.Nested nested) {
                text.line(
                        depth,
                        nested.text()
                                + (nested.isEntered()
                                        ? nested.isTooLong() ? NO_ROW : ""
                                        : ": not entered, its condition does not hold"));
                condition(nested.where(), depth + 1, text);
                key(nested.key(), depth + 1, text);
                steps(nested.steps(), depth + 1, text);
            } else if (step instanceof Step.Loop loop) {
                loop(loop, depth, text);
            }
        }
    }

    private static void key(List<Step.KeyColumn> key, int depth, Outline text) {
        for (Step.KeyColumn column : key) {
            Term term = column.term();
            text.line(
                    depth,
                    "key " + column.name() + ": " + (term.text().equals(term.value()) ? term.text() : said(term)));
            parts(term, depth + 1, text);
        }
    }

    private static void update(Step.Update update, int depth, Outline text) {
        Term operand = update.operand();
        if (operand == null) {
            text.line(depth, update.text() + ": adds nothing, its condition does not hold");
            condition(update.where(), depth + 1, text);
            return;
        }
        text.line(
                depth,
                update.text()
                        + (operand.isNull()
                                ? ": adds nothing, its operand is null"
                                : update.isTooLong()
                                        ? ": adds nothing, its text is longer than limits.text-bytes"
                                        : ": adds " + operand.value())
                        + (operand.remark() == null ? "" : " (" + operand.remark() + ")"));
        condition(update.where(), depth + 1, text);
        parts(operand, depth + 1, text);
    }

    private static void loop(Step.Loop loop, int depth, Outline text) {
        if (loop.length() < 0) {
            text.line(depth, loop.text() + ": no element, the list is absent");
            return;
        }
        text.line(
                depth,
                loop.text() + ": " + loop.length() + (loop.length() == 1 ? " element" : " elements")
                        + (loop.elements().size() < loop.length()
                                ? ", of which the first " + loop.elements().size() + " are shown"
                                : ""));
        int position = 0;
        for (Step.Element element : loop.elements()) {
            text.line(
                    depth + 1,
                    "element " + position++ + (element.isTaken() ? "" : ": left out, the condition does not hold"));
            condition(element.where(), depth + 2, text);
            steps(element.steps(), depth + 2, text);
        }
    }

    private static void parts(Term term, int depth, Outline text) {
        for (Term part : term.parts()) {
            text.line(depth, said(part));
            parts(part, depth + 1, text);
        }
    }

    private static String said(Term term) {
        return term.text() + " is " + term.value() + (term.remark() == null ? "" : " (" + term.remark() + ")");
    }
}
