package io.summarizer.server.service;

import java.io.IOException;

/**
 * Thrown for a configuration with which the service does not start although each setting is allowed: other hosts could
 * read traffic or send requests although no setting allows this, or an export names a summary or column that the
 * definitions do not have.
 */
public final class RefusedConfigException extends IOException {
    private static final long serialVersionUID = 1;

    RefusedConfigException(String problems) {
        super(problems);
    }
}
