package io.summarizer.server.service;

import io.summarizer.core.ledger.NullValues;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A warning for each expression of a mapping that gave nothing but nulls because something in it failed: once for each, for as long as
 * the definitions have it. So there are as many lines as expressions at most. Thread-safe.
 */
final class NullAlarm {
    /** Values after which an expression is warned of while the service runs: the first few may be bad by chance. */
    static final long VALUES_MIN = 100;

    private final Supplier<List<NullValues>> nulls;
    private final Consumer<String> log;

    /** Expressions that were warned of; guarded by this. */
    private final Set<List<String>> told = new HashSet<>();

    /**
     * An alarm that has said nothing yet.
     *
     * @param nulls counts of all expressions, as of now
     * @param log takes a warning
     */
    NullAlarm(Supplier<List<NullValues>> nulls, Consumer<String> log) {
        this.nulls = nulls;
        this.log = log;
    }

    /** Warns of expressions with {@value #VALUES_MIN} values or more. To be called now and then. */
    void look() {
        look(VALUES_MIN);
    }

    /** Warns of expressions with any values: when nothing more comes. */
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
