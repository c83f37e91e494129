package io.summarizer.bench.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.summarizer.core.pipeline.Gate;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A worker that takes two batches, each of which adds one to two plain fields, beside a coordinator that closes the
 * gate, reads both, adds ten to the first, and opens the gate again. Plain fields, so that only the gate separates the
 * two threads and publishes their writes. r1 and r2 are what the coordinator read, r3 is the first field in the end.
 */
@JCStressTest
@State
@Outcome(id = "0, 0, 12", expect = ACCEPTABLE, desc = "Closed before the first batch.")
@Outcome(id = "1, 1, 12", expect = ACCEPTABLE, desc = "Closed between the two.")
@Outcome(id = "2, 2, 12", expect = ACCEPTABLE, desc = "Closed after the second.")
@Outcome(expect = FORBIDDEN, desc = "Both were inside, or one did not see what the other had written.")
public class GateStress {
    private final Gate gate = new Gate(1);
    private int first;
    private int second;

    @Actor
    public void worker() {
        batch();
        batch();
    }

    private void batch() {
        gate.enter(0);
        first++;
        second++;
        gate.leave(0);
    }

    @Actor
    public void coordinator(III_Result result) {
        gate.close();
        while (!gate.isEmpty()) {
            Thread.onSpinWait();
        }
        result.r2 = second;
        result.r1 = first;
        first += 10;
        gate.open();
    }

    @Arbiter
    public void end(III_Result result) {
        result.r3 = first;
    }
}
