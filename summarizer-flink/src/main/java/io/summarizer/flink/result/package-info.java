/**
 * The files of results on a file system of Flink, below the folder that the option {@code --exports} names: {@link
 * io.summarizer.flink.result.ResultFolder} writes and reads them, and {@link
 * io.summarizer.flink.result.ResultCommitter} turns the files of a completed checkpoint into a result. {@link
 * io.summarizer.core.result} defines the form of state files and manifests.
 */
@NullMarked
package io.summarizer.flink.result;

import org.jspecify.annotations.NullMarked;
