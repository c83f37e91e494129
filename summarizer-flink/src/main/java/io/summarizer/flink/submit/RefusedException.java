package io.summarizer.flink.submit;

/** Thrown at submission for definitions or options that cannot work on a cluster; the message has all reasons. */
public final class RefusedException extends Exception {
    private static final long serialVersionUID = 1;

    /** A refusal, with its reasons as lines for people. */
    public RefusedException(String reasons) {
        super(reasons);
    }
}
