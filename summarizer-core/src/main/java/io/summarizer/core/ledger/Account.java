package io.summarizer.core.ledger;

import java.util.Arrays;

/**
 * The fates of the messages of one listener, event type or mapping. An account balances when every received message has
 * a fate or is in flight: {@code received = applied + filtered + unmatched + duplicate + lost + rejected + in flight}.
 * Immutable.
 */
public final class Account {
    private final String name;
    private final long received;
    private final long[] fates;

    /**
     * An account.
     *
     * @param received messages that were received
     * @param fates for each ordinal of a {@link Fate}, the number of messages
     */
    public Account(String name, long received, long[] fates) {
        if (fates.length != Fate.all().size()) {
            throw new IllegalArgumentException("fates=" + fates.length);
        }
        this.name = name;
        this.received = received;
        this.fates = fates.clone();
    }

    /** Name of the listener, event type or mapping. */
    public String name() {
        return name;
    }

    /** Messages that were received, whatever their fate. */
    public long received() {
        return received;
    }

    /** Messages with this fate. */
    public long count(Fate fate) {
        return fates[fate.ordinal()];
    }

    /** Messages that were rejected, for any reason. */
    public long rejected() {
        return Fate.all().stream()
                .filter(Fate::isRejection)
                .mapToLong(this::count)
                .sum();
    }

    /** Messages that have a fate. */
    public long decided() {
        return Arrays.stream(fates).sum();
    }

    /** Messages that were received and have no fate yet. */
    public long inFlight() {
        return received - decided();
    }

    /**
     * This account without the messages in flight. A later process continues the returned account. The later process
     * receives the messages in flight again if their sender still has them.
     */
    public Account settled() {
        return new Account(name, decided(), fates);
    }

    /** The sum of both accounts. */
    public Account plus(Account other) {
        long[] sums = fates.clone();
        for (int i = 0; i < sums.length; i++) {
            sums[i] += other.fates[i];
        }
        return new Account(name, received + other.received, sums);
    }

    /** The difference between this account and an earlier state of it. */
    public Account minus(Account earlier) {
        long[] rest = fates.clone();
        for (int i = 0; i < rest.length; i++) {
            rest[i] -= earlier.fates[i];
        }
        return new Account(name, received - earlier.received, rest);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Account that
                && name.equals(that.name)
                && received == that.received
                && Arrays.equals(fates, that.fates);
    }

    @Override
    public int hashCode() {
        return name.hashCode() * 31 + Arrays.hashCode(fates);
    }

    /** A text such as {@code name: received=5 applied=3 filtered=1 in-flight=1}, without zeros. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(name).append(": received=").append(received);
        for (Fate fate : Fate.all()) {
            if (count(fate) != 0) {
                text.append(' ').append(fate.label()).append('=').append(count(fate));
            }
        }
        return inFlight() == 0
                ? text.toString()
                : text.append(" in-flight=").append(inFlight()).toString();
    }
}
