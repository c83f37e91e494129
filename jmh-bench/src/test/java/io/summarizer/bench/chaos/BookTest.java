package io.summarizer.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.ledger.Account;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.LedgerCounts;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The book finds violations; 0 and 4 are events without an id, sent as often as the sender says. */
class BookTest {
    private static final String HEADER = "n,times\n";

    private final Book book = new Book(true);

    @Test
    void takesWhatWasSentOnce() {
        assertThat(check(HEADER + "0,1\n1,1\n2,1\n", 2, 3).missing()).isEmpty();
    }

    @Test
    void findsWhatWasAcknowledgedAndIsNotThere() {
        Book.Seen seen = check(HEADER + "0,1\n2,1\n", 2, 3);
        assertThat(seen.missing()).containsExactly(1L);
        assertThatThrownBy(seen::complete).hasMessageContaining("acknowledged and lost: 1 events, [1]");
    }

    @Test
    void missesNothingThatWasNotAcknowledged() {
        assertThatCode(check(HEADER + "0,1\n", 1, 3)::complete).doesNotThrowAnyException();
    }

    @Test
    void findsAnEventWithAnIdThatCountedTwice() {
        assertThatThrownBy(() -> check(HEADER + "1,2\n", 0, 3)).hasMessageContaining("has an id");
    }

    @Test
    void letsAnEventWithoutAnIdCountAsOftenAsItWasSent() {
        assertThatCode(() -> book.check(HEADER + "0,2\n", 0, 3, new Sent(2))).doesNotThrowAnyException();
        assertThatThrownBy(() -> book.check(HEADER + "0,3\n", 0, 3, new Sent(2)))
                .hasMessage("event 0 was sent 2 times and counted 3 times");
    }

    @Test
    void findsWhatWasNeverSent() {
        assertThatThrownBy(() -> check(HEADER + "3,1\n", 0, 3)).hasMessageContaining("never sent");
    }

    @Test
    void findsWhatComesAgainBehindAReset() {
        book.settle(check(HEADER + "0,1\n1,1\n", 2, 2), HEADER);
        assertThat(book.settled()).isEqualTo(2);
        assertThatThrownBy(() -> check(HEADER + "1,1\n2,1\n", 3, 3)).hasMessageContaining("counted again");
    }

    @Test
    void holdsTotalsAgainstWhatWasSettled() {
        book.settle(check(HEADER + "0,1\n1,1\n", 2, 2), HEADER);
        String once = "k,events,amount\n" + Numbered.key(1) + ",1," + Numbered.amount(1) + "\n";
        String plain = "k,events,amount\n" + Numbered.key(0) + ",1," + Numbered.amount(0) + "\n";
        assertThatCode(() -> book.checkTotals(once, plain)).doesNotThrowAnyException();
        assertThatThrownBy(() -> book.checkTotals(plain, plain)).hasMessageContaining("OnceTotals");
        assertThatThrownBy(() -> book.checkTotals(once, "k,events,amount\n")).hasMessageContaining("has no row");
    }

    @Test
    void doesNotExpectWhatWasSaidToBeLost() {
        book.lost(Set.of(1L), 1);
        assertThat(check(HEADER + "0,1\n2,1\n", 3, 3).missing()).isEmpty();
        assertThat(book.rows(3)).isEqualTo(2);
        assertThatThrownBy(() -> check(HEADER + "1,1\n", 0, 3)).hasMessageContaining("reported lost and is there");
    }

    @Test
    void holdsTheLedgerAgainstJournalAndRows() {
        Book.Seen seen = check(HEADER + "0,1\n1,1\n2,1\n", 3, 3);
        assertThatCode(() -> book.checkLedger(ledger(4, 2, 1, 1), seen, 4)).doesNotThrowAnyException();
        assertThatThrownBy(() -> book.checkLedger(ledger(4, 2, 1, 1), seen, 5))
                .hasMessageContaining("the journal has 5 messages");
        assertThatThrownBy(() -> book.checkLedger(ledger(4, 2, 1, 0), seen, 4)).hasMessageContaining("in flight");
        assertThatThrownBy(() -> book.checkLedger(ledger(4, 1, 1, 2), seen, 4))
                .hasMessageContaining("the rows have 2 events with an id");
    }

    private Book.Seen check(String csv, long acknowledged, long sent) {
        return book.check(csv, acknowledged, sent, new Sent(1));
    }

    /**
     * A ledger in which of the events with an id {@code once} were applied and {@code again} recognized, and of those
     * without one {@code plain} were applied.
     */
    private static LedgerCounts ledger(long received, long once, long plain, long again) {
        return new LedgerCounts(
                List.of(account("relp", received, once + plain, again)),
                List.of(account("Once", once + again, once, again), account("Plain", plain, plain, 0)),
                List.of(),
                LedgerCounts.none("former"));
    }

    private static Account account(String name, long received, long applied, long duplicate) {
        long[] fates = new long[Fate.all().size()];
        fates[Fate.APPLIED.ordinal()] = applied;
        fates[Fate.DUPLICATE.ordinal()] = duplicate;
        return new Account(name, received, fates);
    }

    /** A sender that sent each event a given number of times. */
    private static final class Sent extends Sender {
        private final int times;

        Sent(int times) {
            super(0, number -> new byte[0]);
            this.times = times;
        }

        @Override
        void run() {}

        @Override
        long acknowledged() {
            return 0;
        }

        @Override
        int transmissions(long number) {
            return times;
        }

        @Override
        public void close() {}
    }
}
