package io.summarizer.server.service;

import io.summarizer.core.recovery.RecoveryProgress;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The readiness of a service from the beginning of its start to its end. While the service takes no messages, or not
 * all of them, this class knows the reason. Thread-safe.
 */
final class Readiness {
    private final RecoveryProgress progress;
    private final AtomicBoolean stopping;
    private volatile @Nullable Durability durability;
    private volatile boolean listening;

    Readiness(RecoveryProgress progress, AtomicBoolean stopping) {
        this.progress = progress;
        this.stopping = stopping;
    }

    /** Sets the source of later reasons. */
    void recovering(Durability durability) {
        this.durability = durability;
    }

    /** Reports that all listeners accept connections. */
    void listening() {
        listening = true;
    }

    /** The reason in a few words; empty when the service is ready. */
    Optional<String> notReady() {
        if (stopping.get()) {
            return Optional.of("stopping");
        }
        Durability durability = this.durability;
        if (durability == null) {
            return Optional.of(progress.text());
        }
        Optional<String> notReady = durability.notReady();
        return notReady.isEmpty() && !listening ? Optional.of("opening listeners") : notReady;
    }
}
