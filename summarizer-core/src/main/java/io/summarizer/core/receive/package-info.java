/**
 * Turns the bytes of a stream into messages. A {@link io.summarizer.core.receive.StreamFramer} finds the frames of
 * plain syslog ({@link io.summarizer.core.receive.SyslogFramer}) or of RELP ({@link
 * io.summarizer.core.receive.RelpFramer}), and {@code EnvelopeParser} parses the envelopes. Framers and parser only set
 * slices, and copy no messages. Later stages read slices with {@link io.summarizer.core.receive.SyslogTime} and {@link
 * io.summarizer.core.receive.StructuredData}.
 *
 * <pre>
 *   socket or file --bytes--> StreamFramer --frame--> EnvelopeParser --slices--> MessageBatch --> parse queue
 * </pre>
 *
 * <p>A framer belongs to one connection and runs on its event loop, or on the thread that reads a file. Everything else
 * is stateless or safe for any thread. Imports {@code bytes}, {@code message} and {@code text}.
 */
@NullMarked
package io.summarizer.core.receive;

import org.jspecify.annotations.NullMarked;
