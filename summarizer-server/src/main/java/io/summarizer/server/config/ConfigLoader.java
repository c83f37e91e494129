package io.summarizer.server.config;

import io.summarizer.core.deliver.Export;
import io.summarizer.core.deliver.Export.Schedule;
import io.summarizer.core.deliver.FilePattern.Place;
import io.summarizer.core.journal.JournalOptions;
import io.summarizer.core.message.RecordRule;
import io.summarizer.core.pipeline.PipelineMode;
import io.summarizer.core.pipeline.PipelineOptions;
import io.summarizer.core.pipeline.PipelineOptions.Named;
import io.summarizer.core.pipeline.PipelineOptions.Stage;
import io.summarizer.core.pipeline.WindowOptions;
import io.summarizer.core.queue.QueueKind;
import io.summarizer.core.queue.WaitPolicy;
import io.summarizer.core.store.ValueLimits;
import io.summarizer.dsl.diagnose.Suggestions;
import io.summarizer.server.config.ConfigKeys.ExportKeys;
import io.summarizer.server.config.ConfigKeys.NamedKeys;
import io.summarizer.server.config.ConfigKeys.StreamKeys;
import io.summarizer.server.config.ConfigKeys.TlsKeys;
import io.summarizer.server.config.ServerConfig.Exported;
import io.summarizer.server.config.ServerConfig.Http;
import io.summarizer.server.config.ServerConfig.Limits;
import io.summarizer.server.config.ServerConfig.Pipeline;
import io.summarizer.server.config.ServerConfig.Refused;
import io.summarizer.server.config.ServerConfig.SyslogUdp;
import io.summarizer.server.config.ServerConfig.Transport;
import io.summarizer.server.kafka.KafkaSettings;
import io.summarizer.server.net.Batching;
import io.summarizer.server.net.ConnectionLimits;
import io.summarizer.server.tls.ClientCertificates;
import io.summarizer.server.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a configuration from several sources. The sources are defaults, a YAML file, environment variables ({@code
 * SUMMARIZER_} and the key in capitals with {@code _} for dots and hyphens), and {@code --set key=value}. Each source
 * overrides the sources before it.
 *
 * <p>Relative paths start at the working directory. Relative paths in defaults start at the folder in which the
 * Summarizer is installed.
 *
 * <p>This class has more than 500 lines, because problems of all keys are collected and reported together.
 */
public final class ConfigLoader {
    /** Smallest number of messages of maximum size that must fit into the receive buffers. */
    private static final long RECEIVED_MESSAGES_MIN = 4;

    private final List<ConfigProblem> problems = new ArrayList<>();
    private final Map<String, Setting> settings = new HashMap<>();
    /** Named pipelines by name, in order of appearance. */
    private final Map<String, NamedKeys> named = new LinkedHashMap<>();
    /** Exports by number. */
    private final TreeMap<Integer, ExportKeys> exports = new TreeMap<>();

    private final Path home;

    private ConfigLoader(Path home) {
        this.home = home;
    }

    /**
     * Reads all sources and checks all settings.
     *
     * @param home folder to which default paths are relative
     * @param file the YAML file, or null for none
     * @param environment all variables of the process
     * @param sets settings {@code key=value} as given; for a key with several settings, the last one applies
     * @throws ConfigException when there are problems; the exception has all of them
     */
    public static ServerConfig load(Path home, @Nullable Path file, Map<String, String> environment, List<String> sets)
            throws ConfigException {
        return load(home, List.of(), file, environment, sets);
    }

    /**
     * Reads all sources as {@link #load(Path, Path, Map, List)} does, but with other defaults.
     *
     * @param defaults settings {@code key=value}, for keys that no other source has
     */
    public static ServerConfig load(
            Path home, List<String> defaults, @Nullable Path file, Map<String, String> environment, List<String> sets)
            throws ConfigException {
        ConfigLoader loader = new ConfigLoader(home);
        loader.readSets(defaults);
        if (file != null) {
            List<Setting> inFile = new ArrayList<>();
            YamlSettings.read(file, inFile, loader.problems);
            inFile.forEach(loader::take);
        }
        loader.readEnvironment(environment);
        loader.readSets(sets);
        ServerConfig config = loader.build();
        if (!loader.problems.isEmpty()) {
            loader.problems.sort(Comparator.comparingInt(problem -> lineIn(file, problem)));
            throw new ConfigException(loader.problems);
        }
        return config;
    }

