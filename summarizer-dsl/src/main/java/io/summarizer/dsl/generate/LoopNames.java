package io.summarizer.dsl.generate;

import io.summarizer.dsl.codegen.Names;
import io.summarizer.dsl.model.EventField;
import io.summarizer.dsl.model.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Names for the elements of a mapping's loops. The names are made from the names of the lists, so generated code does
 * not depend on the names of loop variables.
 */
final class LoopNames {
    private LoopNames() {}

    /** For each loop id, a free name from {@code names}. */
    static Map<Integer, String> of(List<Statement> body, Names names) {
        Map<Integer, String> loops = new HashMap<>();
        collect(body, names, loops);
        return loops;
    }

    private static void collect(List<Statement> statements, Names names, Map<Integer, String> loops) {
        for (Statement statement : statements) {
            if (statement instanceof Statement.For loop) {
                List<EventField> path = loop.list().path();
                String list =
                        path.isEmpty() ? "element" : path.get(path.size() - 1).name();
                boolean plural = list.length() > 2 && list.endsWith("s");
                loops.put(loop.id(), names.variable(plural ? list.substring(0, list.length() - 1) : list + "_element"));
            }
            collect(statement.body(), names, loops);
        }
    }
}
