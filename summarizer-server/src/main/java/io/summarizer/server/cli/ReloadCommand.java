package io.summarizer.server.cli;

import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code reload}: makes a running service read its definitions again. */
@Command(
        name = "reload",
        description = {
            "Makes the running service read its definitions again.",
            "The service switches to the definitions in its folder without a stop, as at SIGHUP. Prints what became of each summary. Definitions with errors change nothing."
        },
        exitCodeList = "1:The definitions have errors, or were refused; nothing has changed.")
final class ReloadCommand extends JsonCommand {
    @Mixin
    private ServiceOptions service = new ServiceOptions();

    /** The answer as JSON. The changes are lines for people. */
    record Answer(String server, List<String> changes) {}

    @Override
    public Integer call() throws IOException, CommandFailure, InterruptedException {
        ServiceClient client = service.client(environment);
        String said = client.post("/definitions/reload");
        if (json.isGiven()) {
            JsonOption.print(new Answer(client.toString(), said.strip().lines().toList()), terminal);
        } else {
            terminal.out().print(said);
        }
        return Exit.OK;
    }
}
