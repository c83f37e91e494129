package io.summarizer.server.cli;

import io.summarizer.server.config.ConfigException;
import io.summarizer.server.config.ServerConfig;
import io.summarizer.server.http.DefinitionsInForce;
import io.summarizer.server.service.CheckedDefinitions;
import io.summarizer.server.service.DefinitionFiles;
import io.summarizer.server.service.DefinitionsException;
import io.summarizer.server.service.PlanLoader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;

/** The options by which a command gets definitions, either from a folder or from a running service. */
final class DefinitionsSource {
    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Mixin
    private ServiceOptions service = new ServiceOptions();

    /**
     * The source and the name of the definitions that a command used.
     *
     * @param folder the folder of the definitions; null when a service has them
     * @param server the address of the service that has the definitions; null when they are in a folder
     * @param name the SHA-256 of the definitions' files; checkpoints name their definitions by this hash
     */
    record Used(@Nullable String folder, @Nullable String server, String name) {
        /** The folder or the address. */
        String place() {
            return folder != null ? folder : String.valueOf(server);
        }

        /** A line for people. */
        String line() {
            return "by the definitions " + (folder != null ? "in " : "in force at ") + place();
        }
    }

    /**
     * Definitions without errors.
     *
     * @param config the configuration of the command. With {@code --server}, it contains the service's settings
     *     wherever they affect how messages are processed.
     */
    record Loaded(Used used, CheckedDefinitions checked, ServerConfig config) {}

    /** Whether a configuration, or a part of one, is given for definitions in a folder. */
    boolean hasConfig(Map<String, String> environment) {
        return options.isFileGiven() || (options.isKeyGiven() && !isOfService(environment));
    }

    private boolean isOfService(Map<String, String> environment) {
        return !options.isFolderGiven() && !options.isFileGiven() && service.isNamed(environment);
    }

    /** The configuration. */
    ServerConfig config(Map<String, String> environment) throws ConfigException {
        return options.load(environment);
    }

    /** Loads the definitions; options override the environment. */
    Loaded load(Map<String, String> environment)
            throws IOException, CommandFailure, ConfigException, DefinitionsException, InterruptedException {
        if ((options.isFolderGiven() || options.isFileGiven()) && service.isGiven()) {
            throw CommandFailure.usage(
                    "--server has definitions and a configuration of its own: not with --definitions or --config");
        }
        if (isOfService(environment)) {
            ServiceClient client = service.client(environment);
            DefinitionsInForce inForce = DefinitionsInForce.read(client.get("/definitions/files"));
            List<String> settings = inForce.settings().entrySet().stream()
                    .map(setting -> setting.getKey() + "=" + setting.getValue())
                    .toList();
            return new Loaded(
                    new Used(null, client.toString(), inForce.name()),
                    checked(client, inForce),
                    options.load(environment, settings));
        }
        ServerConfig config = config(environment);
        Path folder = options.definitions(config);
        CheckedDefinitions checked = PlanLoader.check(folder);
        return new Loaded(new Used(folder.toString(), null, checked.files().name()), checked, config);
    }

    /**
     * Checks the definitions of a service with the checker of this program. The service may be of another version than
     * this program.
     */
    static CheckedDefinitions checked(ServiceClient client, DefinitionsInForce inForce) throws CommandFailure {
        try {
            return PlanLoader.check(new DefinitionFiles(inForce.files()));
        } catch (DefinitionsException e) {
            throw CommandFailure.withDetails(
                    Exit.FAILED,
                    e.rendered(),
                    client + " has definitions that this version of summarizer does not take");
        }
    }
}
