package io.summarizer.server.service;

import java.io.IOException;

/** Thrown for a configuration that lets other hosts read traffic or send requests without allowing this explicitly. */
public final class UnsafeConfigException extends IOException {
    private static final long serialVersionUID = 1;

    UnsafeConfigException(String problems) {
        super(problems);
    }
}
