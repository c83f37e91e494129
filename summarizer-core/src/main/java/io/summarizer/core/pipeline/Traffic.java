package io.summarizer.core.pipeline;

/**
 * The batches of a pipeline so far.
 *
 * @param submitted number of batches that were handed over
 * @param processed number of batches that were processed
 * @param processors number of processors of the pipeline; in the list of all processors, they come after the processors
 *     of earlier pipelines
 */
public record Traffic(long submitted, long processed, int processors) {}
