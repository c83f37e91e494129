package io.summarizer.core;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** The records that a logger gets until this object is closed. Any thread may log. */
public final class LogLines extends Handler implements AutoCloseable {
    private final Logger logger;
    private final List<LogRecord> records = new CopyOnWriteArrayList<>();

    private LogLines(Logger logger) {
        this.logger = logger;
    }

    /** Begins to take what the logger of this name gets. */
    public static LogLines of(String name) {
        LogLines lines = new LogLines(Logger.getLogger(name));
        lines.logger.addHandler(lines);
        return lines;
    }

    /** Begins to take what the logger of a class gets. */
    public static LogLines of(Class<?> logging) {
        return of(logging.getName());
    }

    /** The records so far, which grow further. */
    public List<LogRecord> records() {
        return records;
    }

    /** The messages so far, with their parameters. */
    public List<String> lines() {
        SimpleFormatter formatter = new SimpleFormatter();
        return records.stream().map(formatter::formatMessage).toList();
    }

    @Override
    public void publish(LogRecord line) {
        records.add(line);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
