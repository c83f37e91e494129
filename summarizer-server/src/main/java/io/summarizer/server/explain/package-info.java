/**
 * What becomes of a topic or of a message, told to people. For the command line and for HTTP; off the way of the data, on
 * whichever thread asks. Imports the engine and the language, nothing else of the server.
 */
@NullMarked
package io.summarizer.server.explain;

import org.jspecify.annotations.NullMarked;
