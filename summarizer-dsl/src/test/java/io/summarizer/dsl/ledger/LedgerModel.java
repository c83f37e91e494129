package io.summarizer.dsl.ledger;

import io.summarizer.core.ledger.Account;
import io.summarizer.core.ledger.Fate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * A stream of messages of every kind, and the expected fate of each, computed slowly and plainly: one message after the
 * other, given the keys that found room.
 */
final class LedgerModel {
    /** Two versions of the definitions: the second lacks a mapping, and has a new one and another event type. */
    static final List<String> DEFINITIONS = List.of("""
            import "events.proto";
            event Hit on "hit.#" as csv;
            event Bid on "bid" as json;
            event Idle on "idle" as csv;
            summary A { key { int64 k = 1; } value { count n = 1; } }
            summary B { key { int64 k = 1; } value { count n = 1; } }
            map Hit into A where amount >= 0 { key { k = small; } n += 1; }
            map Hit on "hit.us" into B { key { k = small; } n += 1; }
            map Bid into B where amount < 5 { for s in seats { key { k = s; } n += 1; } }
            map Bid into A { key { k = small; } n += 1; }
            """, """
            import "events.proto";
            event Bid on "bid" as json;
            event Hit on "hit.#" as csv;
            event Late on "late" as csv;
            summary A { key { int64 k = 1; } value { count n = 1; } }
            summary B { key { int64 k = 1; } value { count n = 1; } }
            map Bid into A { key { k = small; } n += 1; }
            map Hit into A where amount >= 0 { key { k = small; } n += 1; }
            map Late into A { key { k = small; } n += 1; }
            map Late into B { key { k = small; } n += 1; }
            map Bid into B where amount < 5 { for s in seats { key { k = s; } n += 1; } }
            """);

    static final String PROTO = """
            syntax = "proto3";
            message Hit { int64 small = 1; int64 amount = 2; }
            message Bid { int64 small = 1; int64 amount = 2; repeated int64 seats = 3; }
            message Idle { int64 small = 1; }
            message Late { int64 small = 1; }
            """;

    private static final List<String> TOPICS =
            List.of("hit.us", "hit.us", "hit.de", "bid", "bid", "idle", "late", "none");

    /** By listener, event type and mapping. */
    final Map<String, long[]> accounts = new TreeMap<>();

    /** A message: its topic, numbers, and its defect, if any. */
    record Message(int listener, Fate defect, String topic, long small, long amount, List<Long> seats) {
        static Message random(Random random, int keys) {
            Fate defect = random.nextInt(8) > 0
                    ? Fate.APPLIED
                    : List.of(Fate.FRAME, Fate.OVERSIZE, Fate.ENVELOPE, Fate.PAYLOAD)
                            .get(random.nextInt(4));
            List<Long> seats = new ArrayList<>();
            for (int i = random.nextInt(4); i > 0; i--) {
                seats.add((long) random.nextInt(keys));
            }
            return new Message(
                    0,
                    defect,
                    TOPICS.get(random.nextInt(TOPICS.size())),
                    random.nextInt(keys),
                    random.nextInt(10) - 2,
                    seats);
        }

        Message by(int listener) {
            return new Message(listener, defect, topic, small, amount, seats);
        }

        String payload() {
            String number = defect == Fate.PAYLOAD ? "bad" : Long.toString(small);
            return topic.equals("bid")
                    ? "{\"small\":" + (defect == Fate.PAYLOAD ? "\"bad\"" : number) + ",\"amount\":" + amount
                            + ",\"seats\":" + seats + "}"
                    : number + "," + amount;
        }
    }

    /** A mapping of the model for a message: its summary, whether it takes the message, and the keys. */
    private record Rule(String name, String summary, boolean active, boolean holds, List<Long> keys) {}

    /** Adds messages that were processed without a reset or a reload in between; {@code rows} are those at the end. */
    void add(List<Message> messages, int version, Map<String, Set<Long>> rows) {
        messages.forEach(message -> add(message, version, rows));
    }

    private void add(Message message, int version, Map<String, Set<Long>> rows) {
        String listener = "listener-" + message.listener;
        String event = event(message.topic, version);
        if (message.defect != Fate.APPLIED && message.defect != Fate.PAYLOAD) {
            count(listener, message.defect);
            return;
        }
        if (event.isEmpty()) {
            count(listener, Fate.UNMATCHED);
            return;
        }
        boolean read = !event.equals("Idle"); // no mapping uses a field of it
        boolean bad = message.defect == Fate.PAYLOAD && read;
        Fate fate = bad ? Fate.PAYLOAD : Fate.FILTERED;
        boolean applied = false;
        for (Rule rule : rules(message, event, version)) {
            Fate mapped = !rule.active
                    ? Fate.UNMATCHED
                    : bad
                            ? Fate.PAYLOAD
                            : !rule.holds
                                    ? Fate.FILTERED
                                    : Objects.requireNonNull(rows.get(rule.summary))
                                                    .containsAll(rule.keys)
                                            ? Fate.APPLIED
                                            : Fate.LIMIT;
            count(rule.name, mapped);
            applied |= mapped == Fate.APPLIED;
            fate = mapped == Fate.LIMIT ? Fate.LIMIT : fate;
        }
        fate = fate == Fate.FILTERED && applied ? Fate.APPLIED : fate;
        count(event, fate);
        count(listener, fate);
    }

    private static String event(String topic, int version) {
        return switch (topic) {
            case "hit.us", "hit.de" -> "Hit";
            case "bid" -> "Bid";
            case "idle" -> version == 0 ? "Idle" : "";
            case "late" -> version == 1 ? "Late" : "";
            default -> "";
        };
    }

    private static List<Rule> rules(Message message, String event, int version) {
        List<Long> small = List.of(message.small);
        return switch (event) {
            case "Hit" -> {
                List<Rule> rules = new ArrayList<>(List.of(new Rule("Hit->A", "A", true, message.amount >= 0, small)));
                if (version == 0) {
                    rules.add(new Rule("Hit->B", "B", message.topic.equals("hit.us"), true, small));
                }
                yield rules;
            }
            case "Bid" ->
                List.of(
                        new Rule("Bid->B", "B", true, message.amount < 5, message.seats),
                        new Rule("Bid->A", "A", true, true, small));
            case "Late" ->
                List.of(new Rule("Late->A", "A", true, true, small), new Rule("Late->B", "B", true, true, small));
            default -> List.of();
        };
    }

    private void count(String name, Fate fate) {
        accounts.computeIfAbsent(name, added -> new long[Fate.all().size()])[fate.ordinal()]++;
    }

    /** The account of this name. */
    Account account(String name) {
        long[] fates = accounts.getOrDefault(name, new long[Fate.all().size()]);
        long sum = 0;
        for (long count : fates) {
            sum += count;
        }
        return new Account(name, sum, fates);
    }

    /** Forgets an account whose definition was removed: it would begin again. */
    void forget(String name) {
        accounts.remove(name);
    }
}