    /**
     * Returns the line of a problem in the file, or, for a problem of another source, a number that is larger than any
     * line number.
     */
    private static int lineIn(@Nullable Path file, ConfigProblem problem) {
        String origin = problem.origin();
        if (file != null && origin.startsWith(file + ":")) {
            return Integer.parseInt(origin.substring(origin.lastIndexOf(':') + 1));
        }
        return file != null && origin.equals(file.toString()) ? 0 : Integer.MAX_VALUE;
    }

    private void readEnvironment(Map<String, String> environment) {
        Map<String, String> byVariable = new HashMap<>();
        ConfigKeys.all().values().forEach(key -> byVariable.put(key.variable(), key.name()));
        List<String> names =
                byVariable.keySet().stream().map(ConfigLoader::unprefixed).toList();
        new TreeMap<>(environment).forEach((variable, text) -> {
            if (!variable.startsWith(ConfigKeys.VARIABLE_PREFIX) || ConfigKeys.OTHER_VARIABLES.contains(variable)) {
                return;
            }
            String name = byVariable.getOrDefault(variable, ofNamedPipeline(variable) + ofExport(variable));
            if (!name.isEmpty()) {
                take(new Setting(name, text, variable));
                return;
            }
            // A variable whose name resembles no variable of the product may belong to another program.
            // The prefix is left out, because it would make short names similar.
            List<String> candidates = new ArrayList<>(names);
            namedKeys(variable).forEach(key -> candidates.add(unprefixed(ConfigKey.variable(key))));
            String nearest = Suggestions.nearest(unprefixed(variable), candidates);
            if (!nearest.isEmpty()) {
                problems.add(new ConfigProblem(
                        variable,
                        "",
                        "no key has this variable",
                        "did you mean " + ConfigKeys.VARIABLE_PREFIX + nearest + "?"));
            }
        });
    }

    private static String unprefixed(String variable) {
        return variable.substring(ConfigKeys.VARIABLE_PREFIX.length());
    }

    /** Returns the key that a variable sets for a named pipeline; empty when the variable sets no such key. */
    private static String ofNamedPipeline(String variable) {
        return namedKeys(variable).stream()
                .filter(key -> ConfigKey.variable(key).equals(variable))
                .findFirst()
                .orElse("");
    }

    /**
     * Returns all keys of the named pipeline to which a variable belongs; empty when the variable belongs to none. The
     * pipeline's name in a variable ends at an underscore, because names of pipelines have no underscores.
     */
    private static Set<String> namedKeys(String variable) {
        String prefix = ConfigKey.variable(ConfigKeys.NAMED_PREFIX);
        int end = variable.indexOf('_', prefix.length());
        return variable.startsWith(prefix) && end > 0
                ? new NamedKeys(variable.substring(prefix.length(), end).toLowerCase(Locale.ROOT))
                        .all()
                        .keySet()
                : Set.of();
    }

    /** Returns the key that a variable sets for an export; empty when the variable sets no such key. */
    private static String ofExport(String variable) {
        String key = variable.substring(ConfigKeys.VARIABLE_PREFIX.length())
                .toLowerCase(Locale.ROOT)
                .replace('_', '.');
        return ConfigKeys.export(key) > 0 ? key : "";
    }

    private void readSets(List<String> sets) {
        for (String set : sets) {
            int equals = set.indexOf('=');
            if (equals <= 0) {
                problems.add(new ConfigProblem("--set " + set, "", "key=value expected", null));
            } else {
                take(new Setting(
                        set.substring(0, equals).strip(),
                        set.substring(equals + 1).strip(),
                        "--set"));
            }
        }
    }

