package io.summarizer.flink.source;

import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.jspecify.annotations.Nullable;

/** The type of {@link SourceRecord} for Flink: its own serializer, no reflection. Stateless. */
public final class SourceRecordType extends TypeInformation<SourceRecord> {
    private static final long serialVersionUID = 1;

    /** The only instance that is needed. */
    public static final SourceRecordType INSTANCE = new SourceRecordType();

    private SourceRecordType() {}

    @Override
    public boolean isBasicType() {
        return false;
    }

    @Override
    public boolean isTupleType() {
        return false;
    }

    @Override
    public int getArity() {
        return 1;
    }

    @Override
    public int getTotalFields() {
        return 1;
    }

    @Override
    public Class<SourceRecord> getTypeClass() {
        return SourceRecord.class;
    }

    @Override
    public boolean isKeyType() {
        return false;
    }

    @Override
    public TypeSerializer<SourceRecord> createSerializer(SerializerConfig config) {
        return SourceRecordSerializer.INSTANCE;
    }

    @Override
    public String toString() {
        return "SourceRecord";
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SourceRecordType;
    }

    @Override
    public int hashCode() {
        return SourceRecordType.class.hashCode();
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof SourceRecordType;
    }
}
