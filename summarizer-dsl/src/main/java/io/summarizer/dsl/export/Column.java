package io.summarizer.dsl.export;

import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.RowFormat;
import io.summarizer.dsl.model.EventField;

/**
 * A column of a CSV: the place and type of its value. Immutable.
 *
 * @param name name of the field
 * @param level nesting level of the column's summary; 0 for the top-level summary
 * @param position position among the key columns of the summary, or, for a value column, among its value columns
 * @param key whether the column is a key column
 * @param type type of the column's fields
 * @param format format of the rows of {@code level}
 */
record Column(String name, int level, int position, boolean key, Type type, RowFormat format) {
    /** Makes a column that shows the set of this multiset column, in place of the estimate. */
    Column asSet(String name) {
        return new Column(name, level, position, key, Type.SET, format);
    }

    /** Type of a field. If a key type and a value type look alike in a CSV, they are the same type here. */
    enum Type {
        INT32(EventField.Kind.INT32),
        UINT32(EventField.Kind.UINT32),
        INT64(EventField.Kind.INT64),
        /** A sum of integers, of up to 128 bits. */
        SUM(EventField.Kind.INT64),
        UINT64(EventField.Kind.UINT64),
        BOOL(EventField.Kind.BOOL),
        TEXT(EventField.Kind.STRING),
        TIMESTAMP(EventField.Kind.TIMESTAMP),
        DOUBLE(EventField.Kind.DOUBLE),
        /** Millionths, of up to 128 bits. */
        CURRENCY(EventField.Kind.DOUBLE),
        /** The estimate of a multiset's cardinality. */
        CARDINALITY(EventField.Kind.INT64),
        /** A multiset itself, as PostgreSQL's {@code hll}; not allowed in conditions. */
        SET(EventField.Kind.BYTES);

        private final EventField.Kind kind;

        Type(EventField.Kind kind) {
            this.kind = kind;
        }

        /** Whether the length of the field has no bound. */
        boolean isText() {
            return this == TEXT || this == SET;
        }

        /** The kind of the field in conditions. */
        EventField.Kind kind() {
            return kind;
        }

        static Type of(KeyType type) {
            return switch (type) {
                case INT32 -> INT32;
                case INT64 -> INT64;
                case UINT32 -> UINT32;
                case UINT64 -> UINT64;
                case BOOL -> BOOL;
                case STRING -> TEXT;
                case TIMESTAMP -> TIMESTAMP;
            };
        }

        static Type of(AggregateType type) {
            return switch (type) {
                case SUMINT32, SUMINT64 -> SUM;
                case COUNT, MININT64, MAXINT64, FIRSTINT64, LASTINT64 -> INT64;
                case SUMFLOAT, SUMDOUBLE, MINDOUBLE, MAXDOUBLE -> DOUBLE;
                case SUMCURRENCY -> CURRENCY;
                case MINTIMESTAMP, MAXTIMESTAMP -> TIMESTAMP;
                case FIRSTSTRING, LASTSTRING -> TEXT;
                case MULTISET64 -> CARDINALITY;
            };
        }
    }
}