    /** Checks one setting by itself. A setting must be valid even if another setting overrides it. */
    private void take(Setting setting) {
        ConfigKey<?> key = key(setting);
        if (key == null) {
            problems.add(
                    new ConfigProblem(setting.origin(), setting.key(), "no such key", ConfigHelp.on(setting.key())));
        } else if (key.type().read(setting.text()) == null) {
            String nearest = Suggestions.nearest(setting.text(), key.type().words());
            problems.add(new ConfigProblem(
                    setting.origin(),
                    setting.key(),
                    quoted(setting.text()) + " is not allowed; allowed: "
                            + key.type().allowed(),
                    nearest.isEmpty() ? null : "did you mean " + nearest + "?"));
        } else {
            settings.put(setting.key(), setting);
        }
    }

    private @Nullable ConfigKey<?> key(Setting setting) {
        String key = setting.key();
        int export = ConfigKeys.export(key);
        if (export > 0 && export <= ConfigKeys.EXPORTS_MAX) {
            ConfigKey<?> found = new ExportKeys(export).all().get(key);
            if (found != null) {
                exports.computeIfAbsent(export, ExportKeys::new);
            }
            return found;
        }
        int end = key.indexOf('.', ConfigKeys.NAMED_PREFIX.length());
        if (!key.startsWith(ConfigKeys.NAMED_PREFIX) || end < 0) {
            return ConfigKeys.all().get(key);
        }
        String name = key.substring(ConfigKeys.NAMED_PREFIX.length(), end);
        if (!ConfigKeys.isPipelineName(name)) {
            return null;
        }
        NamedKeys keys = named.get(name);
        if (keys == null) {
            keys = new NamedKeys(name);
            if (!keys.all().containsKey(key)) {
                return null;
            }
            named.put(name, keys);
        }
        return keys.all().get(key);
    }

    private static String quoted(String text) {
        return text.isEmpty()
                ? "an empty value"
                : '"' + (text.length() > 80 ? text.substring(0, 80) + "…" : text).replace("\n", "\\n") + '"';
    }

    private ServerConfig build() {
        return new ServerConfig(
                stream(ConfigKeys.SYSLOG),
                value(ConfigKeys.SYSLOG_FRAMING),
                new SyslogUdp(
                        value(ConfigKeys.UDP_BIND),
                        value(ConfigKeys.UDP_TOPIC),
                        value(ConfigKeys.UDP_TIMEZONE),
                        value(ConfigKeys.UDP_BUFFER).intValue(),
                        value(ConfigKeys.UDP_PLAINTEXT)),
                stream(ConfigKeys.RELP),
                value(ConfigKeys.RELP_ACK),
                kafka(),
                new Http(
                        value(ConfigKeys.HTTP_BIND),
                        value(ConfigKeys.HTTP_HEALTH_BIND),
                        new ConnectionLimits(
                                value(ConfigKeys.HTTP_CONNECTIONS),
                                value(ConfigKeys.HTTP_CONNECTIONS_OF_ADDRESS),
                                value(ConfigKeys.HTTP_REQUEST_TIMEOUT),
                                value(ConfigKeys.HTTP_IDLE)),
                        value(ConfigKeys.HTTP_CUT_RETENTION),
                        value(ConfigKeys.HTTP_QUERY_TIMEOUT),
                        value(ConfigKeys.HTTP_ROLLUP_MEMORY),
                        Optional.ofNullable(pathIfSet(ConfigKeys.HTTP_TOKENS)),
                        settings.containsKey(ConfigKeys.HTTP_NAMES.name()) ? value(ConfigKeys.HTTP_NAMES) : List.of(),
                        value(ConfigKeys.HTTP_ANONYMOUS),
                        transport(ConfigKeys.HTTP_TLS, ConfigKeys.HTTP_PLAINTEXT)),
                path(ConfigKeys.DEFINITIONS),
                path(ConfigKeys.DATA),
                new Pipeline(
                        value(ConfigKeys.MODE),
                        nettyWorkers(),
                        new Batching(value(ConfigKeys.BATCH_MESSAGES), value(ConfigKeys.BATCH_LINGER)),
                        pipelines()),
                new Refused(value(ConfigKeys.UNMATCHED), value(ConfigKeys.REJECTS_SIZE), value(ConfigKeys.LATE_SIZE)),
                limits(),
                value(ConfigKeys.CHECKPOINT_INTERVAL),
                journal(),
                exports());
    }

