package io.summarizer.server.postgres;

import io.summarizer.core.export.CsvQuery;
import io.summarizer.core.export.Distinct;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A column of a CSV, and the type of its column in PostgreSQL. Immutable.
 *
 * @param key whether the column belongs to the key; a row replaces an earlier row with the same key
 * @param sketch parameters of an {@code hll}, {@code (log2m,regwidth,-1,1)}; empty for other types
 */
public record PostgresColumn(String name, boolean key, Type type, String sketch) {
    private static final String SET_SUFFIX = "_hll";

    /** Types of columns, by the values that they hold. */
    enum Type {
        INT32("bigint"),
        INT64("bigint"),
        UINT64("numeric(20)"),
        /** A sum of 64-bit integers has up to 128 bits. */
        SUM("numeric(39)"),
        /** Amounts have up to 128 bits, in millionths. */
        CURRENCY("numeric(39,6)"),
        DOUBLE("double precision"),
        BOOL("boolean"),
        TEXT("text"),
        TIMESTAMP("timestamptz"),
        SET("hll");

        private final String sql;

        Type(String sql) {
            this.sql = sql;
        }

        private static Type of(KeyType type) {
            return switch (type) {
                case INT32 -> INT32;
                case INT64, UINT32 -> INT64;
                case UINT64 -> UINT64;
                case BOOL -> BOOL;
                case STRING -> TEXT;
                case TIMESTAMP -> TIMESTAMP;
            };
        }

        private static Type of(AggregateType type) {
            return switch (type) {
                case SUMINT32, SUMINT64 -> SUM;
                case COUNT, MININT64, MAXINT64, FIRSTINT64, LASTINT64, MULTISET64 -> INT64;
                case SUMFLOAT, SUMDOUBLE, MINDOUBLE, MAXDOUBLE -> DOUBLE;
                case SUMCURRENCY -> CURRENCY;
                case MINTIMESTAMP, MAXTIMESTAMP -> TIMESTAMP;
                case FIRSTSTRING, LASTSTRING -> TEXT;
            };
        }
    }

    /**
     * The columns of a CSV.
     *
     * @param layout the top-level summary
     * @param fields the nested fields that lead to the table
     * @param header the names in the CSV
     * @throws PostgresException when PostgreSQL cannot tell the rows apart by these columns
     */
    public static List<PostgresColumn> of(
            SummaryLayout layout, List<String> fields, CsvQuery query, List<String> header) throws PostgresException {
        Map<String, KeyType> keys = new LinkedHashMap<>();
        SummaryLayout table = layout;
        add(keys, table);
        for (String field : fields) {
            table = table.nested().stream()
                    .filter(nested -> nested.name().equals(field))
                    .findFirst()
                    .orElseThrow(() -> PostgresException.failed("the definitions have no " + field));
            add(keys, table);
        }
        List<String> told = new ArrayList<>(keys.keySet());
        CsvQuery.Grouping grouping = query.grouping();
        if (grouping != null) {
            told = new ArrayList<>(grouping.by());
            if (grouping.every() != null && layout.window() != null) {
                told.add(layout.keys().get(layout.window().column()).name());
            }
        }
        for (String key : told) {
            if (!header.contains(key)) {
                throw PostgresException.wrong(
                        "--columns leaves out " + key
                                + ", and a row replaces the row with the same key: name all key columns, or unite rows with --by");
            }
        }
        List<PostgresColumn> columns = new ArrayList<>();
        for (String name : header) {
            if (TableName.isTooLong(name)) {
                throw PostgresException.wrong(
                        "names in PostgreSQL have at most 63 bytes; leave out this column with --columns: " + name);
            }
            KeyType key = keys.get(name);
            columns.add(
                    key != null
                            ? new PostgresColumn(name, told.contains(name), Type.of(key), "")
                            : value(name, table, query.distinct()));
        }
        return columns;
    }

    private static void add(Map<String, KeyType> keys, SummaryLayout layout) {
        for (KeyColumn key : layout.keys()) {
            keys.put(key.name(), key.type());
        }
    }

    private static PostgresColumn value(String name, SummaryLayout table, Distinct distinct) throws PostgresException {
        for (ValueColumn value : table.values()) {
            if (value.name().equals(name)) {
                return value.type() == AggregateType.MULTISET64 && distinct == Distinct.HLL
                        ? set(name, value)
                        : new PostgresColumn(name, false, Type.of(value.type()), "");
            }
        }
        for (ValueColumn value : table.values()) {
            if (value.type() == AggregateType.MULTISET64 && name.equals(value.name() + SET_SUFFIX)) {
                return set(name, value);
            }
        }
        throw PostgresException.failed("the definitions have no column " + name);
    }

    private static PostgresColumn set(String name, ValueColumn value) {
        return new PostgresColumn(name, false, Type.SET, "(" + value.log2m() + "," + value.regwidth() + ",-1,1)");
    }

    boolean isSet() {
        return type == Type.SET;
    }

    /** The name in SQL. */
    String sql() {
        return TableName.quoted(name);
    }

    /**
     * The type in SQL.
     *
     * @param hll the type of sets, with its schema
     */
    String type(String hll) {
        return isSet() ? hll + sketch : type.sql;
    }
}
