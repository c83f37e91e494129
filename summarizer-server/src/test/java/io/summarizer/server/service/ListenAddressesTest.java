package io.summarizer.server.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.server.config.ConfigLoader;
import io.summarizer.server.config.ServerConfig;
import io.summarizer.server.demo.FreePort;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ListenAddressesTest {
    private static ServerConfig config(String... settings) throws Exception {
        return ConfigLoader.load(Path.of("/opt/summarizer"), null, Map.of(), List.of(settings));
    }

    @Test
    void allAddressesThatCannotBeListenedOnAreToldAtOnce() throws Exception {
        try (ServerSocket tcp = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                DatagramSocket udp = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            ServerConfig config = config(
                    "listen.syslog-tcp.bind=127.0.0.1:" + tcp.getLocalPort(),
                    "listen.relp.bind=no.such.host.invalid:1",
                    "listen.syslog-udp.bind=127.0.0.1:" + udp.getLocalPort(),
                    "http.bind=127.0.0.1:0");
            assertThatThrownBy(() -> ListenAddresses.check(config))
                    .hasMessageContainingAll(
                            "listen.syslog-tcp.bind: cannot listen on 127.0.0.1:" + tcp.getLocalPort() + ": ",
                            "--set listen.syslog-tcp.bind=HOST:PORT",
                            "listen.relp.bind: cannot listen on no.such.host.invalid:1: the host",
                            "listen.syslog-udp.bind: cannot listen on 127.0.0.1:" + udp.getLocalPort() + ": ")
                    .satisfies(e ->
                            assertThat(String.valueOf(e.getMessage()).lines()).hasSize(3));
        }
    }

    @Test
    void listenersDoNotShareAnAddress() throws Exception {
        int port = FreePort.next();
        ServerConfig config = config("listen.syslog-tcp.bind=127.0.0.1:" + port, "http.bind=127.0.0.1:" + port);
        assertThatThrownBy(() -> ListenAddresses.check(config))
                .hasMessage("http.bind: 127.0.0.1:" + port + " is the address of listen.syslog-tcp.bind, too");
    }

    @Test
    void addressesAreFreeAfterwards() throws Exception {
        int port = FreePort.next();
        ServerConfig config =
                config("listen.syslog-tcp.bind=off", "listen.relp.bind=off", "http.bind=127.0.0.1:" + port);
        ListenAddresses.check(config);
        ListenAddresses.check(config);
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            assertThat(socket.isBound()).isTrue();
        }
    }
}
