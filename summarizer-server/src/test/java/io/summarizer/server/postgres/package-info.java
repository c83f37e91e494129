/**
 * Against a real PostgreSQL with its {@code hll} extension: {@link io.summarizer.server.postgres.PostgresCluster} is one of the
 * test's own, on the loopback, that ends with the test. Skipped, with the reason, where it is not installed.
 */
@NullMarked
package io.summarizer.server.postgres;

import org.jspecify.annotations.NullMarked;
