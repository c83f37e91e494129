package io.summarizer.flink.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.receive.Framing;
import io.summarizer.flink.options.Input;
import io.summarizer.flink.options.JobOptions;
import io.summarizer.flink.options.StartAt;
import io.summarizer.flink.options.TopicFrom;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("NullAway.Init") // JUnit sets the folder, a method before each test the rest
class FlinkCommandTest {
    private static final String DEFINITIONS = """
            import "t.proto";
            event Hit on "hit.#" as csv;
            summary Hits { key { string page = 1; } value { sumint64 hits = 1; } }
            map Hit into Hits { key { page; } hits += 1; }
            """;

    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private Path definitions;
    private Path events;
    private String exports;

    @BeforeEach
    void write() throws IOException {
        definitions = Files.createDirectory(folder.resolve("definitions"));
        Files.writeString(definitions.resolve("t.summ"), DEFINITIONS);
        Files.writeString(
                definitions.resolve("t.proto"),
                "syntax = \"proto3\"; message Hit { string page = 1; int64 code = 2; }");
        events = folder.resolve("events");
        Files.writeString(events, "<13>1 2026-11-20T00:00:00Z h - - hit.a - /,200\n".repeat(1000));
        exports = folder.resolve("exports").toString();
    }

    private int run(String... arguments) {
        return FlinkCommand.run(
                InputStream.nullInputStream(),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                arguments);
    }

