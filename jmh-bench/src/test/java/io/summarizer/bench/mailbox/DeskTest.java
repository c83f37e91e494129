package io.summarizer.bench.mailbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("races")
class DeskTest {
    private static final int THREADS = 3;
    private static final int LETTERS = 400;

    @ParameterizedTest
    @EnumSource
    void countsEveryEventOfEveryThreadOnce(Way way) throws Exception {
        for (int size : new int[] {1, 8, 64}) {
            Tally expected = new Tally();
            Desk desk = way.open();
            ExecutorService threads = Executors.newFixedThreadPool(THREADS);
            List<Future<?>> done = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                Letter[] letters = Letter.random(LETTERS, size, thread);
                for (Letter letter : letters) {
                    letter.addTo(expected);
                }
                done.add(threads.submit(() -> {
                    for (Letter letter : letters) {
                        desk.handIn(letter);
                    }
                    return null;
                }));
            }
            for (Future<?> one : done) {
                one.get();
            }
            threads.shutdown();
            assertThat(desk.close()).isEqualTo(expected);
            assertThat(expected.events()).isEqualTo((long) THREADS * LETTERS * size);
        }
    }
}
