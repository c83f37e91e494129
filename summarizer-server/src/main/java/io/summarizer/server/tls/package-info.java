/**
 * TLS for listeners and for senders, with the authentication of clients and the reasons of failed handshakes.
 * Certificates and keys come from PEM files, which are read again when they change.
 *
 * <p>{@link io.summarizer.server.tls.ServerTls} is a listener's side, {@link io.summarizer.server.tls.ClientTls} is a
 * sender's side. The thread that starts the process reads the files. Later, the thread of {@link
 * io.summarizer.server.tls.FileWatch} reads them again. Handlers are made on event loops. No message, log line or
 * {@code toString} of this package contains any part of a private key or a password.
 */
@NullMarked
package io.summarizer.server.tls;

import org.jspecify.annotations.NullMarked;