    private Limits limits() {
        return new Limits(
                value(ConfigKeys.ROWS),
                new ValueLimits(
                        value(ConfigKeys.KEY_BYTES).intValue(),
                        value(ConfigKeys.TEXT_BYTES).intValue()),
                new WindowOptions(
                        value(ConfigKeys.OPEN_WINDOWS).intValue(),
                        micros(value(ConfigKeys.AHEAD)),
                        micros(value(ConfigKeys.WINDOW_IDLE))),
                value(ConfigKeys.STATE),
                value(ConfigKeys.DEDUP_IDS),
                value(ConfigKeys.CUTS_MEMORY),
                value(ConfigKeys.QUEUES),
                receiveBytes());
    }

    private List<Exported> exports() {
        List<Exported> all = new ArrayList<>();
        Map<String, String> byFile = new HashMap<>();
        exports.forEach((number, keys) -> {
            Export export = export(keys);
            if (export == null) {
                return;
            }
            String key = ConfigKeys.EXPORTS_PREFIX + number;
            String other = byFile.putIfAbsent(export.to().of(export.table().path()), key);
            if (other != null) {
                problem(keys.to, "its files have the names of those of " + other, "give each export its own names");
            }
            all.add(new Exported(originOf(keys.all()), key, export));
        });
        return all;
    }

    /** Returns null when a setting is missing or invalid. */
    private @Nullable Export export(ExportKeys keys) {
        int problemsBefore = problems.size();
        for (ConfigKey<?> needed : List.of(keys.summary, keys.to)) {
            if (!isGiven(needed)) {
                problems.add(new ConfigProblem(
                        originOf(keys.all()),
                        needed.name(),
                        "not set",
                        "it is " + needed.type().allowed()));
            }
        }
        List<ConfigKey<?>> times =
                Stream.of(keys.on, keys.every, keys.at).filter(this::isGiven).toList();
        if (times.isEmpty()) {
            problems.add(new ConfigProblem(
                    originOf(keys.all()),
                    keys.on.name(),
                    "neither this key nor every nor at is set",
                    "set on to close, every to a duration, or at to a time of the day"));
        } else if (times.size() > 1) {
            problem(
                    times.get(1),
                    "set together with " + times.get(0).name(),
                    "an export has one of on, every and at; make two exports");
        }
        if (problems.size() > problemsBefore || keys.all().keySet().stream().anyMatch(this::isInvalid)) {
            return null;
        }
        Export export = new Export(
                value(keys.summary),
                schedule(keys),
                value(keys.format),
                value(keys.to),
                settings.containsKey(keys.by.name()) ? value(keys.by) : null,
                settings.containsKey(keys.where.name()) ? value(keys.where) : "");
        check(keys, export);
        return problems.size() > problemsBefore ? null : export;
    }

    private Schedule schedule(ExportKeys keys) {
        if (settings.containsKey(keys.on.name())) {
            return value(keys.on);
        }
        return settings.containsKey(keys.every.name())
                ? new Schedule(micros(value(keys.every)), 0)
                : new Schedule(micros(Duration.ofDays(1)), micros(value(keys.at)));
    }

    private void check(ExportKeys keys, Export export) {
        boolean byWindow = export.to().has(Place.WINDOW);
        if (export.schedule().isClose() && !byWindow) {
            problem(keys.to, "all windows would have the same file", "put {window} into the name");
        } else if (!export.schedule().isClose() && byWindow) {
            problem(keys.to, "{window} goes with on: close only", "put {date} or {cut} into the name");
        }
        if (export.to().isManifest()) {
            problem(keys.to, "the manifests of exports have such names", "choose another ending");
        }
        if (export.format() == Export.Format.STATE) {
            for (ConfigKey<?> key : List.of(keys.by, keys.where)) {
                if (settings.containsKey(key.name())) {
                    problem(key, "a state file has all rows", "leave it out, or choose another format");
                }
            }
            if (!export.table().fields().isEmpty()) {
                problem(keys.summary, "a state file has nested summaries together with theirs", "name the summary");
            }
        }
    }

