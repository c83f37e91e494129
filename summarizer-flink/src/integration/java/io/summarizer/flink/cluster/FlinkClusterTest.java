package io.summarizer.flink.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.server.Await;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("long")
class FlinkClusterTest {
    @TempDir
    Path folder;

    @Test
    void aJobOutlivesItsTaskManagersAndItsJobManagerAndIsRescaledByASavepoint() throws Exception {
        Path recovered = Files.createDirectory(folder.resolve("recovered"));
        List<String> arguments = List.of(
                recovered.toString(), folder.resolve("checkpoints").toUri().toString());
        Path jar = jar();
        try (FlinkCluster cluster = FlinkCluster.start(folder.resolve("cluster"), 2, 1, Map.of())) {
            String job = cluster.run(jar, List.of("-p", "2"), arguments);
            cluster.awaitStatus(job, "RUNNING");
            cluster.awaitCheckpoints(job, 2);

            cluster.killTaskManager(1);
            cluster.restartTaskManager(1);
            // The subtasks have no records for each other, so that one goes on while the other recovers.
            awaitRecoveries(recovered, 1, cluster);
            cluster.awaitCheckpoints(job, 2);

            cluster.killJobManager();
            cluster.restartJobManager();
            awaitRecoveries(recovered, 3, cluster);
            cluster.awaitStatus(job, "RUNNING");
            cluster.awaitCheckpoints(job, 2);

            String savepoint = cluster.stop(job);
            cluster.awaitStatus(job, "FINISHED");
            String rescaled = cluster.run(jar, List.of("-p", "1", "-s", savepoint), arguments);
            cluster.awaitStatus(rescaled, "RUNNING");
            awaitRecoveries(recovered, 4, cluster);
            cluster.awaitCheckpoints(rescaled, 2);
            assertThat(cluster.savepoint(rescaled)).contains("savepoint");
            cluster.cancel(rescaled);
        }
        for (Path file : recoveries(recovered)) {
            assertThat(Long.parseLong(Files.readString(file))).isPositive();
        }
    }

    private static void awaitRecoveries(Path recovered, int count, FlinkCluster cluster) {
        Await.until(
                () -> recoveries(recovered).size() + " subtasks of " + count + " recovered; "
                        + cluster.output("jobmanager"),
                () -> recoveries(recovered).size() >= count);
    }

    private static List<Path> recoveries(Path recovered) {
        try (Stream<Path> files = Files.list(recovered)) {
            return files.toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The jar of {@link CountingJob}. */
    private Path jar() throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, CountingJob.class.getName());
        Path jar = folder.resolve("counting.jar");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream packed = new JarOutputStream(out, manifest)) {
            for (String suffix : List.of("", "$Counter")) {
                String name = CountingJob.class.getName().replace('.', '/') + suffix + ".class";
                packed.putNextEntry(new JarEntry(name));
                try (InputStream in = Objects.requireNonNull(
                        CountingJob.class.getClassLoader().getResourceAsStream(name), name)) {
                    in.transferTo(packed);
                }
                packed.closeEntry();
            }
        }
        return jar;
    }
}
