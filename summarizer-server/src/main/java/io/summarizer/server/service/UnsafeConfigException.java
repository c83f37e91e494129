package io.summarizer.server.service;

import java.io.IOException;

/** A configuration by which other hosts could read along, or ask, without anybody having said that they may. */
public final class UnsafeConfigException extends IOException {
    private static final long serialVersionUID = 1;

    UnsafeConfigException(String problems) {
        super(problems);
    }
}