    private void problem(ConfigKey<?> key, String text, String help) {
        problems.add(new ConfigProblem(originOf(key.name()), key.name(), text, help));
    }

    /** The place of a setting, also of an invalid one; empty when the key is not set. */
    private String originOf(String key) {
        Setting setting = settings.get(key);
        return setting != null
                ? setting.origin()
                : problems.stream()
                        .filter(problem -> problem.key().equals(key))
                        .map(ConfigProblem::origin)
                        .findFirst()
                        .orElse("");
    }

    /** Whether a key has a value, valid or not. */
    private boolean isGiven(ConfigKey<?> key) {
        return settings.containsKey(key.name()) || isInvalid(key.name());
    }

    private boolean isInvalid(String key) {
        return problems.stream().anyMatch(problem -> problem.key().equals(key));
    }

    private static long micros(Duration duration) {
        return TimeUnit.MICROSECONDS.convert(duration);
    }

    private ServerConfig.Stream stream(StreamKeys keys) {
        return new ServerConfig.Stream(
                value(keys.bind),
                value(keys.messageSize).intValue(),
                value(keys.topic),
                value(keys.timezone),
                new ConnectionLimits(
                        value(keys.connections),
                        value(keys.connectionsOfAddress),
                        value(keys.messageTimeout),
                        value(keys.idleTimeout)),
                transport(keys.tls, keys.allowPlaintext));
    }

    private Transport transport(TlsKeys keys, ConfigKey<Boolean> allowPlaintext) {
        return new Transport(Optional.ofNullable(tls(keys)), value(allowPlaintext));
    }

    /** Returns the TLS files of a listener; null when no TLS key is set, or when the set keys contradict each other. */
    private @Nullable TlsFiles tls(TlsKeys keys) {
        Setting first = keys.material().stream()
                .flatMap(key -> Stream.ofNullable(settings.get(key.name())))
                .findFirst()
                .orElse(null);
        if (first == null) {
            return null;
        }
        Path certificate = pathIfSet(keys.certificate);
        Path key = pathIfSet(keys.key);
        Path clientCa = pathIfSet(keys.clientCa);
        ClientCertificates clients = settings.containsKey(keys.clientAuth.name())
                ? value(keys.clientAuth)
                : clientCa == null ? ClientCertificates.NONE : ClientCertificates.REQUIRED;
        boolean sound = true;
        for (ConfigKey<Path> needed : List.of(keys.certificate, keys.key)) {
            if (!settings.containsKey(needed.name())) {
                sound = false;
                missing(first, needed, "TLS needs a certificate and its private key");
            }
        }
        if (clients != ClientCertificates.NONE && clientCa == null) {
            sound = false;
            missing(
                    settings.getOrDefault(keys.clientAuth.name(), first),
                    keys.clientCa,
                    "the certificates of clients are good when one in this file vouches for them");
        }
        Setting names = settings.get(keys.allowedNames.name());
        if (names != null && clients == ClientCertificates.NONE) {
            sound = false;
            problem(
                    keys.allowedNames,
                    "clients are not asked for certificates, which have names",
                    "set " + keys.clientCa.name() + ", and not " + keys.clientAuth.name() + ": none");
        }
        if (!sound || certificate == null || key == null) {
            return null;
        }
        return new TlsFiles(
                certificate,
                key,
                pathIfSet(keys.keyPassword),
                clientCa,
                clients,
                names == null ? List.of() : value(keys.allowedNames),
                value(keys.handshakeTimeout));
    }

    private void missing(Setting because, ConfigKey<Path> needed, String why) {
        if (!isInvalid(needed.name())) { // otherwise it has been reported already
            problems.add(new ConfigProblem(
                    because.origin(),
                    needed.name(),
                    "not set, and " + because.key() + " is: " + why,
                    "set it to the path of a PEM file"));
        }
    }

