package io.summarizer.dsl.export;

import io.summarizer.core.export.CsvCompiler;
import io.summarizer.core.export.CsvProgram;
import io.summarizer.core.export.CsvQuery;
import io.summarizer.core.export.CsvQueryException;
import io.summarizer.core.export.CsvRowWriter;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.dsl.codegen.DeepStack;
import io.summarizer.dsl.codegen.GeneratedClasses;
import io.summarizer.dsl.codegen.GeneratedSource;
import io.summarizer.dsl.codegen.Names;
import io.summarizer.dsl.codegen.SourceCompiler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Generates and compiles the writers of queries. Keeps the {@value #PROGRAMS_MAX} most recently used writers; each
 * writer has a class loader of its own. One query is compiled at a time. A query that has to wait longer than {@value
 * #WAIT_SECONDS} s is refused. Thread-safe.
 */
public final class CsvQueryCompiler implements CsvCompiler {
    /** Maximum number of programs that are kept in addition to the programs of whole summaries. */
    static final int PROGRAMS_MAX = 128;

    /**
     * Maximum number of characters of the Java that is generated for a condition. The bound limits the time for which
     * other queries wait.
     */
    static final int CONDITION_CHARACTERS_MAX = 128 * 1024;

    private static final long WAIT_SECONDS = 5;

    private final Semaphore compiling = new Semaphore(1, true);
    private final Map<Key, CsvProgram> whole;

    /** The programs in the order of their last use. */
    private final Map<Key, CsvProgram> recent = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, CsvProgram> eldest) {
            return size() > PROGRAMS_MAX;
        }
    };

    /** The key of a program. */
    private record Key(SummaryLayout layout, List<Integer> path, CsvQuery query) {
        Key {
            path = List.copyOf(path);
        }
    }

    /** A class, before it is compiled. */
    private record Draft(Key key, CheckedQuery query, QueryClasses classes) {}

    private CsvQueryCompiler(Map<Key, CsvProgram> whole) {
        this.whole = whole;
    }

    /**
     * Makes a compiler for these summaries. Programs that write all rows and columns of a summary or nested summary are
     * compiled during this call, and never dropped.
     */
    public static CsvQueryCompiler of(List<SummaryLayout> summaries) {
        List<Draft> drafts = drafts(summaries, new Names());
        GeneratedClasses classes = SourceCompiler.compile(drafts.stream()
                .flatMap(draft -> draft.classes.sources().stream())
                .toList());
        Map<Key, CsvProgram> programs = new LinkedHashMap<>();
        drafts.forEach(draft -> programs.put(draft.key, program(draft, classes)));
        return new CsvQueryCompiler(programs);
    }

    /**
     * The sources of the programs that write all rows and columns of these summaries and of their nested summaries.
     *
     * @param types class names that are already taken
     */
    public static List<GeneratedSource> sources(List<SummaryLayout> summaries, Names types) {
        return drafts(summaries, types).stream()
                .flatMap(draft -> draft.classes.sources().stream())
                .toList();
    }

    private static List<Draft> drafts(List<SummaryLayout> summaries, Names types) {
        List<Draft> drafts = new ArrayList<>();
        for (SummaryLayout summary : summaries) {
            collect(summary, summary, List.of(), types, drafts);
        }
        return drafts;
    }

    private static void collect(
            SummaryLayout summary, SummaryLayout at, List<Integer> path, Names types, List<Draft> drafts) {
        try {
            drafts.add(draft(new Key(summary, path, CsvQuery.ALL), types));
        } catch (CsvQueryException e) {
            throw new IllegalStateException("a query that names nothing names nothing wrong", e);
        }
        for (int i = 0; i < at.nested().size(); i++) {
            List<Integer> inner = new ArrayList<>(path);
            inner.add(i);
            collect(summary, at.nested().get(i), inner, types, drafts);
        }
    }

    private static Draft draft(Key key, Names types) throws CsvQueryException {
        CheckedQuery query = CheckedQuery.of(Columns.of(key.layout, key.path), key.query);
        QueryClasses classes = DeepStack.call(() -> QueryClasses.of(query, types));
        if (classes.conditionCharacters() > CONDITION_CHARACTERS_MAX) {
            throw CsvQueryException.invalid(key.query.conditionName()
                    + ": the condition is too long to be compiled while others wait; ask for a"
                    + " part of it, or for all rows, and choose among them afterwards");
        }
        return new Draft(key, query, classes);
    }

    @Override
    public CsvProgram compile(SummaryLayout layout, List<Integer> path, CsvQuery query) throws CsvQueryException {
        Key key = new Key(layout, path, query.withoutLimit());
        CsvProgram program = find(key);
        if (program != null) {
            return program;
        }
        // Checked before the wait, so that an error is reported at once.
        Draft draft = draft(key, new Names());
        try {
            if (!compiling.tryAcquire(WAIT_SECONDS, TimeUnit.SECONDS)) {
                throw busy();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw busy();
        }
        try {
            program = find(key); // another thread may have compiled it meanwhile
            if (program == null) {
                program = program(draft, SourceCompiler.compile(draft.classes.sources()));
                synchronized (recent) {
                    recent.put(key, program);
                }
            }
            return program;
        } finally {
            compiling.release();
        }
    }

    @Override
    public boolean isKept(SummaryLayout layout, List<Integer> path, CsvQuery query) {
        return find(new Key(layout, path, query.withoutLimit())) != null;
    }

    private static CsvQueryException busy() {
        return new CsvQueryException(CsvQueryException.Reason.BUSY, "too many new queries are being compiled");
    }

    private @Nullable CsvProgram find(Key key) {
        CsvProgram program = whole.get(key);
        if (program != null) {
            return program;
        }
        synchronized (recent) {
            return recent.get(key);
        }
    }

    private static CsvProgram program(Draft draft, GeneratedClasses classes) {
        Class<? extends CsvRowWriter> writer = classes.load(draft.classes.writer(), CsvRowWriter.class);
        List<String> columns = draft.query.written().stream().map(Column::name).toList();
        return new CsvProgram(columns, () -> {
            try {
                return writer.getConstructor().newInstance();
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(writer.getName() + " cannot be made", e);
            }
        });
    }
}
