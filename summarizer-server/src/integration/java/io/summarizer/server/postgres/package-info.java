/**
 * Tests against a real PostgreSQL with its {@code hll} extension: {@link io.summarizer.server.postgres.PostgresCluster}
 * is the test's own server, on the loopback, which ends with the test. Skipped, with the reason, where it is not
 * installed.
 */
@NullMarked
package io.summarizer.server.postgres;

import org.jspecify.annotations.NullMarked;
