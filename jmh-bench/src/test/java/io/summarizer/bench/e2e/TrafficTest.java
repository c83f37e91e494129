package io.summarizer.bench.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.pipeline.Plan;
import io.summarizer.dsl.PlanCompiler;
import io.summarizer.dsl.check.CheckResult;
import io.summarizer.dsl.check.DefinitionsCompiler;
import io.summarizer.server.cli.ProjectHome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TrafficTest {
    @ParameterizedTest
    @EnumSource
    void itsDefinitionsCheckWithoutWarnings(Traffic traffic) {
        CheckResult result = DefinitionsCompiler.check(traffic.definitions(ProjectHome.path()));
        assertThat(result.render()).isEmpty();
        assertThat(result.definitions()).isPresent();
        assertThat(Traffic.of(traffic.toString())).isEqualTo(traffic);
    }

    @Test
    void anEventOfTheFanOutUpdatesTwelveSummaries() {
        CheckResult result = DefinitionsCompiler.check(Traffic.FAN_OUT.definitions(ProjectHome.path()));
        Plan plan = PlanCompiler.compile(result.definitions().orElseThrow());
        assertThat(plan.summaries()).hasSize(12);
        assertThat(plan.events()).hasSize(1);
        assertThat(plan.events().get(0).mappings().stream().map(Plan.Mapping::summary))
                .doesNotHaveDuplicates()
                .hasSize(12);
    }
}
