package io.summarizer.server.cli;

import io.summarizer.server.config.ConfigException;
import io.summarizer.server.config.ServerConfig;
import io.summarizer.server.http.DefinitionsControl;
import io.summarizer.server.metrics.EventCounts;
import io.summarizer.server.net.Addresses;
import io.summarizer.server.service.DefinitionsException;
import io.summarizer.server.service.LoadedPlan;
import io.summarizer.server.service.ResultService;
import io.summarizer.server.service.ServiceManager;
import io.summarizer.server.service.SummarizerService;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code serve}: runs the service until it is told to stop. */
@Command(
        name = "serve",
        description = {
            "Runs the service until SIGTERM or Ctrl-C.",
            "At SIGHUP the service reads its definitions again.",
            "Prints a line for each listener when the listener takes messages. Before stopping, the service processes all messages that it took."
        },
        exitCodeList = "1:The definitions have errors.")
@SuppressWarnings("NullAway.Init") // picocli sets the parent
final class ServeCommand extends Subcommand {
    private static final System.Logger LOGGER = System.getLogger(ServeCommand.class.getName());

    /** The settings of a service without messages. */
    static final List<String> LISTENERS_OFF =
            List.of("listen.syslog-tcp.bind=off", "listen.syslog-udp.bind=off", "listen.relp.bind=off");

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Option(
            names = "--from-state",
            paramLabel = "FILE",
            description =
                    "Begin with the rows of this state file; may be given several times. The data folder must have no checkpoint.")
    private List<Path> fromStates = new ArrayList<>();

    @Option(
            names = "--from-exports",
            paramLabel = "DIR",
            description =
                    "Serve over HTTP the newest result that a job on other hosts wrote to this folder. Needs no definitions and no data folder, and takes no messages.")
    private @Nullable Path fromExports;

    @Option(
            names = "--log-format",
            paramLabel = "text|json",
            description = "Form of the log lines on standard error. Default: text.")
    private Logging.Format logFormat = Logging.Format.TEXT;

    @ParentCommand
    private Main main;

    private volatile boolean failed;

    @Override
    public Integer call()
            throws IOException, ConfigException, CommandFailure, DefinitionsException, InterruptedException {
        Logging.serve(logFormat, main.isVerbose());
        HangupSignal hangup = new HangupSignal(() ->
                LOGGER.log(System.Logger.Level.WARNING, "definitions were not reloaded: the service is starting"));
        if (fromExports != null) {
            return serveResults(fromExports, hangup);
        }
        ServerConfig config = options.load(environment);
        LoadedPlan definitions = Plans.load(config.definitions(), config.timezones(), terminal);
        LOGGER.log(
                System.Logger.Level.INFO,
                "definitions in " + config.definitions() + ": "
                        + Plans.extent(definitions.checked().definitions()));
        LOGGER.log(System.Logger.Level.INFO, "data in " + config.data());
        SummarizerService service;
        try {
            service = SummarizerService.start(config, definitions, fromStates, new ServiceManager(environment)::ready);
        } catch (OutOfMemoryError e) {
            return heapFull();
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(service), "shutdown"));
        hangup.use(() -> reload(service.definitions()));
        listening("syslog-tcp", "", service.listeners().syslogAddress());
        listening("syslog-udp", "", service.listeners().udpAddress());
        listening("relp", "", service.listeners().relpAddress());
        List<String> kafka = service.listeners().kafkaTopics();
        if (!kafka.isEmpty()) {
            terminal.out().println("kafka reading " + String.join(", ", kafka));
        }
        listening("health", "http://", service.healthAddress());
        terminal.out().println("http listening on " + service.httpUrl());
        terminal.out().flush();
        // Normally the shutdown hook ends the process; only an internal fault gets beyond this line.
        Throwable fault = service.failure().join();
        LOGGER.log(System.Logger.Level.ERROR, "stopping because of a fault in this program", fault);
        failed = true;
        return Exit.FAILED;
    }

    private int serveResults(Path folder, HangupSignal hangup) throws IOException, ConfigException, CommandFailure {
        if (!fromStates.isEmpty() || options.isFolderGiven()) {
            throw CommandFailure.usage(
                    "--from-exports serves results as they are; --from-state and --definitions go with"
                            + " a service that takes messages");
        }
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new CommandFailure(folder + ": is not a folder of results");
        }
        ServerConfig config = options.loadGiven(environment, LISTENERS_OFF);
        if (config.syslogTcp().bind().isPresent()
                || config.syslogUdp().bind().isPresent()
                || config.relp().bind().isPresent()
                || config.kafka().isOn()
                || !config.exports().isEmpty()) {
            throw CommandFailure.usage(
                    "--from-exports takes no messages and exports nothing: leave out exports, and set"
                            + " listen.syslog-tcp.bind, listen.syslog-udp.bind, listen.relp.bind and listen.kafka.brokers to off or"
                            + " leave them out");
        }
        ResultService service = ResultService.start(config, folder);
        hangup.use(() -> reload(service.definitions()));
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            try {
                                new ServiceManager(environment).stopping();
                            } finally {
                                service.close();
                            }
                            Runtime.getRuntime().halt(Exit.OK);
                        },
                        "shutdown"));
        listening("health", "http://", service.healthAddress());
        terminal.out().println("http listening on " + service.httpUrl());
        terminal.out().flush();
        new ServiceManager(environment).ready();
        new CompletableFuture<Void>().join(); // the shutdown hook ends the process
        return Exit.OK;
    }

    private void listening(String name, String scheme, Optional<InetSocketAddress> address) {
        address.ifPresent(at -> terminal.out().println(name + " listening on " + scheme + Addresses.text(at)));
    }

    /**
     * Ends a start that ran out of memory. In a JVM that {@code bin/summarizer} started, a full heap ends the process
     * without running Java code, so the script itself reports a full heap. This method reports the other cases: memory
     * outside of the heap is full, or the script did not start the JVM. The script has a copy of the text below, and
     * uses the same exit code.
     */
    private int heapFull() {
        terminal.err()
                .println("summarizer: the heap is full. What was acknowledged is kept in the data folder:"
                        + " raise the heap (-Xmx in SUMMARIZER_SERVE_JAVA_OPTS), or lower limits.state and cuts.memory, and start"
                        + " again");
        terminal.err().flush();
        Runtime.getRuntime().halt(Exit.FAILED); // ends at once, like a JVM that exits when it has no memory
        return Exit.FAILED;
    }

    /** Reloads the definitions. Runs on the thread of the signal. */
    private static void reload(DefinitionsControl definitions) {
        var unused = definitions.reload().whenComplete((answer, failure) -> {
            if (failure != null) {
                LOGGER.log(System.Logger.Level.WARNING, "definitions were not reloaded: " + failure.getMessage());
            }
        });
    }

    /**
     * Stops the service when the JVM shuts down. An orderly end that loses nothing is no failure, so the exit code is 0
     * and not the code of the signal.
     */
    private void stop(SummarizerService service) {
        LOGGER.log(System.Logger.Level.INFO, "stopping: taking no more, processing what was taken");
        try {
            new ServiceManager(environment).stopping();
        } finally {
            service.close();
        }
        EventCounts counts = service.counts();
        LOGGER.log(
                System.Logger.Level.INFO,
                "stopped: since the start, received " + Units.count(counts.received()) + ", unmatched "
                        + Units.count(counts.unmatched()) + ", rejections " + Units.count(counts.rejected()));
        Runtime.getRuntime().halt(failed || service.lostRows() ? Exit.FAILED : Exit.OK);
    }
}
