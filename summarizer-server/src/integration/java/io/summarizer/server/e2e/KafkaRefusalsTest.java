package io.summarizer.server.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.ledger.Account;
import io.summarizer.server.Await;
import io.summarizer.server.demo.FreePort;
import io.summarizer.server.demo.KafkaBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker that refuses some topics or partitions; the others are read. */
class KafkaRefusalsTest {
    private static final String PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule required ";

    @TempDir
    Path folder;

    private String address = "";
    private Path definitions = Path.of("");

    /** A broker that knows a user, who has no rights until {@link #allow}; those without a name have all rights. */
    private KafkaBroker brokerWithRights() throws IOException, InterruptedException {
        address = "127.0.0.1:" + FreePort.next();
        return KafkaBroker.start(
                folder.resolve("broker"),
                Map.of(
                        "listeners",
                        "PLAINTEXT://127.0.0.1:$PORT,SASL_PLAINTEXT://" + address + ",CONTROLLER://$CONTROLLER",
                        "sasl.enabled.mechanisms",
                        "PLAIN",
                        "listener.name.sasl_plaintext.plain.sasl.jaas.config",
                        PLAIN + "user_summarizer=\"secret\";",
                        "authorizer.class.name",
                        "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                        "super.users",
                        "User:ANONYMOUS"));
    }

    private static AclBinding acl(String topic, AclOperation operation) {
        return new AclBinding(
                new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
                new AccessControlEntry("User:summarizer", "*", operation, AclPermissionType.ALLOW));
    }

    private static void allow(KafkaBroker broker, String topic, AclOperation operation) throws Exception {
        try (Admin admin = broker.admin()) {
            admin.createAcls(List.of(acl(topic, operation))).all().get();
        }
    }

    private static void revoke(KafkaBroker broker, String topic, AclOperation operation) throws Exception {
        try (Admin admin = broker.admin()) {
            admin.deleteAcls(List.of(acl(topic, operation).toFilter())).all().get();
        }
    }

    private static void send(KafkaBroker broker, String topic, int n) throws InterruptedException {
        broker.send(
                Map.of(),
                List.of(new ProducerRecord<>(topic, Integer.toString(n).getBytes(UTF_8))));
    }

    private void define() throws IOException {
        definitions = Hits.define(folder);
    }

    private RunningService start(String brokers, String... settings) throws Exception {
        List<String> all = new ArrayList<>(List.of("listen.kafka.brokers=" + brokers, "listen.kafka.topic-from=topic"));
        all.addAll(List.of(settings));
        return RunningService.start(definitions, folder.resolve("data"), all.toArray(String[]::new));
    }

    private RunningService startAsUser(String topics) throws Exception {
        Path file = Files.writeString(folder.resolve("user.properties"), """
                security.protocol=SASL_PLAINTEXT
                sasl.mechanism=PLAIN
                sasl.jaas.config=%susername="summarizer" password="secret";
                """.formatted(PLAIN));
        return start(
                address,
                "listen.kafka.topics=" + topics,
                "listen.kafka.properties-file=" + file,
                "listen.kafka.group=off");
    }

