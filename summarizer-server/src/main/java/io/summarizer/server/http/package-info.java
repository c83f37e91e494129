/**
 * Answers over HTTP: summaries as CSV, their list as JSON, metrics, health, and the web page.
 *
 * <p>{@link io.summarizer.server.http.HttpListener} is the entry point. A request comes to an {@code HttpConnection},
 * passes the {@code Filters}, and is answered by the handler that the {@code Router}'s table has for its path. Netty's
 * event loops read requests and make small answers. One thread takes cuts ({@code CutCache}). A few threads write CSV,
 * in turns and without waiting for a client ({@code Pulls}, {@code Pull}). Another thread writes state files and waits
 * for their clients. The package reads the pipeline only through cuts and counters.
 */
@NullMarked
package io.summarizer.server.http;

import org.jspecify.annotations.NullMarked;
