package io.summarizer.server.service;

/** Definitions that do not check; what is wrong is in {@link #rendered}. */
public final class DefinitionsException extends Exception {
    private static final long serialVersionUID = 1;

    private final String rendered;
    private final long errors;

    DefinitionsException(String rendered, long errors) {
        super(rendered);
        this.rendered = rendered.strip();
        this.errors = errors;
    }

    /** All that is wrong, for people. */
    public String rendered() {
        return rendered;
    }

    /** How many things are wrong. */
    public long errors() {
        return errors;
    }
}
