/**
 * TLS: certificates and keys from PEM files, for listeners and for senders, read again when the files change;
 * authentication of clients; reasons of failed handshakes.
 *
 * <p>{@link io.summarizer.server.tls.ServerTls} is a listener's side, {@link io.summarizer.server.tls.ClientTls} a
 * sender's. Files are read by the thread that starts the process and, later, by that of {@link
 * io.summarizer.server.tls.FileWatch}; handlers are made on event loops. No message, log line or {@code toString} of
 * this package contains any part of a private key or a password.
 */
@NullMarked
package io.summarizer.server.tls;

import org.jspecify.annotations.NullMarked;
