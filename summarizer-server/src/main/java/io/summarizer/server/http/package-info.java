/**
 * Answers over HTTP: summaries as CSV, their list as JSON, metrics, health, and the web page.
 *
 * <p>{@link io.summarizer.server.http.HttpListener} is the door. Requests are read and small answers made on Netty's event
 * loops; a thread of its own takes cuts ({@code CutCache}); a bounded pool of threads writes CSV and may wait for a slow
 * client ({@code ChunkedBody}). Reads the pipeline through cuts and counters only.
 */
@NullMarked
package io.summarizer.server.http;

import org.jspecify.annotations.NullMarked;
