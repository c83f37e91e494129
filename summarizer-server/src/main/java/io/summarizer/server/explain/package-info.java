/**
 * Explanations of topics and messages, for the command line and for HTTP. The code runs on the caller's thread, not on
 * a thread that processes messages. It imports the engine and the language, and no other package of the server.
 */
@NullMarked
package io.summarizer.server.explain;

import org.jspecify.annotations.NullMarked;
