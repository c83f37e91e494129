/**
 * The service as a whole, as its users meet it: syslog goes in over sockets, CSV comes out over HTTP, and DuckDB says what
 * it should hold. {@link io.summarizer.server.e2e.RunningService} is the service under test.
 */
@NullMarked
package io.summarizer.server.e2e;

import org.jspecify.annotations.NullMarked;
