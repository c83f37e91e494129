/**
 * Explanations of topics and messages, for people. For the command line and for HTTP; runs on the caller's thread,
 * beside the processing of messages. Imports the engine and the language, and no other package of the server.
 */
@NullMarked
package io.summarizer.server.explain;

import org.jspecify.annotations.NullMarked;
