/**
 * The records between the operators of a job, with serializers of their own: updates of one key group, progress of
 * inputs, boundaries of closed windows.
 */
@NullMarked
package io.summarizer.flink.record;

import org.jspecify.annotations.NullMarked;
