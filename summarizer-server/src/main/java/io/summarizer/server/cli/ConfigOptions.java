package io.summarizer.server.cli;

import io.summarizer.server.config.ConfigException;
import io.summarizer.server.config.ConfigLoader;
import io.summarizer.server.config.ServerConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options by which a command gets a configuration and a folder of definitions. */
final class ConfigOptions {
    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "Configuration file. Default: config/summarizer.yaml of this project, which documents all keys.")
    private @Nullable Path file;

    @Option(
            names = "--definitions",
            paramLabel = "DIR",
            description = "Folder of the .summ files. Default: as the configuration says.")
    private @Nullable Path folder;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Set a key of the configuration; may be given several times.")
    private List<String> sets = new ArrayList<>();

    /** Whether a configuration is given. */
    boolean isFileGiven() {
        return file != null;
    }

    /** Whether the command line sets keys of the configuration. */
    boolean isKeyGiven() {
        return !sets.isEmpty();
    }

    /** Whether a folder of definitions is given. */
    boolean isFolderGiven() {
        return folder != null;
    }

    /** Loads the configuration from the file, the environment and the options. */
    ServerConfig load(Map<String, String> environment) throws ConfigException {
        return load(environment, List.of());
    }

    /**
     * Loads the configuration from the file, the environment, {@code settings} and the options. Each source overrides
     * the sources before it.
     *
     * @param settings settings of the form {@code key=value}
     */
    ServerConfig load(Map<String, String> environment, List<String> settings) throws ConfigException {
        List<String> all = new ArrayList<>(settings);
        all.addAll(sets);
        if (folder != null) {
            all.add("definitions=" + folder.toAbsolutePath());
        }
        return ConfigLoader.load(HomeFolder.path(), fileToRead(), environment, all);
    }

    /**
     * Loads the configuration from the environment, the options and, if one is given, the file. Does not read the
     * default file of this project.
     *
     * @param defaults settings of the form {@code key=value}; a setting applies if no source sets its key
     */
    ServerConfig loadGiven(Map<String, String> environment, List<String> defaults) throws ConfigException {
        return ConfigLoader.load(HomeFolder.path(), defaults, file, environment, sets);
    }

    /** The folder of the definitions, spelled as given. */
    Path definitions(ServerConfig config) {
        return folder == null ? config.definitions() : folder;
    }

    private @Nullable Path fileToRead() {
        Path folder = HomeFolder.path().resolve("config");
        Path fallback = folder.resolve("summarizer.yaml");
        // A link to a file that is gone must not start a service with other definitions and another data folder.
        boolean isMeant = Files.exists(fallback)
                || Files.isSymbolicLink(fallback)
                || (Files.isSymbolicLink(folder) && !Files.exists(folder));
        return file != null ? file : isMeant ? fallback : null;
    }
}
