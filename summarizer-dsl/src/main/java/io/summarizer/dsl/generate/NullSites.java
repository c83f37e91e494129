package io.summarizer.dsl.generate;

import io.summarizer.core.ledger.NullReason;
import io.summarizer.core.ledger.NullSite;
import io.summarizer.dsl.codegen.JavaClass;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The expressions of a class that may fail, and the statements that count failures. One expression is written at a
 * time. An expression gets its number when its first counting statement is written. Equal expressions of a mapping
 * share a number. Each expression also has a name, which does not depend on the order of expressions. The program of a
 * later generation uses this name to find the count that it continues. For one use, by one thread.
 */
public final class NullSites {
    /** Marks an expression in a loop, to distinguish it from an equal expression that is evaluated once per message. */
    private static final String REPEATED = " (in a loop)";

    private final List<NullSite> sites = new ArrayList<>();
    private final Map<List<Object>, Integer> numbers = new HashMap<>();
    private final boolean single;

    private NullSite current = new NullSite(-1, "", "", NullSite.Evaluated.COUNTED);
    private boolean used;

    private NullSites(boolean single) {
        this.single = single;
    }

    /** The sites of a program. The failures of each expression are counted separately. */
    static NullSites ofProgram() {
        return new NullSites(false);
    }

    /** One site for all expressions of a query. */
    public static NullSites single() {
        return new NullSites(true);
    }

    /** Begins the next expression. */
    void begin(NullSite site) {
        current = site;
        used = false;
    }

    /** Whether the current expression may fail, because code that counts failures was written since {@link #begin}. */
    boolean isUsed() {
        return used;
    }

    /** The number of the current expression. */
    int number() {
        if (single) {
            return 0;
        }
        used = true;
        return numbers.computeIfAbsent(List.of(current.mapping(), current.expression(), current.evaluated()), equal -> {
            sites.add(current);
            return sites.size() - 1;
        });
    }

    /** The statement that counts a failure of the current expression; {@code reason} is a Java expression. */
    String count(JavaClass owner, String reason) {
        owner.use(NullReason.class);
        return "nulls.count(" + number() + ", " + reason + ");";
    }

    /** The statement that counts an unreadable string as a failure of the current expression. */
    String unreadable(String string) {
        return "nulls.unreadable(" + number() + ", event, " + string + ");";
    }

    /** All numbered expressions, in the order of their numbers. No two expressions of a mapping have the same name. */
    List<NullSite> all() {
        Set<List<Object>> plain = new HashSet<>();
        sites.stream()
                .filter(site -> site.evaluated() != NullSite.Evaluated.COUNTED)
                .forEach(site -> plain.add(List.of(site.mapping(), site.expression())));
        return sites.stream()
                .map(site -> site.evaluated() == NullSite.Evaluated.COUNTED
                                && plain.contains(List.of(site.mapping(), site.expression()))
                        ? new NullSite(site.mapping(), site.expression() + REPEATED, site.at(), site.evaluated())
                        : site)
                .toList();
    }
}
