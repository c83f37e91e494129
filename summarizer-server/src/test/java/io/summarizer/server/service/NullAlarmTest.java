package io.summarizer.server.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.ledger.NullReason;
import io.summarizer.core.ledger.NullValues;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class NullAlarmTest {
    private final List<NullValues> nulls = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private final NullAlarm alarm = new NullAlarm(() -> List.copyOf(nulls), log::add);

    private static NullValues values(String mapping, String expression, long evaluated, long unreadable) {
        List<Long> counts = new ArrayList<>(Collections.nCopies(NullReason.all().size(), 0L));
        counts.set(NullReason.UNREADABLE.ordinal(), unreadable);
        return new NullValues("Order", mapping, expression, "shop.summ:75", evaluated, counts, "12,50\n");
    }

    @Test
    void shouldWarnOnceOfAnExpressionThatGaveNothingButNulls() {
        nulls.add(values("Order -> Sales", "cost += price", 100, 100));
        nulls.add(values("Order -> Sales", "cost += rebate", 100, 99));
        nulls.add(values("Order -> Sales", "cost += tax", 0, 0));
        nulls.add(values("Order -> Sales", "cost += gift", 99, 99));
        alarm.look();
        alarm.look();
        assertThat(log)
                .containsExactly("shop.summ:75 (Order -> Sales): each value of this expression was null"
                        + " (100 unreadable, first \"12,50?\"): cost += price");
        alarm.lookLast();
        assertThat(log).hasSize(2);
        assertThat(log.get(1)).endsWith(": cost += gift");
        nulls.add(values("Order -> Other", "cost += price", 1_000, 1_000));
        alarm.look();
        alarm.look();
        assertThat(log).as("another mapping").hasSize(3);
    }

    /** The definitions bound the memory of the alarm. */
    @Test
    void shouldForgetExpressionsThatTheDefinitionsHaveNoMore() {
        nulls.add(values("Order -> Sales", "cost += price", 100, 100));
        alarm.look();
        nulls.clear();
        alarm.look();
        nulls.add(values("Order -> Sales", "cost += price", 100, 100));
        alarm.look();
        assertThat(log).hasSize(2);
    }
}
