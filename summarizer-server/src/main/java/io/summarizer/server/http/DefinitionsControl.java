package io.summarizer.server.http;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Reads the definitions of a running service anew. No method blocks; futures complete on a thread of the implementation's. */
public interface DefinitionsControl {
    /** What came of it. */
    enum Outcome {
        /** The definitions in the folder are in force now; of a plan: they can be. */
        DONE,
        /** They have errors. */
        INVALID,
        /** What the summaries hold does not go together with them. */
        REFUSED,
        /** The service is still taking up what it had before; later it may be. */
        RECOVERING,
        /** A fault of this program. */
        FAILED
    }

    /** An outcome, and all there is to say of it, for people. Whatever is not done has changed nothing. */
    record Answer(Outcome outcome, String text) {}

    /** Goes over to the definitions that the folder has now. */
    CompletableFuture<Answer> reload();

    /** The definitions that are in force; empty while the service is taking up what it had before. */
    default Optional<DefinitionsInForce> inForce() {
        return Optional.empty();
    }

    /** Says what {@link #reload} would do now. */
    CompletableFuture<Answer> plan();
}
