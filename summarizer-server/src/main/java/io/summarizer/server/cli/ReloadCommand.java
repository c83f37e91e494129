package io.summarizer.server.cli;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code reload}: has a running service read its definitions anew. */
@Command(
        name = "reload",
        description = {
            "Has the running service read its definitions anew.",
            "It goes over to what its folder holds now, as at SIGHUP, without a stop. Says what became of each summary. What is wrong with the definitions changes nothing."
        },
        sortOptions = false)
final class ReloadCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(names = "--server", paramLabel = "URL", description = "Default: ${DEFAULT-VALUE}.")
    private String server = "http://127.0.0.1:8080";

    @Mixin
    private ServiceAccess access;

    ReloadCommand(Terminal terminal, Map<String, String> environment) {
        this.terminal = terminal;
        access = new ServiceAccess(environment);
    }

    @Override
    public Integer call() throws IOException, CommandFailure, InterruptedException {
        HttpResponse<String> response = ServiceAddress.of(server, access).post("/definitions/reload");
        if (response.statusCode() != 200) {
            throw CommandFailure.withDetails(response.body().strip(), server + " did not reload its definitions");
        }
        terminal.out().print(response.body());
        return Main.OK;
    }
}
