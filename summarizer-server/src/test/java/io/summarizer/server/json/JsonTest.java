package io.summarizer.server.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JsonTest {
    record Sample(long keptSeconds, @Nullable String oneName, List<Sample> below) {
        public boolean isLarge() {
            return keptSeconds > 10;
        }
    }

    @Test
    void componentsBecomeMembersWithUnderscoresAndNothingElseDoes() throws Exception {
        Sample sample = new Sample(60, null, List.of());
        String json = new String(Json.bytes(sample), UTF_8);
        assertThat(json).isEqualTo("{\"kept_seconds\":60,\"one_name\":null,\"below\":[]}");
        assertThat(Json.MAPPER.readValue(json, Sample.class)).isEqualTo(sample);
    }

    @Test
    void membersOfANewerVersionArePassedOver() throws Exception {
        assertThat(Json.MAPPER.readValue("{\"kept_seconds\":1,\"more\":{\"x\":[]},\"below\":[]}", Sample.class))
                .isEqualTo(new Sample(1, null, List.of()));
    }

    @Test
    void indentedJsonHasALineForEachMember() {
        assertThat(Json.indented(new Sample(1, "a", List.of()))).isEqualTo("""
                {
                  "kept_seconds" : 1,
                  "one_name" : "a",
                  "below" : [ ]
                }""");
    }
}
