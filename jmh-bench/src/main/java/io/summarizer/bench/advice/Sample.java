package io.summarizer.bench.advice;

/**
 * What the queues held at one moment of a run.
 *
 * @param millis since the run's start
 * @param parseFill 0 to 1; NaN where there is no parse queue
 * @param ownerFillMin of the emptiest owner queue
 * @param ownerFillMax of the fullest owner queue
 */
public record Sample(
        double millis, double parseFill, double ownerFillMin, double ownerFillMax, double eventsPerSecond) {}
