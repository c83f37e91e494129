package io.summarizer.server.cli;

import io.summarizer.dsl.model.Definitions;
import io.summarizer.server.service.CheckedDefinitions;
import io.summarizer.server.service.DefinitionsException;
import io.summarizer.server.service.LoadedPlan;
import io.summarizer.server.service.PlanLoader;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;

/** Loads definitions for a command; prints their warnings to standard error. */
final class Plans {
    private Plans() {}

    /** Checks the definitions of a folder. */
    static Definitions check(Path folder, Terminal terminal) throws DefinitionsException {
        CheckedDefinitions checked = PlanLoader.check(folder);
        warn(checked, terminal);
        return checked.definitions();
    }

    /** Loads the plan of a folder. */
    static LoadedPlan load(Path folder, List<ZoneId> timezones, Terminal terminal) throws DefinitionsException {
        LoadedPlan loaded = PlanLoader.load(folder, timezones);
        warn(loaded.checked(), terminal);
        return loaded;
    }

    /** Numbers of declarations: {@code 1 event type, 2 summaries, 3 mappings}. */
    static String extent(Definitions definitions) {
        return Units.count(definitions.events().size(), "event type") + ", "
                + Units.count(summaries(definitions), "summary") + ", "
                + Units.count(definitions.mappings().size(), "mapping");
    }

    /** Number of declared summaries. */
    static long summaries(Definitions definitions) {
        return definitions.summaries().stream()
                .filter(summary -> !summary.isKeyless())
                .count();
    }

    /** Prints the warnings, if there are any. */
    static void warn(CheckedDefinitions checked, Terminal terminal) {
        if (!checked.warnings().isEmpty()) {
            terminal.err().println(checked.warnings() + "\n");
        }
    }
}