    private KafkaSettings kafka() {
        List<String> brokers = value(ConfigKeys.KAFKA_BROKERS);
        Setting set = settings.get(ConfigKeys.KAFKA_BROKERS.name());
        boolean named = settings.containsKey(ConfigKeys.KAFKA_TOPICS.name());
        if (!brokers.isEmpty() && set != null && !named && !isInvalid(ConfigKeys.KAFKA_TOPICS.name())) {
            problems.add(new ConfigProblem(
                    set.origin(),
                    ConfigKeys.KAFKA_TOPICS.name(),
                    "not set, and " + set.key() + " is",
                    "set it to " + ConfigKeys.KAFKA_TOPICS.type().allowed()));
        }
        RecordRule from = value(ConfigKeys.KAFKA_TOPIC_FROM);
        return new KafkaSettings(
                brokers,
                named ? value(ConfigKeys.KAFKA_TOPICS).stream().distinct().toList() : List.of(),
                new RecordRule(
                        from.source(),
                        from.header(),
                        value(ConfigKeys.KAFKA_MESSAGE_SIZE).intValue()),
                value(ConfigKeys.KAFKA_START),
                Optional.ofNullable(pathIfSet(ConfigKeys.KAFKA_PROPERTIES)),
                value(ConfigKeys.KAFKA_GROUP).orElse(""),
                value(ConfigKeys.KAFKA_TIMEZONE));
    }

    /**
     * Returns the bytes for receive buffers. Even for a small heap, the default is enough for a few messages of the
     * largest size.
     */
    private long receiveBytes() {
        long message = Math.max(value(ConfigKeys.SYSLOG.messageSize), value(ConfigKeys.RELP.messageSize));
        long bytes = value(ConfigKeys.RECEIVE_BUFFERS);
        if (!settings.containsKey(ConfigKeys.RECEIVE_BUFFERS.name())) {
            return Math.max(bytes, RECEIVED_MESSAGES_MIN * message);
        }
        if (bytes < RECEIVED_MESSAGES_MIN * message) {
            problem(
                    ConfigKeys.RECEIVE_BUFFERS,
                    bytes + " bytes are less than " + RECEIVED_MESSAGES_MIN + " messages of max-message-size",
                    "set it to " + RECEIVED_MESSAGES_MIN * message + " at least, or leave it out");
        }
        return bytes;
    }

    private JournalOptions journal() {
        long segment = value(ConfigKeys.JOURNAL_SEGMENT);
        long max = value(ConfigKeys.JOURNAL_SIZE);
        if (max < JournalOptions.SEGMENTS_MIN * segment) {
            problems.add(new ConfigProblem(
                    Stream.of(ConfigKeys.JOURNAL_SIZE, ConfigKeys.JOURNAL_SEGMENT)
                            .flatMap(key -> Stream.ofNullable(settings.get(key.name())))
                            .map(Setting::origin)
                            .findFirst()
                            .orElse(""),
                    ConfigKeys.JOURNAL_SIZE.name(),
                    "a journal of less than " + JournalOptions.SEGMENTS_MIN + " segments cannot give any of them back",
                    "set it to " + JournalOptions.SEGMENTS_MIN + " times " + ConfigKeys.JOURNAL_SEGMENT.name()
                            + " at least"));
            max = JournalOptions.SEGMENTS_MIN * segment;
        }
        return JournalOptions.of(segment, max, value(ConfigKeys.JOURNAL_COMPRESSION));
    }

    /** Number of event loops. When event loops do all the work, the default is one event loop for each processor. */
    private int nettyWorkers() {
        boolean queued = value(ConfigKeys.MODE) == PipelineMode.QUEUED;
        Integer all = queued ? null : Math.min(64, Runtime.getRuntime().availableProcessors());
        return value(ConfigKeys.NETTY_WORKERS, all);
    }

