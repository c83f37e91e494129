package io.summarizer.dsl.check;

import static io.summarizer.dsl.model.Expression.describe;

import io.summarizer.dsl.diagnose.Diagnostics;
import io.summarizer.dsl.diagnose.Span;
import io.summarizer.dsl.model.EventType;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.parse.Ast;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks the window of {@code dedup} clauses, and that their ids distinguish events. */
record DedupChecker(Diagnostics diagnostics) {
    /**
     * Longest allowed window: a year. The window is bounded because ids stay in memory for the length of the window.
     */
    private static final long WINDOW_MICROS_MAX = 366L * 86_400_000_000L;

    /** Checks a clause of this event. Returns null after it reported an error. */
    EventType.@Nullable Dedup check(Ast.Dedup clause, Event event) {
        Expression by = new ExpressionChecker(diagnostics, event, List.of()).scalar(clause.by(), null);
        boolean fits = by != null && fits(by, clause.by().span());
        if (!(clause.within() instanceof Ast.DurationExpr within)) {
            return null; // the parser reported that it is too long
        }
        if (!ExpressionChecker.isDuration(within, diagnostics)) {
            return null;
        }
        if (within.micros() <= 0) {
            return diagnostics.error(
                    within.span(),
                    "a window of no time finds no duplicate",
                    "it has to be longer than what a sender takes to send again what got no answer: `within 1h`");
        }
        if (within.micros() > WINDOW_MICROS_MAX) {
            return diagnostics.error(
                    within.span(),
                    "the window is too long; at most 366d, as the ids of all that time are kept in memory");
        }
        return by != null && fits ? new EventType.Dedup(by, within.micros()) : null;
    }

    private boolean fits(Expression by, Span span) {
        return switch (by.type()) {
            case BOOL, DURATION, NULL -> wrong(span, describe(by.type()) + " is no id", idHelp());
            default ->
                isConstant(by)
                        ? wrong(span, "the id is the same for all events, so that only the first would count", idHelp())
                        : true;
        };
    }

    private static String idHelp() {
        return "an id is a value that no other event has: a field, or `syslog.sd[\"ev@32473\"].id`, or several by"
                + " `hash64(a, b)`";
    }

    private boolean wrong(Span span, String message, String help) {
        diagnostics.error(span, message, help);
        return false;
    }

    /** Whether an expression uses nothing of the event. */
    private static boolean isConstant(Expression expression) {
        return !(expression instanceof Expression.Name)
                && expression.operands().stream().allMatch(DedupChecker::isConstant);
    }
}
