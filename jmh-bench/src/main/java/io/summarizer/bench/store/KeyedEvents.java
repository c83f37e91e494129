package io.summarizer.bench.store;

import io.summarizer.bench.state.Zipf;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/**
 * Decoded events. An event has an amount and a key. The key is given both as a number and as the bytes of a
 * hierarchical name. Keys are as skewed as those of the reference workload. Immutable.
 */
final class KeyedEvents {
    static final int COUNT = 1 << 16;

    private static final double SKEW = 1.1;
    private static final String[] SERVICES = {"checkout", "catalog", "search", "login", "mailer", "billing"};

    private final int[] ids = new int[COUNT];
    private final int[] nameOffsets = new int[COUNT];
    private final int[] nameLengths = new int[COUNT];
    private final long[] amounts = new long[COUNT];
    private final byte[] names;

    /** Makes events with {@code keys} distinct keys. */
    KeyedEvents(int keys, long seed) {
        Random random = new Random(seed);
        int[] offsets = new int[keys];
        int[] lengths = new int[keys];
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int key = 0; key < keys; key++) {
            byte[] name = name(key).getBytes(StandardCharsets.UTF_8);
            offsets[key] = bytes.size();
            lengths[key] = name.length;
            bytes.writeBytes(name);
        }
        names = bytes.toByteArray();
        Zipf zipf = new Zipf(keys, SKEW);
        for (int event = 0; event < COUNT; event++) {
            int key = zipf.sample(random);
            ids[event] = key;
            nameOffsets[event] = offsets[key];
            nameLengths[event] = lengths[key];
            amounts[event] = random.nextInt(10_000);
        }
    }

    /** Returns the name of a key. It looks like a metric of a service on a host, and has 30 to 40 letters. */
    static String name(int key) {
        return SERVICES[key % SERVICES.length] + ".requests.latency.host-" + (100_000 + key) + ".eu";
    }

    int id(int event) {
        return ids[event];
    }

    byte[] names() {
        return names;
    }

    int nameOffset(int event) {
        return nameOffsets[event];
    }

    int nameLength(int event) {
        return nameLengths[event];
    }

    long amount(int event) {
        return amounts[event];
    }
}
