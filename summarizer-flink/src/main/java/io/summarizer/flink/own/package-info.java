/**
 * The owners of rows. {@link io.summarizer.flink.own.OwnOperator} applies updates to the rows of its key groups,
 * freezes them at a barrier, and writes them as raw keyed state and as files of a result.
 */
@NullMarked
package io.summarizer.flink.own;

import org.jspecify.annotations.NullMarked;
