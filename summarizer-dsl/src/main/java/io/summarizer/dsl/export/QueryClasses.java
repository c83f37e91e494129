package io.summarizer.dsl.export;

import io.summarizer.core.export.CsvQueryException;
import io.summarizer.core.export.CsvRowWriter;
import io.summarizer.core.store.RowCursor;
import io.summarizer.dsl.codegen.GeneratedSource;
import io.summarizer.dsl.codegen.JavaClass;
import io.summarizer.dsl.codegen.Names;
import io.summarizer.dsl.model.Expression;
import java.util.ArrayList;
import java.util.List;

/**
 * The generated classes of one query.
 *
 * @param writer name of the {@link CsvRowWriter}
 * @param conditionCharacters number of characters of the class that evaluates the condition; 0 without a condition, and
 *     the largest int when the class is so long that nothing was generated
 */
record QueryClasses(String writer, int conditionCharacters, List<GeneratedSource> sources) {
    /**
     * Generates the classes.
     *
     * @param types names that are taken already, so that the classes cannot have them
     */
    static QueryClasses of(CheckedQuery query, Names types) {
        String name = query.columns().summary().replace('/', '_');
        List<GeneratedSource> sources = new ArrayList<>();
        JavaClass type = new JavaClass(types.type(name + "_" + query.format().word()), describe(query));
        type.inherits("extends " + type.use(CsvRowWriter.class));
        int conditionCharacters = 0;
        Expression where = query.where();
        if (where != null) {
            JavaClass condition = new JavaClass(types.type(name + "_condition"), "Rows where " + query.text() + ".");
            String thrown = ConditionCode.write(query, where, condition);
            if (thrown == null) {
                return new QueryClasses("", Integer.MAX_VALUE, List.of());
            }
            GeneratedSource source = condition.source();
            conditionCharacters = source.text().length();
            sources.add(source);
            type.fields().line("private final " + condition.name() + " condition = new " + condition.name() + "();");
            type.member()
                    .open("public boolean wants(" + type.use(RowCursor.class) + "[] rows)" + thrown)
                    .line("return condition.holds(rows);")
                    .close();
            if (!thrown.isEmpty()) {
                type.use(CsvQueryException.class);
                type.member()
                        .open("public boolean takesLong()")
                        .line("return true;")
                        .close();
            }
        }
        new RowWriterCode(query, type).write();
        GeneratedSource writer = type.source();
        sources.add(writer);
        return new QueryClasses(writer.className(), conditionCharacters, sources);
    }

    private static String describe(CheckedQuery query) {
        return "Rows of " + query.columns().summary() + " as " + query.format()
                + (query.where() == null ? "." : ", where " + query.text() + ".");
    }
}
