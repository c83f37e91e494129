/**
 * The JSON of the service and its commands: one mapper, one spelling of member names.
 *
 * <p>Any thread may use it.
 */
@NullMarked
package io.summarizer.server.json;

import org.jspecify.annotations.NullMarked;
