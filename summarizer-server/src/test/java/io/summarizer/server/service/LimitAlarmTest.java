package io.summarizer.server.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.ledger.Account;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.LedgerCounts;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LimitAlarmTest {
    private final List<LedgerCounts.OfMapping> mappings = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private long nanos = -5;

    private static LedgerCounts.OfMapping mapping(String summary, long rejected) {
        long[] fates = new long[Fate.all().size()];
        fates[Fate.LIMIT.ordinal()] = rejected;
        Account account = new Account("Hit -> " + summary, rejected, fates);
        return new LedgerCounts.OfMapping("Hit", summary, account, account);
    }

    private LimitAlarm alarm() {
        return new LimitAlarm(() -> List.copyOf(mappings), "Full"::equals, log::add, () -> nanos);
    }

    @Test
    void shouldWarnAtOnceAndThenOnceAnHour() {
        mappings.add(mapping("Seen", 1_000));
        LimitAlarm alarm = alarm();
        alarm.look();
        assertThat(log).as("rejected by an earlier process").isEmpty();
        mappings.set(0, mapping("Seen", 2_234));
        alarm.look();
        mappings.set(0, mapping("Seen", 3_000));
        alarm.look();
        assertThat(log).singleElement().asString().startsWith("Hit -> Seen: 1,234 messages were rejected (limit)");
        nanos += LimitAlarm.PAUSE.toNanos();
        alarm.look();
        alarm.look();
        assertThat(log).hasSize(2);
        assertThat(log.get(1)).contains(" 766 messages ");
        nanos += LimitAlarm.PAUSE.toNanos();
        alarm.look();
        assertThat(log).as("nothing new").hasSize(2);
    }

    @Test
    void shouldNameTheBoundOnWindows() {
        LimitAlarm alarm = alarm();
        mappings.add(mapping("Full", 5));
        mappings.add(mapping("Seen", 6));
        alarm.look();
        assertThat(log.get(0)).startsWith("Hit -> Full: 5 messages").contains("limits.open-windows");
        assertThat(log.get(1)).startsWith("Hit -> Seen: 6 messages").contains("limits.rows");
    }

    /** The definitions bound the memory of the alarm, and a mapping that comes back is new. */
    @Test
    void shouldForgetMappingsThatTheDefinitionsHaveNoMore() {
        LimitAlarm alarm = alarm();
        mappings.add(mapping("Seen", 5));
        alarm.look();
        mappings.clear();
        alarm.look();
        mappings.add(mapping("Seen", 7));
        alarm.look();
        assertThat(log).hasSize(2);
        assertThat(log.get(1)).contains(" 7 messages ");
    }
}
