package io.summarizer.core.route;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TopicRouterTest {
    private final TopicRouter router = new TopicRouter.Table(List.of(
                    new TopicRouter.Candidate(List.of(TopicPattern.of("ad.impression.#")), List.of(List.of())),
                    new TopicRouter.Candidate(
                            List.of(TopicPattern.of("ad.click.#")),
                            List.of(List.of(), List.of(TopicPattern.of("ad.click.us.#"))))))
            .newRouter();

    @Test
    void shouldFindTheEventTypeAndTheMappingsThatTakeATopic() {
        assertThat(route("ad.impression").event()).isZero();
        assertThat(route("ad.click.us.ny").event()).isEqualTo(1);
        assertThat(route("ad.click.us.ny").active()).containsExactly(true, true);
        assertThat(route("ad.click.de").active()).containsExactly(true, false);
        assertThat(route("ad.conversion")).isSameAs(Route.UNMATCHED);
        assertThat(router.route(new byte[0], 0, -1)).isSameAs(Route.UNMATCHED);
    }

    @Test
    void shouldAnswerTheSameFromItsCache() {
        assertThat(route("ad.click.us")).isSameAs(route("ad.click.us"));
    }

    @Test
    void shouldStayRightWhenMoreTopicsComeThanItCaches() {
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 10_000; i++) {
                assertThat(route("ad.click.us.t" + i).active()).containsExactly(true, true);
                assertThat(route("other." + i).event()).isEqualTo(-1);
            }
        }
    }

    @Test
    void shouldMatchTopicsThatAreTooLongToCache() {
        assertThat(route("ad.click." + "x".repeat(1_000)).event()).isEqualTo(1);
    }

    @Test
    void shouldTakeAMessageWithoutATopicByPatternsOfZeroWords() {
        for (String pattern : List.of("#", "#.#", "#.#.#")) {
            TopicRouter.Table table = new TopicRouter.Table(List.of(new TopicRouter.Candidate(
                    List.of(TopicPattern.of(pattern)),
                    List.of(List.of(), List.of(TopicPattern.of("a.#")), List.of(TopicPattern.of("#"))))));
            Route route = table.newRouter().route(new byte[0], 0, -1);
            assertThat(route.event()).isZero();
            assertThat(route.active()).containsExactly(true, false, true);
            assertThat(table.noTopic()).isSameAs(route);
        }
        for (String pattern : List.of("*", "*.#", "#.*", "#.a", "a.#", "")) {
            TopicRouter.Table table = new TopicRouter.Table(
                    List.of(new TopicRouter.Candidate(List.of(TopicPattern.of(pattern)), List.of())));
            assertThat(table.newRouter().route(new byte[0], 0, -1).event()).isEqualTo(-1);
        }
    }

    private Route route(String topic) {
        byte[] bytes = ("??" + topic + "??").getBytes(UTF_8);
        return router.route(bytes, 2, bytes.length - 4);
    }
}
