package io.summarizer.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;

class AddressCountsTest {
    private final AddressCounts counts = new AddressCounts();

    @Test
    void eachAddressMayHaveSoMany() throws Exception {
        InetAddress one = InetAddress.getByName("192.0.2.1");
        InetAddress other = InetAddress.getByName("2001:db8::1");
        assertThat(counts.add(one, 2)).isTrue();
        assertThat(counts.add(one, 2)).isTrue();
        assertThat(counts.add(one, 2)).isFalse();
        assertThat(counts.add(other, 2)).isTrue();
        counts.remove(one);
        assertThat(counts.add(one, 2)).isTrue();
        assertThat(counts.add(one, 2)).isFalse();
    }

    @Test
    void addressesWithoutConnectionsAreForgotten() throws Exception {
        InetAddress one = InetAddress.getByName("192.0.2.1");
        counts.add(one, 5);
        counts.add(one, 5);
        counts.remove(one);
        assertThat(counts.addresses()).isEqualTo(1);
        counts.remove(one);
        assertThat(counts.addresses()).isZero();
        counts.remove(one);
        assertThat(counts.addresses()).isZero();
    }

    @Test
    void whereThereIsNoAddressThereIsNoLimit() {
        assertThat(counts.add(null, 1)).isTrue();
        assertThat(counts.add(null, 1)).isTrue();
        counts.remove(null);
    }
}
