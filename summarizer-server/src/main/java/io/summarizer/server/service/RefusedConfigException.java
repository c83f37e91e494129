package io.summarizer.server.service;

import java.io.IOException;

/**
 * Thrown when the service does not start with a configuration whose single settings are valid. There are two cases.
 * Other hosts could read traffic or send requests, although no setting allows this explicitly. Or an export names a
 * summary or column that the definitions do not have.
 */
public final class RefusedConfigException extends IOException {
    private static final long serialVersionUID = 1;

    RefusedConfigException(String problems) {
        super(problems);
    }
}
