package io.summarizer.server.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.server.Await;
import io.summarizer.server.demo.FreePort;
import io.summarizer.server.demo.KafkaBroker;
import io.summarizer.server.tls.TestPki;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker that asks for TLS and SASL; the properties file has the secrets, and no log has them. */
class KafkaSaslTest {
    private static final String PASSWORD = "pass-4711-word";

    @TempDir
    Path folder;

    private Path definitions = Path.of("");
    private String address = "";

    private KafkaBroker broker(TestPki pki) throws IOException, InterruptedException {
        TestPki.Pair pair = pki.server().write(folder, "broker");
        Path store = Files.writeString(
                folder.resolve("broker-store.pem"),
                Files.readString(pair.key()) + Files.readString(pair.certificate()));
        address = "127.0.0.1:" + FreePort.next();
        return KafkaBroker.start(
                folder.resolve("broker"),
                Map.of(
                        "listeners",
                        "PLAINTEXT://127.0.0.1:$PORT,SASL_SSL://" + address + ",CONTROLLER://$CONTROLLER",
                        "sasl.enabled.mechanisms",
                        "PLAIN",
                        "listener.name.sasl_ssl.plain.sasl.jaas.config",
                        "org.apache.kafka.common.security.plain.PlainLoginModule required user_summarizer=\"" + PASSWORD
                                + "\";",
                        "ssl.keystore.type",
                        "PEM",
                        "ssl.keystore.location",
                        store.toString()));
    }

    private ServeProcess start(String name, TestPki pki, String password) throws IOException {
        Path file = Files.writeString(folder.resolve(name + ".properties"), """
                security.protocol=SASL_SSL
                ssl.truststore.type=PEM
                ssl.truststore.location=%s
                sasl.mechanism=PLAIN
                sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="summarizer" password="%s";
                """.formatted(pki.write(folder), password));
        return ServeProcess.start(
                folder.resolve(name),
                List.of(
                        "definitions=" + definitions,
                        "data=" + folder.resolve("data"),
                        "listen.kafka.brokers=" + address,
                        "listen.kafka.topics=hit",
                        "listen.kafka.topic-from=topic",
                        "listen.kafka.properties-file=" + file),
                "--verbose");
    }

    private static String get(ServeProcess serve, String path) {
        try {
            return serve.get(path);
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void readsOverTlsWithAPasswordThatIsNeverLogged() throws Exception {
        definitions = Hits.define(folder);
        TestPki pki = new TestPki("kafka");
        try (KafkaBroker broker = broker(pki)) {
            broker.createTopic("hit", 1, Map.of());
            broker.send(Map.of(), List.of(new ProducerRecord<>("hit", "7".getBytes(UTF_8))));
            String wrong = "wrong-0815-word";
            try (ServeProcess serve = start("wrong", pki, wrong)) {
                Await.until(serve::log, () -> serve.log().contains("SaslAuthenticationException"));
                assertThat(get(serve, "/metrics")).contains("summarizer_kafka_up 0.0");
                assertThat(get(serve, "/readyz")).startsWith("ready");
                assertThat(serve.log()).doesNotContain(wrong);
            }
            try (ServeProcess serve = start("right", pki, PASSWORD)) {
                Await.until(serve::log, () -> get(serve, "/summaries/Seen.csv").contains("7,1"));
                assertThat(serve.log()).doesNotContain(PASSWORD).doesNotContain("WARNING Kafka");
                serve.stop();
            }
        }
    }
}