    private List<Named> pipelines() {
        List<Named> pipelines = new ArrayList<>();
        Named common = new Named(
                PipelineOptions.DEFAULT_PIPELINE,
                List.of(),
                stage(ConfigKeys.PARSE, null),
                stage(ConfigKeys.SUMMARIZE, null));
        pipelines.add(common);
        named.forEach((name, keys) -> {
            Setting topics = settings.get(keys.topics.name());
            if (topics == null) {
                if (isInvalid(keys.topics.name())) {
                    return; // the key was set, and its value is no list of patterns
                }
                problems.add(new ConfigProblem(
                        originOf(keys.all()),
                        keys.topics.name(),
                        "not set, so that the pipeline " + name + " would take nothing",
                        "set it to patterns of the topics that it is to take, as in: ad.auction.#, ad.bid.*"));
            } else {
                pipelines.add(new Named(
                        name,
                        value(keys.topics),
                        stage(keys.parse, common.parse()),
                        stage(keys.summarize, common.summarize())));
            }
        });
        PipelineMode mode = value(ConfigKeys.MODE);
        if (pipelines.size() > 1 && mode != PipelineMode.QUEUED) {
            problems.add(new ConfigProblem(
                    originOf(named.values().iterator().next().all()),
                    "pipelines",
                    "with pipeline.mode " + ValueType.text(mode) + " there are no queues to have several of",
                    "leave pipelines out, or set pipeline.mode to queued"));
            return pipelines.subList(0, 1);
        }
        if (named.size() > ConfigKeys.NAMED_MAX) {
            problems.add(new ConfigProblem(
                    originOf(named.values().iterator().next().all()),
                    "pipelines",
                    named.size() + " pipelines, at most " + ConfigKeys.NAMED_MAX + " are possible",
                    null));
        }
        return pipelines;
    }

    /** Returns the origin of the first key of {@code keys} that is set. */
    private String originOf(Map<String, ?> keys) {
        return keys.keySet().stream()
                .flatMap(key -> Stream.ofNullable(settings.get(key)))
                .map(Setting::origin)
                .findFirst()
                .orElse("");
    }

    /** Returns the configuration of a stage. If {@code like} is not null, its values are the defaults. */
    private Stage stage(ConfigKeys.StageKeys keys, @Nullable Stage like) {
        QueueKind queue = value(keys.queue, like == null ? null : like.queue());
        List<WaitPolicy> waits = queue.waits();
        WaitPolicy wait = waits.isEmpty() ? WaitPolicy.BLOCKING : waits.get(0);
        if (like != null && waits.contains(like.waitPolicy())) {
            wait = like.waitPolicy();
        }
        Setting set = settings.get(keys.wait.name());
        if (set != null) {
            wait = value(keys.wait);
            if (!waits.contains(wait)) {
                problem(
                        keys.wait,
                        "the queue " + queue.key() + " has no use for a wait of " + set.text(),
                        "leave it out" + queuesFor(keys, wait));
            }
        }
        return new Stage(
                queue,
                value(keys.capacity, like == null ? null : like.capacity()),
                value(keys.workers, like == null ? null : like.workers()),
                wait);
    }

    private static String queuesFor(ConfigKeys.StageKeys keys, WaitPolicy wait) {
        List<String> queues = keys.queue.type().words().stream()
                .filter(word -> Arrays.stream(QueueKind.values())
                        .anyMatch(
                                kind -> kind.key().equals(word) && kind.waits().contains(wait)))
                .toList();
        return queues.isEmpty() ? "" : ", or set " + keys.queue.name() + " to " + String.join(" or ", queues);
    }

    private Path path(ConfigKey<Path> key) {
        Path path = value(key);
        return absolute(settings.containsKey(key.name()) ? path : home.resolve(path));
    }

    /** Returns the absolute path, without {@code ..} if its folder exists. Symbolic links stay as they are. */
    private static Path absolute(Path path) {
        Path absolute = path.toAbsolutePath();
        Path folder = absolute.getParent();
        if (folder == null) {
            return absolute;
        }
        try {
            return folder.toRealPath(LinkOption.NOFOLLOW_LINKS).resolve(absolute.getFileName());
        } catch (IOException e) {
            return absolute;
        }
    }

    private @Nullable Path pathIfSet(ConfigKey<Path> key) {
        return settings.containsKey(key.name()) ? value(key).toAbsolutePath() : null;
    }

    private <T> T value(ConfigKey<T> key, @Nullable T otherwise) {
        return otherwise != null && !settings.containsKey(key.name()) ? otherwise : value(key);
    }

    private <T> T value(ConfigKey<T> key) {
        Setting setting = settings.get(key.name());
        T value = key.type().read(setting == null ? key.fallback() : setting.text());
        if (value == null) {
            throw new IllegalStateException("the default of " + key.name() + " is not one that it allows");
        }
        return value;
    }
}
