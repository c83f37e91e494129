/**
 * Answers over HTTP: summaries as CSV, their list as JSON, metrics, health, and the web page.
 *
 * <p>{@link io.summarizer.server.http.HttpListener} is the entry point. A request comes to an {@code HttpConnection},
 * passes the {@code Filters}, and is answered by the handler that the {@code Router}'s table has for its path. Requests
 * are read and small answers made on Netty's event loops; one thread takes cuts ({@code CutCache}); a few threads write
 * CSV, in turns and without waiting for a client ({@code Pulls}, {@code Pull}); another one writes state files, and
 * waits for their clients. Reads the pipeline through cuts and counters only.
 */
@NullMarked
package io.summarizer.server.http;

import org.jspecify.annotations.NullMarked;
