/**
 * From bytes of a stream to messages: {@link io.summarizer.core.receive.SyslogFramer} finds the frames,
 * {@code EnvelopeParser} peels their envelopes; both only slice. Here too is what later stages need to read a slice:
 * {@link io.summarizer.core.receive.SyslogTime}, {@link io.summarizer.core.receive.StructuredData}.
 *
 * <pre>
 *   socket or file --bytes--> SyslogFramer --frame--> EnvelopeParser --slices--> MessageBatch --> parse queue
 * </pre>
 *
 * <p>A framer belongs to one connection and runs on its event loop (or on the thread that reads a file); everything else
 * is stateless or safe for any thread. Imports {@code message} and {@code bytes} only.
 */
@NullMarked
package io.summarizer.core.receive;

import org.jspecify.annotations.NullMarked;
