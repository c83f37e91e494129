package io.summarizer.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.HttpMethod;
import io.summarizer.server.GeneratedPage;
import io.summarizer.server.net.NettyWorkers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RouterTest {
    private final NettyWorkers workers = new NettyWorkers("test-http", 1);
    private final Router router = new HttpListener(
                    HttpSettings.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
                    workers,
                    Optional::empty)
            .router();

    @AfterEach
    void close() {
        workers.close();
    }

    @ParameterizedTest
    @CsvSource({
        "/, /, ''",
        "/summaries, /summaries, ''",
        "/summaries/A.csv, /summaries/NAME.csv, A",
        "/summaries/a.csv.csv, /summaries/NAME.csv, a.csv",
        "/summaries/A/f.csv, /summaries/NAME/FIELD.csv, A f",
        "/summaries/A/f/g.csv, /summaries/NAME/FIELD.csv, A f/g",
        "/summaries/a.csv/f.csv, /summaries/NAME/FIELD.csv, a.csv f",
        "/summaries/A/reset, /summaries/NAME/reset, A",
        "/summaries/reset/reset, /summaries/NAME/reset, reset",
        "/summaries/A/f/reset, /summaries/FIELD, A/f/reset",
        "/summaries//reset, /summaries/FIELD, /reset",
        "/summaries/A, /summaries/FIELD, A",
        "/summaries/.csv, /summaries/FIELD, .csv",
        "/definitions/files, /definitions/files, ''",
        "/definitions/other, FIELD, /definitions/other",
        "/statex, FIELD, /statex",
        "/Healthz, FIELD, /Healthz",
    })
    void eachPathHasTheFirstRouteThatTakesIt(String path, String resource, String variables) {
        Router.Match match = router.match(path, HttpMethod.GET);
        assertThat(match.resource().path()).isEqualTo(resource);
        assertThat(String.join(" ", match.variables())).isEqualTo(variables);
    }

    @Test
    void aPathOfAnyLengthAndDepthHasARoute() {
        String deep = "/summaries" + "/a".repeat(HttpListener.REQUEST_LINE_BYTES_MAX / 2);
        assertThat(router.match(deep + ".csv", HttpMethod.GET).resource().path())
                .isEqualTo("/summaries/NAME/FIELD.csv");
        assertThat(router.match(deep, HttpMethod.GET).resource().path()).isEqualTo("/summaries/FIELD");
        for (String odd : List.of("", "\n", "/summaries/a\n/b.csv", "//", "*")) {
            assertThat(router.match(odd, HttpMethod.GET).resource().role())
                    .as(odd)
                    .isNotNull();
        }
    }

    @Test
    void theMethodDecidesBetweenRoutesOfOnePath() {
        assertThat(router.match("/summaries/A/windows", HttpMethod.GET)
                        .resource()
                        .change())
                .isNull();
        assertThat(router.match("/summaries/A/windows", HttpMethod.POST)
                        .resource()
                        .change())
                .isNotNull();
        assertThat(router.match("/summaries/A/windows", HttpMethod.POST).variables())
                .containsExactly("A");
        assertThat(router.match("/summaries/A/windows", HttpMethod.PUT)
                        .resource()
                        .change())
                .isNull();
        assertThat(router.match("/summaries/A/reset", HttpMethod.GET).resource().path())
                .as("the only route, so that the answer can name its method")
                .isEqualTo("/summaries/NAME/reset");
    }

    @Test
    void theHelpHasALineForEachRouteThatIsNotAFallback() {
        assertThat(router.help().lines().filter(line -> line.startsWith("/"))).hasSize(19);
        assertThat(router.help()).contains("/definitions/plan             the changes");
    }

    @Test
    void theReferenceHasEveryResource() throws IOException {
        StringBuilder table = new StringBuilder("| request | role | parameters | answer |\n|---|---|---|---|\n");
        for (Resource resource : router.resources()) {
            if (!resource.help().isEmpty()) {
                table.append("| `")
                        .append(resource.change() == null ? "GET " : "POST ")
                        .append(resource.path());
                table.append("` | ")
                        .append(
                                resource.role() == null
                                        ? "anybody"
                                        : resource.role().word())
                        .append(" | ");
                table.append(String.join(
                        " ",
                        resource.parameters().stream()
                                .map(name -> '`' + name + '`')
                                .toList()));
                String help = resource.help().lines().findFirst().orElseThrow().replaceFirst(" \\(.*\\)$", "");
                table.append(" | ").append(help).append(" |\n");
            }
        }
        GeneratedPage.check("docs/reference/http.md", "addresses: written by RouterTest", table.toString());
    }
}
