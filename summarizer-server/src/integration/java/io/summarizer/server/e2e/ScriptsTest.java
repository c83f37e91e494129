package io.summarizer.server.e2e;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.summarizer.server.cli.ProjectHome;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scripts and the unit of the service, checked by the tools for their languages. */
class ScriptsTest {
    private static final double EXPOSURE_MAX = 2.5;
    private static final int DEPTH_MAX = 8;
    private static final int LIMIT_SECONDS = 120;

    @TempDir
    Path folder;

    @Test
    void shellcheckHasNoRemarks() throws Exception {
        List<String> command = new ArrayList<>(List.of("shellcheck", "-x"));
        List<String> scripts = scripts();
        assertThat(scripts)
                .contains("bin/summarizer", "bin/lib.sh", "config/debian/postinst", "config/oci/healthy", ".ci/run");
        command.addAll(scripts);
        assertThat(output(command)).isEmpty();
    }

    @Test
    void theUnitIsConfined() throws Exception {
        String unit =
                ProjectHome.path().resolve("config/systemd/summarizer.service").toString();
        String output = output(List.of("systemd-analyze", "security", "--offline=yes", "--no-pager", unit));
        Matcher exposure =
                Pattern.compile("Overall exposure level .*: ([0-9.]+) ").matcher(output);
        assertThat(exposure.find()).as(output).isTrue();
        assertThat(Double.parseDouble(exposure.group(1))).as(output).isLessThanOrEqualTo(EXPOSURE_MAX);
    }

    /**
     * An archive of classes is code: one that another user owns, or may write to, is replaced, or not used where that
     * fails.
     */
    @ParameterizedTest
    @CsvSource({"17, jsa, -XX:SharedArchiveFile", "25, aot, -XX:AOTCache"})
    void anArchiveOfClassesThatAnotherUserMayWriteIsNotUsed(int version, String kind, String flag) throws Exception {
        Path cache = Files.createDirectory(folder.resolve("cache"));
        Path app = Files.createDirectory(folder.resolve("app"));
        Files.writeString(app.resolve("summarizer-server-1.jar"), "a jar");
        Path java = Files.writeString(folder.resolve("java"), "#!/bin/sh\nexit 1\n");
        for (Path file : List.of(cache, java)) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        String use = "set -euo pipefail; here=bin; . bin/lib.sh; java_bin=" + java + "; java_version=" + version
                + "; app=" + app + "; SUMMARIZER_CACHE=" + cache + "; jvm_flags=(); ";
        List<String> flags = List.of("bash", "-c", use + "use_class_archive; echo \"flags:${jvm_flags[*]-}\"");
        String none = "flags:\n";
        // Java fails, so there is none unless one is found; its name contains those of the jars and of the JVM.
        assertThat(output(flags)).isEqualTo(none);
        String name = output(List.of(
                        "bash",
                        "-c",
                        use + "make_class_archive() { echo \"${1##*/}\"; false; }; use_class_archive || true"))
                .strip();
        assertThat(name).matches("classes-\\d+\\." + kind);
        Path archive = Files.writeString(cache.resolve(name), "classes");
        Files.setPosixFilePermissions(archive, PosixFilePermissions.fromString("rw-r--r--"));
        String used = "flags:" + flag + "=" + archive + "\n";
        assertThat(output(flags)).isEqualTo(used);
        for (String writable : List.of("rw-rw-r--", "rw-r--rw-")) {
            Files.setPosixFilePermissions(archive, PosixFilePermissions.fromString(writable));
            assertThat(output(flags)).as(writable).isEqualTo(none);
        }
        Files.setPosixFilePermissions(archive, PosixFilePermissions.fromString("rw-r--r--"));
        Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(output(flags)).as("a folder for all").isEqualTo(none);
        Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThat(output(flags)).isEqualTo(used);
        if (System.getProperty("user.name").equals("root")) {
            UserPrincipal nobody =
                    folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody");
            for (Path theirs : List.of(archive, cache)) {
                UserPrincipal root = Files.getOwner(theirs);
                Files.setOwner(theirs, nobody);
                assertThat(output(flags)).as(theirs + " of another user").isEqualTo(none);
                Files.setOwner(theirs, root);
            }
            assertThat(output(flags)).isEqualTo(used);
        }
    }

    /** The JVM of a service that reads from Kafka gets other flags, wherever its brokers are configured. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "no  | brokers: off | serve --config FILE",
                "no  | brokers: off # none | serve --config FILE",
                "no  | # brokers: a:9092 | serve --config FILE",
                "no  | brokers: a:9092 | serve",
                "no  | brokers: a:9092 | serve --config nowhere",
                "yes | brokers: a:9092 | serve --config FILE",
                "yes | brokers: a:9092 | serve --set data=d --config=FILE",
                "yes | brokers: offshore:9092 | serve --config FILE",
                "yes | brokers: | serve --config FILE",
                "yes | brokers: off | serve --config FILE --set listen.kafka.brokers=a:9092",
                "yes | brokers: off | SUMMARIZER_LISTEN_KAFKA_BROKERS=a:9092 serve"
            })
    void aServiceThatReadsFromKafkaIsRecognized(String recognized, String line, String command) throws Exception {
        Path file = Files.writeString(folder.resolve("config.yaml"), "listen:\n  kafka:\n    " + line + "\n");
        String call = command.replace("serve", "reads_kafka").replace("FILE", file.toString());
        List<String> asked = List.of(
                "bash",
                "-c",
                "set -euo pipefail; here=bin; . bin/lib.sh; if " + call + "; then echo yes; else echo no; fi");
        assertThat(output(asked).strip()).isEqualTo(recognized);
    }

    /** All scripts of the project, by their paths: files whose first line says so, and those that such files source. */
    private static List<String> scripts() throws IOException {
        Path home = ProjectHome.path();
        try (Stream<Path> files = Files.find(home, DEPTH_MAX, (file, attributes) -> isScript(home, file, attributes))) {
            return files.map(file -> home.relativize(file).toString()).sorted().toList();
        }
    }

    private static boolean isScript(Path home, Path file, BasicFileAttributes attributes) {
        String path = "/" + home.relativize(file);
        if (!attributes.isRegularFile() || path.startsWith("/.git/") || path.contains("/target/")) {
            return false;
        }
        if (path.endsWith(".sh")) {
            return true;
        }
        try {
            byte[] start = new byte[64];
            int length;
            try (InputStream in = Files.newInputStream(file)) {
                length = in.readNBytes(start, 0, start.length);
            }
            String line = new String(start, 0, length, ISO_8859_1);
            return line.startsWith("#!") && line.lines().findFirst().orElse("").endsWith("sh");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String output(List<String> command) throws IOException, InterruptedException {
        assumeTrue(
                Stream.of("/usr/bin", "/bin").anyMatch(bin -> Files.isExecutable(Path.of(bin, command.get(0)))),
                "needs " + command.get(0));
        Path said = folder.resolve("said");
        Process process = new ProcessBuilder(command)
                .directory(ProjectHome.path().toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroy();
        }
        return Files.readString(said);
    }
}
