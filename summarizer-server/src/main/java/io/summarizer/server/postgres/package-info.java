/**
 * Loads of rows into PostgreSQL, for {@code export --to}. {@link io.summarizer.server.postgres.PostgresLoad} is the
 * entry point.
 *
 * <p>Runs on the thread of the command. The service loads no class of this package, nor of PostgreSQL's driver. No
 * message of this package contains any part of a password.
 */
@NullMarked
package io.summarizer.server.postgres;

import org.jspecify.annotations.NullMarked;
