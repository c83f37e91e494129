/**
 * Recovery: a new process continues where the last process ended, even if the last process was killed. The new process
 * loads a checkpoint of the state and replays the rest of the journal, so that each journalled message is in the rows
 * exactly once.
 * <pre>
 *   every minute:  cut --> Checkpoints --> written, read back, the older ones deleted --> journal released
 *   at a start:    newest sound checkpoint --> Pipeline --> Replay of the journal from there --> listeners
 *   reload, reset: DurableControls --> Pipeline, then a control in the journal
 * </pre>
 *
 * <p>{@link io.summarizer.core.recovery.PipelineRecovery} runs on the thread that starts the service, and on a thread
 * that reads ahead. A {@link io.summarizer.core.recovery.Checkpointer} has a separate thread. Any thread that may block
 * can use {@link io.summarizer.core.recovery.DurableControls}.
 */
@NullMarked
package io.summarizer.core.recovery;

import org.jspecify.annotations.NullMarked;
