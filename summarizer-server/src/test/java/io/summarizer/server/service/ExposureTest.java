package io.summarizer.server.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.server.config.ConfigLoader;
import io.summarizer.server.config.ServerConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExposureTest {
    private static ServerConfig config(String... settings) throws Exception {
        return ConfigLoader.load(Path.of("/opt/summarizer"), null, Map.of(), List.of(settings));
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.0.0.2", "[::1]", "localhost"})
    void whatOnlyThisHostCanReachNeedsNothing(String host) throws Exception {
        Exposure.check(config(
                "listen.syslog-tcp.bind=" + host + ":1",
                "listen.relp.bind=" + host + ":1",
                "listen.syslog-udp.bind=" + host + ":1",
                "http.bind=" + host + ":1"));
    }

    @Test
    void whatOthersCanReachInTheClearIsRefusedAllAtOnceWithTheKeysThatMendIt() {
        assertThatThrownBy(() -> Exposure.check(config(
                        "listen.syslog-tcp.bind=0.0.0.0:1",
                        "listen.relp.bind=[::]:2",
                        "listen.syslog-udp.bind=192.0.2.1:3",
                        "http.bind=0.0.0.0:4")))
                .hasMessageContainingAll(
                        "listen.syslog-tcp.bind: other hosts can reach 0.0.0.0:1",
                        "listen.syslog-tcp.tls.certificate",
                        "listen.syslog-tcp.allow-plaintext: true",
                        "listen.relp.bind: other hosts can reach",
                        "listen.relp.allow-plaintext: true",
                        "listen.syslog-udp.allow-plaintext: true",
                        "http.allow-plaintext: true",
                        "http.tokens",
                        "http.allow-anonymous: true")
                .satisfies(
                        e -> assertThat(String.valueOf(e.getMessage()).lines()).hasSize(5));
    }

    @Test
    void itIsTakenWithTlsAndTokens() throws Exception {
        Exposure.check(config(
                "listen.syslog-tcp.bind=0.0.0.0:1",
                "listen.syslog-tcp.tls.certificate=c",
                "listen.syslog-tcp.tls.key=k",
                "http.bind=0.0.0.0:4",
                "http.tls.certificate=c",
                "http.tls.key=k",
                "http.tokens=t"));
    }

    @Test
    void itIsTakenWhenSomebodySaidSo() throws Exception {
        Exposure.check(config(
                "listen.syslog-tcp.bind=0.0.0.0:1",
                "listen.syslog-tcp.allow-plaintext=true",
                "listen.relp.bind=0.0.0.0:1",
                "listen.relp.allow-plaintext=true",
                "listen.syslog-udp.bind=0.0.0.0:1",
                "listen.syslog-udp.allow-plaintext=true",
                "http.bind=0.0.0.0:4",
                "http.allow-plaintext=true",
                "http.allow-anonymous=true"));
    }
}
