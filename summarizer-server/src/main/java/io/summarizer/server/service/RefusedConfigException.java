package io.summarizer.server.service;

import java.io.IOException;

/**
 * Thrown for a configuration with which the service does not start although each setting is allowed: it lets other
 * hosts read traffic or send requests without allowing this explicitly, or exports what the definitions do not have.
 */
public final class RefusedConfigException extends IOException {
    private static final long serialVersionUID = 1;

    RefusedConfigException(String problems) {
        super(problems);
    }
}
