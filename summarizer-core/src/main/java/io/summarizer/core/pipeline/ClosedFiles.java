package io.summarizer.core.pipeline;

import io.summarizer.core.store.ClosedWindow;
import java.util.List;

/** The files of closed windows, for cuts. Any thread. */
public interface ClosedFiles {
    /** No files. */
    ClosedFiles NONE = summary -> new Held() {
        @Override
        public List<ClosedWindow> files() {
            return List.of();
        }

        @Override
        public void release() {
            // nothing is held
        }
    };

    /** Keeps the files of a summary from being deleted, until the result is released. */
    Held hold(String summary);

    /** The files of a summary at one moment. */
    interface Held {
        /** The files, by start of their windows. */
        List<ClosedWindow> files();

        /** Lets the files be deleted. Called once. */
        void release();
    }
}
