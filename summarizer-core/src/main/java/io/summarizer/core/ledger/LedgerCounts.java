package io.summarizer.core.ledger;

import io.summarizer.core.store.Cut;
import io.summarizer.core.store.CutPart;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The fates of all messages up to one point of the stream. They are counted in three ways: by the listener that took
 * the messages, by event type, and by mapping. The account of a mapping has all messages of the mapping's event type.
 * Immutable.
 *
 * <p>Messages in flight are counted for listeners only. For event types they cannot be counted, because the event type
 * of a message becomes known when its fate is decided. So all messages that event types and mappings received have a
 * fate, and in total
 * <pre>
 *   received by listeners = received by event types
 *                         + unmatched, lost, frame, oversize, envelope of listeners + in flight
 * </pre>
 *
 * @param listeners the accounts of listeners, which count each message once
 * @param events the accounts of event types, in the order of definition. Each message that has an event type is in one
 *     of them
 * @param mappings the accounts of mappings. Each has all messages of the mapping's event type. So a message is counted
 *     once for each mapping of its event type
 * @param former the account of all event types that are no longer defined
 * @param nulls the null counts of expressions that may fail, in the order of definition
 */
public record LedgerCounts(
        List<Account> listeners, List<Account> events, List<OfMapping> mappings, Account former, List<NullValues> nulls)
        implements CutPart {
    /** Name of this part in a cut. */
    public static final String PART = "ledger";

    /** Name of the account of event types that are no longer defined. */
    static final String FORMER = "former";

    /** Counts without messages. */
    public static final LedgerCounts NONE = new LedgerCounts(List.of(), List.of(), List.of(), none(FORMER));

    private static final int VERSION = 2;
    /** The first version of the format. It has no counts since a reset, and no counts of nulls. */
    private static final int ACCOUNTS_ONLY = 1;
    /** Maximum number of listeners, event types or mappings. A higher number is treated as damage. */
    private static final int ACCOUNTS_MAX = 1 << 20;

    /**
     * The account of a mapping.
     *
     * @param event name of its event type
     * @param summary name of the summary that the mapping updates
     * @param account the account of all messages
     * @param sinceReset the account of the messages after the last reset of the summary; the account of all messages if
     *     there was no reset
     */
    public record OfMapping(String event, String summary, Account account, Account sinceReset) {
        /** Name of the mapping. */
        public String name() {
            return account.name();
        }

        private List<String> key() {
            return List.of(event, name());
        }

        private OfMapping plus(OfMapping other) {
            return new OfMapping(event, summary, account.plus(other.account), sinceReset.plus(other.sinceReset));
        }
    }

    /**
     * Counts without expressions that may fail.
     *
     * @param former messages received by event types that are no longer defined
     */
    public LedgerCounts(List<Account> listeners, List<Account> events, List<OfMapping> mappings, Account former) {
        this(listeners, events, mappings, former, List.of());
    }

    public LedgerCounts {
        listeners = List.copyOf(listeners);
        events = List.copyOf(events);
        mappings = List.copyOf(mappings);
        nulls = List.copyOf(nulls);
    }

    /** The counts of a cut; {@link #NONE} for a cut that does not come from a pipeline. */
    public static LedgerCounts of(Cut cut) {
        return cut.parts().stream()
                .filter(LedgerCounts.class::isInstance)
                .map(LedgerCounts.class::cast)
                .findFirst()
                .orElse(NONE);
    }

    /** An account without messages. */
    public static Account none(String name) {
        return new Account(name, 0, new long[Fate.all().size()]);
    }

    /**
     * Adds the counts of another process or subtask, which may have other listeners, event types and mappings. Accounts
     * of the same name are added up.
     */
    public LedgerCounts plus(LedgerCounts other) {
        return new LedgerCounts(
                sums(listeners, other.listeners, Account::name, Account::plus),
                sums(events, other.events, Account::name, Account::plus),
                sums(mappings, other.mappings, OfMapping::key, OfMapping::plus),
                former.plus(other.former),
                sums(nulls, other.nulls, NullValues::key, (here, there) -> there.after(here)));
    }

    /**
     * Merges two lists. Values with the same key are added up. The values of the first list come first. Then come the
     * values of the second list whose keys are not in the first list.
     */
    private static <K, V> List<V> sums(List<V> here, List<V> there, Function<V, K> key, BinaryOperator<V> plus) {
        Map<K, V> sums = new LinkedHashMap<>();
        Stream.concat(here.stream(), there.stream()).forEach(value -> sums.merge(key.apply(value), value, plus));
        return List.copyOf(sums.values());
    }

    /** The sum of all listeners. */
    public Account total() {
        return listeners.stream().reduce(none("total"), Account::plus);
    }

    /** The sum of all mappings into a summary. */
    public Account intoSummary(String summary) {
        return intoSummary(summary, OfMapping::account);
    }

    /**
     * The sum of the accounts of all mappings into a summary since the summary's last reset. It has the fates of the
     * messages from which the present rows come.
     */
    public Account intoSummarySinceReset(String summary) {
        return intoSummary(summary, OfMapping::sinceReset);
    }

    private Account intoSummary(String summary, Function<OfMapping, Account> account) {
        return mappings.stream()
                .filter(mapping -> mapping.summary().equals(summary))
                .map(account)
                .reduce(none(summary), Account::plus);
    }

    /** The accounts of all three ways, one after the other. */
    public Stream<Account> accounts() {
        return Stream.of(listeners.stream(), events.stream(), mappings.stream().map(OfMapping::account))
                .flatMap(accounts -> accounts);
    }

    @Override
    public String name() {
        return PART;
    }

    @Override
    public void writeTo(OutputStream stream) throws IOException {
        DataOutputStream out = new DataOutputStream(stream);
        out.writeInt(VERSION);
        out.writeInt(Fate.all().size());
        for (Fate fate : Fate.all()) {
            out.writeUTF(fate.label());
        }
        write(listeners, out);
        write(events, out);
        out.writeInt(mappings.size());
        for (OfMapping mapping : mappings) {
            out.writeUTF(mapping.event());
            out.writeUTF(mapping.summary());
            write(mapping.account(), out);
            write(mapping.sinceReset(), out);
        }
        write(former, out);
        writeNulls(out);
        out.flush();
    }

    private void writeNulls(DataOutputStream out) throws IOException {
        out.writeInt(NullReason.all().size());
        for (NullReason reason : NullReason.all()) {
            out.writeUTF(reason.label());
        }
        out.writeInt(nulls.size());
        for (NullValues values : nulls) {
            out.writeUTF(values.event());
            out.writeUTF(values.mapping());
            out.writeUTF(values.expression());
            out.writeUTF(values.at());
            out.writeLong(values.evaluated());
            for (long count : values.counts()) {
                out.writeLong(count);
            }
            out.writeUTF(values.sample());
        }
    }

    private static void write(List<Account> accounts, DataOutputStream out) throws IOException {
        out.writeInt(accounts.size());
        for (Account account : accounts) {
            write(account, out);
        }
    }

    private static void write(Account account, DataOutputStream out) throws IOException {
        out.writeUTF(account.name());
        out.writeLong(account.received());
        for (Fate fate : Fate.all()) {
            out.writeLong(account.count(fate));
        }
    }

    /**
     * Reads bytes that {@link #writeTo} of this version or of version 1 wrote. Version 1 has no counts of nulls. All
     * messages in version 1 are treated as received after the last reset.
     *
     * @throws IOException when the bytes are malformed, or have a newer version
     */
    public static LedgerCounts read(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        int version = in.readInt();
        if (version < ACCOUNTS_ONLY || version > VERSION) {
            throw new IOException(
                    "the ledger is of version " + version + ", and this program knows versions up to " + VERSION);
        }
        List<Fate> fates = labelled(in, Fate.all(), Fate::label);
        List<Account> listeners = accounts(in, fates);
        List<Account> events = accounts(in, fates);
        List<OfMapping> mappings = new ArrayList<>();
        for (int left = count(in); left > 0; left--) {
            String event = in.readUTF();
            String summary = in.readUTF();
            Account account = account(in, fates);
            Account sinceReset = version == ACCOUNTS_ONLY ? account : account(in, fates);
            mappings.add(new OfMapping(event, summary, account, sinceReset));
        }
        Account former = account(in, fates);
        return new LedgerCounts(listeners, events, mappings, former, version == ACCOUNTS_ONLY ? List.of() : nulls(in));
    }

    private static List<NullValues> nulls(DataInputStream in) throws IOException {
        List<NullReason> reasons = labelled(in, NullReason.all(), NullReason::label);
        List<NullValues> nulls = new ArrayList<>();
        for (int left = count(in); left > 0; left--) {
            String event = in.readUTF();
            String mapping = in.readUTF();
            String expression = in.readUTF();
            String at = in.readUTF();
            long evaluated = in.readLong();
            Long[] counts = new Long[NullReason.all().size()];
            Arrays.fill(counts, 0L);
            for (NullReason reason : reasons) {
                counts[reason.ordinal()] = in.readLong();
            }
            nulls.add(new NullValues(event, mapping, expression, at, evaluated, List.of(counts), in.readUTF()));
        }
        return nulls;
    }

    /**
     * Reads labels, and returns the values of {@code all} that have these labels. The result has the order of the
     * labels. The numbers that follow in the input have the same order.
     */
    private static <T> List<T> labelled(DataInputStream in, List<T> all, Function<T, String> label) throws IOException {
        List<T> found = new ArrayList<>();
        for (int left = count(in); left > 0; left--) {
            String wanted = in.readUTF();
            found.add(all.stream()
                    .filter(one -> label.apply(one).equals(wanted))
                    .findFirst()
                    .orElseThrow(
                            () -> new IOException("the ledger counts what this program does not know: " + wanted)));
        }
        return found;
    }

    private static List<Account> accounts(DataInputStream in, List<Fate> fates) throws IOException {
        List<Account> accounts = new ArrayList<>();
        for (int left = count(in); left > 0; left--) {
            accounts.add(account(in, fates));
        }
        return accounts;
    }

    private static Account account(DataInputStream in, List<Fate> fates) throws IOException {
        String name = in.readUTF();
        long received = in.readLong();
        long[] counts = new long[Fate.all().size()];
        for (Fate fate : fates) {
            counts[fate.ordinal()] = in.readLong();
        }
        return new Account(name, received, counts);
    }

    private static int count(DataInputStream in) throws IOException {
        int count = in.readInt();
        if (count < 0 || count > ACCOUNTS_MAX) {
            throw new IOException("the ledger is damaged: count=" + count);
        }
        return count;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        accounts().forEach(account -> text.append(account).append('\n'));
        return text.toString();
    }
}
