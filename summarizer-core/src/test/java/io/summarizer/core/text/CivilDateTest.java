package io.summarizer.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.time.YearMonth;
import org.junit.jupiter.api.Test;

class CivilDateTest {
    @Test
    void agreesWithJavaTime() {
        // A prime step reaches all days of months and years; from year -700 to 5700, and the far ends.
        for (long day = -975_000; day < 1_363_000; day += 7) {
            check(day);
        }
        for (long day = -365; day < 146_097; day++) {
            check(day);
        }
        check(-106_751_992L); // of the least timestamp
        check(106_751_991L);
    }

    private static void check(long day) {
        LocalDate expected = LocalDate.ofEpochDay(day);
        long date = CivilDate.of(day);
        assertThat(CivilDate.year(date)).isEqualTo(expected.getYear());
        assertThat(CivilDate.month(date)).isEqualTo(expected.getMonthValue());
        assertThat(CivilDate.day(date)).isEqualTo(expected.getDayOfMonth());
        assertThat(CivilDate.toDays(expected.getYear(), expected.getMonthValue(), expected.getDayOfMonth()))
                .isEqualTo(day);
    }

    @Test
    void knowsTheDaysOfMonths() {
        for (int year = -400; year < 2500; year++) {
            for (int month = 1; month <= 12; month++) {
                assertThat(CivilDate.daysOfMonth(year, month))
                        .isEqualTo(YearMonth.of(year, month).lengthOfMonth());
            }
        }
    }
}
