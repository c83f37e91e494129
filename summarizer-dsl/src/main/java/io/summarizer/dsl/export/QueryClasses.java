package io.summarizer.dsl.export;

import io.summarizer.core.export.CsvRowWriter;
import io.summarizer.dsl.generate.GeneratedSource;
import io.summarizer.dsl.generate.JavaClass;
import io.summarizer.dsl.generate.Names;
import java.util.ArrayList;
import java.util.List;

/**
 * The generated classes of one query.
 *
 * @param writer name of the {@link CsvRowWriter}
 */
record QueryClasses(String writer, List<GeneratedSource> sources) {
    /**
     * Generates them.
     *
     * @param types names that they do not take
     */
    static QueryClasses of(CheckedQuery query, Names types) {
        String name = query.columns().summary().replace('/', '_');
        List<GeneratedSource> sources = new ArrayList<>();
        JavaClass type = new JavaClass(types.type(name + "_csv"), describe(query));
        type.inherits("extends " + type.use(CsvRowWriter.class));
        new RowWriterCode(query, type).write();
        GeneratedSource writer = type.source();
        sources.add(writer);
        return new QueryClasses(writer.className(), sources);
    }

    private static String describe(CheckedQuery query) {
        return "Rows of " + query.columns().summary() + " as CSV"
                + (query.where() == null ? "." : ", where " + query.text() + ".");
    }
}
