package io.summarizer.server.service;

import java.io.IOException;

/** A configuration that lets other hosts read traffic or send requests without anybody having allowed it. */
public final class UnsafeConfigException extends IOException {
    private static final long serialVersionUID = 1;

    UnsafeConfigException(String problems) {
        super(problems);
    }
}
