package io.summarizer.server.cli;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code reload}: makes a running service read its definitions again. */
@Command(
        name = "reload",
        description = {
            "Has the running service read its definitions anew.",
            "Switches to the definitions that its folder has now, as at SIGHUP, without a stop. Says what became of each summary. Definitions with errors change nothing."
        },
        exitCodeList = "1:The definitions have errors, or were refused; nothing has changed.",
        sortOptions = false)
final class ReloadCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private ServiceOptions service;

    @Mixin
    private JsonOption json = new JsonOption();

    ReloadCommand(Terminal terminal, Map<String, String> environment) {
        this.terminal = terminal;
        service = new ServiceOptions(environment);
    }

    /** The answer as JSON: lines for people. */
    record Answer(String server, List<String> changes) {}

    @Override
    public Integer call() throws IOException, CommandFailure, InterruptedException {
        ServiceAddress address = service.address();
        String said = address.post("/definitions/reload");
        if (json.isGiven()) {
            JsonOption.print(new Answer(address.toString(), said.strip().lines().toList()), terminal);
        } else {
            terminal.out().print(said);
        }
        return Exit.OK;
    }
}