    private int tryFiles(String... more) {
        List<String> all = new ArrayList<>(
                List.of("try", definitions.toString(), "--files", events.toString(), "--exports", exports));
        all.addAll(List.of(more));
        return run(all.toArray(String[]::new));
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aJobOverFilesEndsWithThem() {
        assertThat(tryFiles("--checkpoint", "100ms")).as(err()).isEqualTo(Exit.OK);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains(exports);
        assertThat(err()).isEmpty();
    }

    @Test
    void helpNamesTheOptionsAndTheExitCodes() {
        assertThat(run("try", "--help")).isEqualTo(Exit.OK);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("summarizer flink try", "--brokers", "--until-end", "--from-savepoint", "Exit status:");
        assertThat(run("--version")).isEqualTo(Exit.OK);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("summarizer-flink ");
    }

    @Test
    void errorsOfDefinitionsAreShownAsCheckShowsThem() throws IOException {
        Files.writeString(definitions.resolve("t.summ"), DEFINITIONS.replace("hits += 1", "hitz += 1"));
        assertThat(tryFiles()).isEqualTo(Exit.NO);
        assertThat(err()).contains("t.summ:4:").contains("summarizer: " + definitions + " has 1 error");
    }

    @Test
    void definitionsThatCannotBeReadAreAFailure() {
        assertThat(run("try", folder.resolve("none").toString(), "--files", events.toString(), "--exports", exports))
                .isEqualTo(Exit.FAILED);
        assertThat(err()).contains("does not exist");
    }

    @Test
    void namesMayHaveSpacesAndSigns() throws IOException {
        events = Files.move(events, folder.resolve("my 100% #1.log"));
        exports = folder.resolve("my 100% results").toString();
        assertThat(tryFiles()).as(err()).isEqualTo(Exit.OK);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains(exports);
        assertThat(Path.of(exports, "manifests")).isDirectory();
    }

    @Test
    void aFileThatIsNotThereIsRefusedBeforeTheJobStarts() throws IOException {
        Files.delete(events);
        assertThat(tryFiles()).isEqualTo(Exit.FAILED);
        assertThat(err()).isEqualTo("summarizer: " + events + ": no such file\n");
        assertThat(Path.of(exports)).doesNotExist();
    }

    @Test
    void aFolderIsRefusedBeforeTheJobStarts() {
        events = folder;
        assertThat(tryFiles()).isEqualTo(Exit.FAILED);
        assertThat(err()).isEqualTo("summarizer: " + events + ": is a folder; name the files in it\n");
        assertThat(Path.of(exports)).doesNotExist();
    }

    @Test
    void aFileWithoutALengthIsRefusedBeforeTheJobStarts() {
        events = Path.of("/dev/null");
        assertThat(tryFiles()).isEqualTo(Exit.FAILED);
        assertThat(err()).startsWith("summarizer: " + events + ": is no regular file");
        assertThat(Path.of(exports)).doesNotExist();
    }

    @Test
    void aFileIsNoFolderOfResults() {
        exports = events.toString();
        assertThat(tryFiles()).isEqualTo(Exit.FAILED);
        assertThat(err()).isEqualTo("summarizer: " + events + ": is there already, and not a folder\n");
    }

    @Test
    void aPackedFileIsRefusedBeforeTheJobStarts() throws IOException {
        try (OutputStream packed = new GZIPOutputStream(Files.newOutputStream(events))) {
            packed.write("<13>1 2026-11-20T00:00:00Z h - - hit.a - /,200\n".getBytes(StandardCharsets.UTF_8));
        }
        assertThat(tryFiles()).isEqualTo(Exit.FAILED);
        assertThat(err())
                .isEqualTo("summarizer: " + events
                        + ": is packed with gzip, which a job does not read; unpack it first\n");
        assertThat(Path.of(exports)).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({
        "--checkpoint 10, not a duration",
        "--checkpoint 1ms, less than 10 ms",
        "--max-parallelism 100, power of two",
        "--parallelism 129, 1 to 128",
        "--parallelism 0, 1 to 128",
        "--keep 0, --keep",
        "--timezone Berlin, not a time zone",
        "--max-message-size 1KB, not a size",
        "--max-message-size 1B, not from",
        "--framing relp, not one of auto",
        "--topics t, for Kafka",
        "--brokers b:1, a job reads from one of them",
        "--start now, not earliest"
    })
    void aWrongOptionIsNamedWithWhatIsExpected(String options, String message) {
        assertThat(tryFiles(options.split(" "))).isEqualTo(Exit.USAGE);
        assertThat(err()).contains(message).contains("Try: summarizer flink try --help");
    }

    @Test
    void anOptionThatDoesNotExistIsNamed() {
        assertThat(tryFiles("--unknown")).isEqualTo(Exit.USAGE);
        assertThat(err()).contains("Unknown option: '--unknown'");
    }

    @Test
    void aBrokerThatIsNotThereIsAFailureThatNamesIt() throws IOException {
        Path properties = folder.resolve("kafka.properties");
        Files.writeString(properties, "default.api.timeout.ms=500\nrequest.timeout.ms=400\n");
        assertThat(tryKafka("127.0.0.1:9", properties)).isEqualTo(Exit.FAILED);
        assertThat(err()).contains("127.0.0.1:9").doesNotContain("fault of this program");
    }

    private int tryKafka(String brokers, Path properties) {
        return run(
                "try",
                definitions.toString(),
                "--brokers",
                brokers,
                "--topics",
                "t",
                "--properties-file",
                properties.toString(),
                "--exports",
                exports);
    }

    @ParameterizedTest
    @ValueSource(strings = {"foo", "foo:", ":9092", "foo:0", "foo:65536", "a:1,,b:2", "PLAINTEXT://a:1", "a b:1"})
    void brokersAreHostsAndPorts(String brokers) throws IOException {
        Path properties = Files.writeString(folder.resolve("kafka.properties"), "");
        assertThat(tryKafka(brokers, properties)).isEqualTo(Exit.USAGE);
        assertThat(err()).startsWith("summarizer: --brokers: \"" + brokers + "\" is not HOST:PORT ");
    }

    @Test
    void propertiesThatKafkaDoesNotTakeAreNamed() throws IOException {
        Path properties = Files.writeString(folder.resolve("kafka.properties"), "request.timeout.ms=soon");
        assertThat(tryKafka("127.0.0.1:9", properties)).isEqualTo(Exit.USAGE);
        assertThat(err()).contains("--properties-file: Kafka's client does not take it: ", "request.timeout.ms");
        err.reset();
        Path store = folder.resolve("none.p12");
        Files.writeString(properties, "security.protocol=SSL\nssl.truststore.location=" + store);
        assertThat(tryKafka("127.0.0.1:9", properties)).isEqualTo(Exit.FAILED);
        assertThat(err()).contains("127.0.0.1:9", store.toString()).doesNotContain("fault of this program");
    }

    @Test
    void aFileOfPropertiesThatCannotBeReadIsNamed() throws IOException {
        Path properties = Files.writeString(folder.resolve("kafka.properties"), "a=\\u12");
        assertThat(tryKafka("b:1", properties)).isEqualTo(Exit.FAILED);
        assertThat(err()).contains("--properties-file: " + properties + " cannot be read: ");
        err.reset();
        Files.write(properties, new byte[] {'a', '=', (byte) 0xfc});
        assertThat(tryKafka("b:1", properties)).isEqualTo(Exit.FAILED);
        assertThat(err()).contains("--properties-file: " + properties + " cannot be read: it is not UTF-8");
    }

    @Test
    void anInputIsNeeded() {
        assertThat(run("try", definitions.toString(), "--exports", exports)).isEqualTo(Exit.USAGE);
        assertThat(err()).contains("say what to read");
        assertThat(run("try", definitions.toString(), "--brokers", "b:1", "--exports", exports))
                .isEqualTo(Exit.USAGE);
        assertThat(err()).contains("--topics: say which");
    }

    @Test
    void settingsOfTheJobAreRefusedInTheFileOfProperties() throws IOException {
        Path properties = folder.resolve("kafka.properties");
        Files.writeString(properties, "security.protocol=SSL\nvalue.deserializer=X\ninterceptor.classes=Y\n");
        assertThat(tryKafka("b:1", properties)).isEqualTo(Exit.USAGE);
        assertThat(err())
                .contains(properties + " sets interceptor.classes, value.deserializer, which the job sets itself");
    }

    @Test
    void theArgumentsOfAClusterAreThoseOfTry() throws IOException {
        Path properties = folder.resolve("kafka.properties");
        Files.writeString(properties, "security.protocol=SSL\n");
        JobOptions options = parse(
                "--brokers",
                "a:1,b:2",
                "--topics",
                "t,u",
                "--topic-from",
                "header:kind",
                "--start",
                "2026-11-20T00:00:00+01:00",
                "--properties-file",
                properties.toString(),
                "--until-end",
                "--checkpoint",
                "5m",
                "--checkpoints",
                "s3://bucket/checkpoints",
                "--from-savepoint",
                "s3://bucket/savepoint",
                "--parallelism",
                "4",
                "--max-parallelism",
                "256",
                "--timezone",
                "Europe/Berlin",
                "--max-message-size",
                "1MiB",
                "--keep",
                "5");
        assertThat(options)
                .isEqualTo(new JobOptions(
                        new Input.Kafka(
                                "a:1,b:2",
                                List.of("t", "u"),
                                TopicFrom.parse("header:kind"),
                                StartAt.parse("2026-11-19T23:00:00Z"),
                                "summarizer",
                                Map.of("security.protocol", "SSL")),
                        true,
                        folder.resolve("exports").toUri().toString(),
                        5,
                        Duration.ofMinutes(5),
                        "s3://bucket/checkpoints",
                        "s3://bucket/savepoint",
                        4,
                        256,
                        ZoneId.of("Europe/Berlin"),
                        1 << 20));
    }

    @Test
    void filesAreSortedAndHaveAbsolutePaths() {
        JobOptions options = parse("--files", "b", "a", "--framing", "octet");
        assertThat(options.input())
                .isEqualTo(new Input.Files(
                        List.of(
                                Path.of("a").toAbsolutePath().toUri().toString(),
                                Path.of("b").toAbsolutePath().toUri().toString()),
                        Framing.OCTET));
        assertThat(options.timezone()).isEqualTo(ZoneOffset.UTC);
    }

    @Test
    void aClusterIsToldAllErrorsInOneMessage() throws IOException {
        Files.writeString(definitions.resolve("t.summ"), DEFINITIONS.replace("hits += 1", "hitz += 1"));
        assertThatThrownBy(() -> parse("--files", "a"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("t.summ:4:")
                .hasMessageContaining("has 1 error");
        assertThatThrownBy(() -> parse("--nonsense"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--nonsense");
    }

    private JobOptions parse(String... more) {
        List<String> all = new ArrayList<>(List.of(definitions.toString(), "--exports", exports));
        all.addAll(List.of(more));
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        ClusterCommand.Job job = ClusterCommand.parse(all.toArray(String[]::new), stream, stream);
        ClusterCommand.Job found = Objects.requireNonNull(job);
        assertThat(found.definitions()).containsOnlyKeys("t.summ", "t.proto");
        return found.options();
    }
}
