package io.summarizer.server.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AllowedNamesTest {
    @ParameterizedTest
    @CsvSource({
        "web1.example.com, web1.example.com, true",
        "web1.example.com, WEB1.Example.COM, true",
        "web1.example.com, web2.example.com, false",
        "web1.example.com, web1.example.com.evil.org, false",
        "web1.example.com, evil.web1.example.com, false",
        "*.example.com, web1.example.com, true",
        "*.example.com, example.com, false",
        "*.example.com, .example.com, false",
        "*.example.com, a.web1.example.com, false",
        "*.example.com, web1.example.org, false",
        "*.example.com, xexample.com, false",
        "*.example.com, *.example.com, true",
        "web1.example.com, *.example.com, false",
    })
    void aNameIsItselfAndAWildcardIsOneLabel(String pattern, String name, boolean allowed) {
        assertThat(new AllowedNames(List.of("other", pattern)).allowName(name)).isEqualTo(allowed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "*", "*.", "a.*.b", "w*.example.com", "a..b", ".a", "a b", "*.*.a", "a,b"})
    void whatIsNoPatternIsNone(String text) {
        assertThat(AllowedNames.isPattern(text)).isFalse();
    }

    @Test
    void theCommonNameCountsOnlyWhereThereIsNoDnsName() {
        TestPki pki = new TestPki("ca");
        assertThat(AllowedNames.namesOf(pki.client("web1").certificate())).containsExactly("web1");
        assertThat(AllowedNames.namesOf(pki.client("web1", "db1", "db2").certificate()))
                .containsExactly("db1", "db2");
        assertThat(new AllowedNames(List.of("web1"))
                        .allow(pki.client("web1", "db1").certificate()))
                .isFalse();
    }

    @Test
    void aNameCannotBeSmuggledIntoAnother() {
        TestPki pki = new TestPki("ca");
        assertThat(AllowedNames.namesOf(pki.client("x,CN=web1").certificate())).containsExactly("x,CN=web1");
        assertThat(AllowedNames.namesOf(pki.client("web1\0.evil.org").certificate()))
                .doesNotContain("web1");
    }
}
