package io.summarizer.core.export;

import java.util.List;

/** A query compiled for one summary or nested summary. Immutable, shared by all threads. */
public interface CsvProgram {
    /** Names of the written columns, in order. */
    List<String> columns();

    /** A writer for one export. */
    CsvRowWriter newWriter();
}
