package io.summarizer.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JacksonTextTest {
    @Test
    void shouldLeaveOutWhatIsForProgrammers() {
        assertThat(JacksonText.reason("Unexpected end-of-input: expected close marker for Object (start marker at"
                        + " [Source: REDACTED; line: 1, column: 1])"))
                .isEqualTo("not JSON: Unexpected end-of-input");
        assertThat(JacksonText.reason("Leading zeroes not allowed: enable `JsonReadFeature.X` to allow"))
                .isEqualTo("not JSON: Leading zeroes not allowed");
        assertThat(JacksonText.reason("Unrecognized token 'x'\n at [Source: REDACTED]"))
                .isEqualTo("not JSON: Unrecognized token 'x'");
        assertThat(JacksonText.reason("y".repeat(161))).isEqualTo("not JSON: " + "y".repeat(160) + "...");
        assertThat(JacksonText.reason(null)).isEqualTo("not JSON");
    }
}
