package io.summarizer.core.snapshot;

/**
 * Says that a view can no longer be read: its cut was revoked because copies took more memory than they may, or its last
 * holder let it go. Nothing that was read before is wrong.
 */
public final class CutRevokedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    CutRevokedException(String message) {
        super(message);
    }
}
