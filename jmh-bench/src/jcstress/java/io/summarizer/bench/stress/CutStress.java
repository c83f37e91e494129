package io.summarizer.bench.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.summarizer.core.snapshot.ChunkedBytes;
import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.snapshot.CutMemory;
import io.summarizer.core.snapshot.CutRevokedException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** A reader of a cut beside a thread that ends the cut and reuses its chunks. */
public final class CutStress {
    private static final byte CUT = 1;
    private static final byte LATER = 2;
    private static final byte ANEW = 3;
    private static final int ENDED = -1;
    private static final long ROOMY = 1L << 30;

    /** One chunk, cut while all its bytes are {@link #CUT}, and written since. */
    private abstract static class Chunk {
        final CutMemory memory;
        final ChunkedBytes bytes = new ChunkedBytes();
        final CutLease lease;
        final ChunkedBytes.Frozen view;

        Chunk(long budgetBytes) {
            memory = new CutMemory(budgetBytes);
            int chunk = bytes.append();
            write(bytes.writable(chunk), CUT);
            lease = memory.lease(CutLease.Kind.READ);
            view = bytes.freeze(lease);
        }

        /** Writes both ends, which lie in separate cache lines. */
        static void write(byte[] chunk, byte value) {
            chunk[0] = value;
            chunk[chunk.length - 1] = value;
        }

        final void update(byte value) {
            write(bytes.writable(0), value);
        }

        /** Takes another cut and writes again, which reuses a pooled chunk. */
        final void cutAndUpdate(byte value) {
            bytes.freeze(memory.lease(CutLease.Kind.READ));
            update(value);
        }

        /** The values that the reader accepts: both ends as one number, or {@link #ENDED}. */
        final int read() {
            try {
                byte[] chunk = view.chunk(0);
                int both = chunk[chunk.length - 1] * 10 + chunk[0];
                view.check();
                return both;
            } catch (CutRevokedException e) {
                return ENDED;
            }
        }
    }

    /**
     * The last holder releases the cut, and the owner fills its chunk with other bytes at the next cut: a check must
     * not return for a reader who saw any of them.
     */
    @JCStressTest
    @State
    @Outcome(id = "11", expect = ACCEPTABLE, desc = "What the cut holds.")
    @Outcome(id = "-1", expect = ACCEPTABLE, desc = "Too late: the reader is told.")
    @Outcome(expect = FORBIDDEN, desc = "The reader believed a chunk that was used anew.")
    public static class Recycled extends Chunk {
        public Recycled() {
            super(ROOMY);
            update(LATER);
        }

        @Actor
        public void owner() {
            lease.release();
            cutAndUpdate(ANEW);
        }

        @Actor
        public void reader(I_Result result) {
            result.r1 = read();
        }
    }

    /** The same without a release: the copy after the next cut has no room, so that the oldest cut is revoked. */
    @JCStressTest
    @State
    @Outcome(id = "11", expect = ACCEPTABLE, desc = "What the cut holds.")
    @Outcome(id = "-1", expect = ACCEPTABLE, desc = "Revoked: the reader is told.")
    @Outcome(expect = FORBIDDEN, desc = "The reader believed a chunk that was used anew.")
    public static class Revoked extends Chunk {
        public Revoked() {
            super(ChunkedBytes.CHUNK_BYTES);
            update(LATER);
        }

        @Actor
        public void owner() {
            cutAndUpdate(ANEW); // revokes; the chunk goes to the pool
            cutAndUpdate(ANEW); // and moves from there to here
        }

        @Actor
        public void reader(I_Result result) {
            result.r1 = read();
        }
    }

    /** A second reader acquires the cut while the first releases it: a reader that acquired it reads its content. */
    @JCStressTest
    @State
    @Outcome(id = "1, 11", expect = ACCEPTABLE, desc = "Came in time, so the cut stays.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Came too late.")
    @Outcome(expect = FORBIDDEN, desc = "The cut ended under its holder.")
    public static class Acquired extends Chunk {
        public Acquired() {
            super(ROOMY);
            update(LATER);
        }

        @Actor
        public void first() {
            lease.release();
            cutAndUpdate(ANEW);
        }

        @Actor
        public void second(II_Result result) {
            if (lease.acquire()) {
                result.r1 = 1;
                result.r2 = read();
            }
        }
    }

    private CutStress() {}
}
