/** The process, with listeners, configuration, HTTP, command line and metrics. */
@NullMarked
package io.summarizer.server;

import org.jspecify.annotations.NullMarked;
