/** The process: listeners, configuration, HTTP, command line, metrics. */
@NullMarked
package io.summarizer.server;

import org.jspecify.annotations.NullMarked;