    private static String rows(RunningService service) {
        try {
            List<String> rows =
                    service.pull("Seen", null).csv().lines().skip(1).sorted().toList();
            Account kafka = service.ledger().listeners().stream()
                    .filter(account -> account.name().equals("kafka"))
                    .findFirst()
                    .orElseThrow();
            return rows + " received=" + kafka.received();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static void awaitRows(RunningService service, String rows) {
        Await.until(() -> rows(service), () -> rows(service).equals(rows));
    }

    @Test
    void aTopicThatMustNotBeDescribedHoldsUpNoOther() throws Exception {
        define();
        try (KafkaBroker broker = brokerWithRights()) {
            broker.createTopic("hit.a", 1, Map.of());
            broker.createTopic("hit.b", 1, Map.of());
            allow(broker, "hit.a", AclOperation.READ);
            send(broker, "hit.a", 1);
            send(broker, "hit.b", 2);
            try (RunningService service = startAsUser("hit.a,hit.b")) {
                awaitRows(service, "[1,1] received=1");
                assertThat(service.metric("summarizer_kafka_up")).isEqualTo(1);
                allow(broker, "hit.b", AclOperation.READ);
                awaitRows(service, "[1,1, 2,1] received=2");
            }
            revoke(broker, "hit.b", AclOperation.READ);
            send(broker, "hit.a", 3);
            send(broker, "hit.b", 4);
            try (RunningService service = startAsUser("hit.a")) { // b was read before, and may exist
                awaitRows(service, "[1,1, 2,1, 3,1] received=3");
            }
            allow(broker, "hit.b", AclOperation.READ);
            try (RunningService service = startAsUser("hit.a,hit.b")) { // b goes on where it was
                awaitRows(service, "[1,1, 2,1, 3,1, 4,1] received=4");
            }
        }
    }

    @Test
    void aTopicThatMustNotBeReadHoldsUpNoOther() throws Exception {
        define();
        try (KafkaBroker broker = brokerWithRights()) {
            broker.createTopic("hit.a", 1, Map.of());
            broker.createTopic("hit.b", 1, Map.of());
            allow(broker, "hit.a", AclOperation.READ);
            allow(broker, "hit.b", AclOperation.DESCRIBE);
            send(broker, "hit.a", 1);
            send(broker, "hit.b", 2);
            try (RunningService service = startAsUser("hit.a,hit.b")) {
                awaitRows(service, "[1,1] received=1");
                Await.until(() -> "no denial", () -> metric(service, "summarizer_kafka_failures_total") > 0);
                send(broker, "hit.a", 3);
                awaitRows(service, "[1,1, 3,1] received=2");
                assertThat(service.metric("summarizer_kafka_up")).isEqualTo(1);
                allow(broker, "hit.b", AclOperation.READ);
                awaitRows(service, "[1,1, 2,1, 3,1] received=3");
                double failures = metric(service, "summarizer_kafka_failures_total");
                revoke(broker, "hit.b", AclOperation.READ);
                revoke(broker, "hit.b", AclOperation.DESCRIBE);
                Await.until(() -> "no denial", () -> metric(service, "summarizer_kafka_failures_total") > failures);
                send(broker, "hit.b", 4);
                send(broker, "hit.a", 5);
                awaitRows(service, "[1,1, 2,1, 3,1, 5,1] received=4");
                assertThat(service.metric("summarizer_kafka_up")).isEqualTo(1);
            }
        }
    }

    private static double metric(RunningService service, String series) {
        try {
            return service.metric(series);
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * A folder of the broker fails, and with it the only replica of some partitions. When it is back, these begin where
     * the others did, also after a start in between.
     */
    @Test
    void aPartitionWithoutALeaderHoldsUpNoOther() throws Exception {
        define();
        Path data = folder.resolve("broker-data");
        Path failed = data.resolve("1");
        Path away = folder.resolve("away");
        String[] settings = {"listen.kafka.topics=hit.a,hit.b", "listen.kafka.start=2026-11-18T12:06:40+01:00"};
        long time = 1_795_000_000_000L; // 2026-11-18T11:06:40Z
        try (KafkaBroker broker = KafkaBroker.start(
                folder.resolve("broker"),
                Map.of(
                        "log.dirs",
                        data.resolve("0") + "," + failed,
                        "metadata.log.dir",
                        data.resolve("0").toString()))) {
            List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
            for (String topic : List.of("hit.a", "hit.b")) {
                broker.createTopic(topic, 2, Map.of("retention.ms", "-1"));
                for (int partition = 0; partition < 2; partition++) {
                    records.add(new ProducerRecord<>(topic, partition, time - 1, null, "1".getBytes(UTF_8)));
                    records.add(new ProducerRecord<>(topic, partition, time, null, "2".getBytes(UTF_8)));
                }
            }
            broker.send(Map.of(), records);
            assertThat(partitions(failed)).hasSize(2);
            broker.stop();
            Files.move(failed, away);
            Files.createFile(failed);
            broker.restart();
            awaitLeaders(broker, 2);
            try (RunningService service = start(broker.brokers(), settings)) {
                awaitRows(service, "[2,2] received=2");
                assertThat(service.metric("summarizer_kafka_up")).isEqualTo(1);
            }
            try (RunningService service = start(broker.brokers(), settings)) {
                broker.stop();
                Files.delete(failed);
                Files.move(away, failed);
                broker.restart();
                awaitRows(service, "[2,4] received=4");
            }
        }
    }

    private static List<String> partitions(Path logs) throws IOException {
        try (var all = Files.list(logs)) {
            return all.map(path -> String.valueOf(path.getFileName()))
                    .filter(name -> name.startsWith("hit."))
                    .sorted()
                    .toList();
        }
    }

    private static void awaitLeaders(KafkaBroker broker, int leaders) {
        try (Admin admin = broker.admin()) {
            Await.until(() -> "leaders", () -> {
                try {
                    return admin.describeTopics(List.of("hit.a", "hit.b")).allTopicNames().get().values().stream()
                                    .flatMap(topic -> topic.partitions().stream())
                                    .filter(partition -> partition.leader() != null
                                            && !partition.leader().isEmpty())
                                    .count()
                            == leaders;
                } catch (InterruptedException | ExecutionException e) {
                    throw new AssertionError(e);
                }
            });
        }
    }
}
