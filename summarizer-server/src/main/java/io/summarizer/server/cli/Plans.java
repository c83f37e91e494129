package io.summarizer.server.cli;

import io.summarizer.dsl.model.Definitions;
import io.summarizer.server.service.CheckedDefinitions;
import io.summarizer.server.service.DefinitionsException;
import io.summarizer.server.service.LoadedPlan;
import io.summarizer.server.service.PlanLoader;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;

/** Loads definitions for a command. */
final class Plans {
    private Plans() {}

    /** The definitions of a folder; the failure shows all that is wrong with them. */
    static Definitions check(Path folder) throws CommandFailure {
        try {
            return PlanLoader.check(folder).definitions();
        } catch (DefinitionsException e) {
            throw failure(folder, e);
        }
    }

    /** The definitions of a folder, whose warnings go to standard error; the failure shows all that is wrong with them. */
    static Definitions check(Path folder, Terminal terminal) throws CommandFailure {
        try {
            CheckedDefinitions checked = PlanLoader.check(folder);
            warn(checked, terminal);
            return checked.definitions();
        } catch (DefinitionsException e) {
            throw failure(folder, e);
        }
    }

    /** The plan of a folder, whose warnings go to standard error; the failure shows all that is wrong with it. */
    static LoadedPlan load(Path folder, List<ZoneId> timezones, Terminal terminal) throws CommandFailure {
        try {
            LoadedPlan loaded = PlanLoader.load(folder, timezones);
            warn(loaded.checked(), terminal);
            return loaded;
        } catch (DefinitionsException e) {
            throw failure(folder, e);
        }
    }

    private static void warn(CheckedDefinitions checked, Terminal terminal) {
        if (!checked.warnings().isEmpty()) {
            terminal.err().println(checked.warnings() + "\n");
        }
    }

    private static CommandFailure failure(Path folder, DefinitionsException e) {
        return CommandFailure.withDetails(
                e.rendered(), folder + " has " + (e.errors() == 1 ? "1 error" : Units.count(e.errors()) + " errors"));
    }
}
