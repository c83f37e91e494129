/**
 * The submission of a job: the graph of its operators, and the settings that its correctness depends on. {@link
 * io.summarizer.flink.submit.JobSetup} is the entry point; it runs on the client.
 */
@NullMarked
package io.summarizer.flink.submit;

import org.jspecify.annotations.NullMarked;
