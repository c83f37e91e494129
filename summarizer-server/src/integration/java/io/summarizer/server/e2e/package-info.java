/**
 * The service as a whole, as its users see it: syslog goes in over sockets, CSV comes out over HTTP, and DuckDB
 * computes the expected content. {@link io.summarizer.server.e2e.RunningService} is the service under test.
 */
@NullMarked
package io.summarizer.server.e2e;

import org.jspecify.annotations.NullMarked;
