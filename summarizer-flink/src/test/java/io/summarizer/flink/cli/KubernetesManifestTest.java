package io.summarizer.flink.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.summarizer.flink.SummarizerJob;
import io.summarizer.flink.options.Input;
import io.summarizer.flink.options.JobOptions;
import io.summarizer.server.cli.ProjectHome;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.apache.flink.kubernetes.operator.api.FlinkDeployment;
import org.apache.flink.kubernetes.operator.api.spec.FlinkVersion;
import org.apache.flink.kubernetes.operator.api.spec.JobSpec;
import org.apache.flink.kubernetes.operator.api.spec.UpgradeMode;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The manifest for the Flink Kubernetes operator, read by the operator's own classes. */
class KubernetesManifestTest {
    private static final ObjectMapper JSON = new ObjectMapper(); // refuses fields that the classes do not have

    @Test
    void theOperatorsClassesKnowEachFieldAndTheJobKnowsEachArgument(@TempDir Path folder) throws Exception {
        Path manifest = ProjectHome.path().resolve("config/flink/summarizer.yaml");
        Object read = new Load(LoadSettings.builder().build()).loadFromString(Files.readString(manifest));
        ObjectNode tree = JSON.valueToTree(Objects.requireNonNull(read));
        ObjectNode spec = (ObjectNode) tree.get("spec");
        // The classes at hand are older than this version of Flink: its name has the form of theirs.
        assertThat(spec.get("flinkVersion").asText())
                .isEqualTo("v"
                        + EnvironmentInformation.getVersion()
                                .replaceFirst("\\.\\d+$", "")
                                .replace('.', '_'));
        spec.put("flinkVersion", FlinkVersion.v1_20.name());

        FlinkDeployment deployment = JSON.treeToValue(tree, FlinkDeployment.class);
        assertThat(deployment.getKind()).isEqualTo("FlinkDeployment");
        assertThat(tree.get("apiVersion").asText()).isEqualTo(deployment.getApiVersion());
        JobSpec job = deployment.getSpec().getJob();
        assertThat(job.getUpgradeMode()).isEqualTo(UpgradeMode.SAVEPOINT);
        assertThat(job.getEntryClass()).isEqualTo(SummarizerJob.class.getName());

        Path properties = Files.writeString(folder.resolve("kafka.properties"), "security.protocol=SSL\n");
        Path definitions = Files.createDirectory(folder.resolve("definitions"));
        Files.writeString(
                definitions.resolve("t.summ"), "summary Hits { key { string a = 1; } value { count b = 1; } }");
        String[] arguments = Arrays.stream(job.getArgs())
                .map(argument -> argument.replace("/opt/summarizer/definitions", definitions.toString())
                        .replace("/opt/summarizer/kafka/kafka.properties", properties.toString()))
                .toArray(String[]::new);
        PrintStream none = new PrintStream(PrintStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        JobOptions options = Objects.requireNonNull(ClusterCommand.parse(arguments, none, none))
                .options();
        assertThat(options.exports()).isEqualTo("s3://summarizer/exports");
        assertThat(((Input.Kafka) options.input()).properties()).isEqualTo(Map.of("security.protocol", "SSL"));
        assertThat(deployment.getSpec().getFlinkConfiguration()).containsKey("execution.checkpointing.dir");
    }
}
