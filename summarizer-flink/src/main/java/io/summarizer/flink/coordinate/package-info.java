/**
 * The one subtask that decides for the whole job which windows are closed, and which checkpoint is a result. {@link
 * io.summarizer.flink.coordinate.CoordinateOperator} gets the progress of all inputs, and sends boundaries to all
 * owners.
 */
@NullMarked
package io.summarizer.flink.coordinate;

import org.jspecify.annotations.NullMarked;
