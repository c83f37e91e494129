package io.summarizer.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A first day with the Debian package in a clean root, run by a script: install, upgrade, downgrade, remove, purge. */
@Tag("long")
class PackageDayTest {
    private static final int LIMIT_MINUTES = 40;
    private static final List<String> TOOLS =
            List.of("debootstrap", "lintian", "shellcheck", "systemd-analyze", "curl");

    @TempDir
    Path folder;

    @Test
    void nothingIsLostOverInstallUpgradeDowngradeAndDataStayUntilThePurge() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "a clean root of Debian needs root");
        for (String tool : TOOLS) {
            assumeTrue(
                    List.of("/usr/sbin", "/usr/bin", "/sbin", "/bin").stream()
                            .anyMatch(bin -> Files.isExecutable(Path.of(bin, tool))),
                    "needs " + tool);
        }
        Path project = project();
        Path said = folder.resolve("said");
        Process day = new ProcessBuilder(
                        project.resolve("summarizer-server/src/test/scripts/package-day.sh")
                                .toString(),
                        project.toString())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            assertThat(day.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)).isTrue();
        } finally {
            day.destroy();
        }
        assertThat(day.exitValue()).as(Files.readString(said)).isZero();
        assertThat(Files.readString(said)).contains(" done: nothing lost");
    }

    private static Path project() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.exists(at.resolve("bin/package"))) {
                return at;
            }
        }
        throw new AssertionError("no bin/package above " + Path.of("").toAbsolutePath());
    }
}
