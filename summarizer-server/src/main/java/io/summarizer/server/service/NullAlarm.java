package io.summarizer.server.service;

import io.summarizer.core.ledger.NullValues;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Warns of expressions in mappings that gave only nulls because something in them failed. As long as an expression is
 * in the definitions, it causes only one warning. So the number of expressions bounds the number of log lines.
 * Thread-safe.
 */
final class NullAlarm {
    /**
     * Number of values after which an expression is reported while the service runs, because the first few values may
     * be null by chance.
     */
    static final long VALUES_MIN = 100;

    private final Supplier<List<NullValues>> nulls;
    private final Consumer<String> log;

    /** Expressions that were reported; guarded by this. */
    private final Set<List<String>> told = new HashSet<>();

    /**
     * Makes an alarm.
     *
     * @param nulls supplies the present counts of all expressions
     * @param log receives warnings
     */
    NullAlarm(Supplier<List<NullValues>> nulls, Consumer<String> log) {
        this.nulls = nulls;
        this.log = log;
    }

    /** Warns of expressions with {@value #VALUES_MIN} values or more. To be called regularly. */
    void look() {
        look(VALUES_MIN);
    }

    /** Warns of expressions with any number of values. Called after the last message. */
    void lookLast() {
        look(1);
    }

    private synchronized void look(long valuesMin) {
        List<NullValues> all = nulls.get();
        told.retainAll(all.stream().map(NullValues::key).collect(Collectors.toSet()));
        for (NullValues values : all) {
            if (values.isAlways() && values.evaluated() >= valuesMin && told.add(values.key())) {
                log.accept(values.place() + ": each value of this expression was null (" + values.reasons()
                        + values.sampleText() + "): " + values.expression());
            }
        }
    }
}
