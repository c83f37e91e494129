package io.summarizer.bench.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.summarizer.core.receive.ArrivalClock;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Stamps of two receivers while the wall clock stands still: ranges that never overlap and that grow for each of them.
 * The first claims a batch of 2 and one of 1, the second a batch of 3.
 */
@JCStressTest
@State
@Outcome(id = "1, 3, 4", expect = ACCEPTABLE, desc = "The second came last.")
@Outcome(id = "1, 6, 3", expect = ACCEPTABLE, desc = "The second came in between.")
@Outcome(id = "4, 6, 1", expect = ACCEPTABLE, desc = "The second came first.")
@Outcome(expect = FORBIDDEN, desc = "A stamp was given twice, left out, or went back.")
public class ArrivalClockStress {
    private final ArrivalClock clock = new ArrivalClock(() -> 0, 0);

    @Actor
    public void first(III_Result stamps) {
        stamps.r1 = (int) clock.claim(2);
        stamps.r2 = (int) clock.claim(1);
    }

    @Actor
    public void second(III_Result stamps) {
        stamps.r3 = (int) clock.claim(3);
    }
}
