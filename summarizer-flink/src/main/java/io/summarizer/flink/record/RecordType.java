package io.summarizer.flink.record;

import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.jspecify.annotations.Nullable;

/** A type of records for Flink, with a serializer of its own and without reflection. Immutable. */
public final class RecordType<T> extends TypeInformation<T> {
    private static final long serialVersionUID = 1;

    /** Updates of a key group. */
    public static final RecordType<GroupUpdates> UPDATES =
            new RecordType<>(GroupUpdates.class, new GroupUpdatesSerializer());
    /** Progress of an input. */
    public static final RecordType<Progress> PROGRESS = new RecordType<>(Progress.class, new ProgressSerializer());
    /** Decisions of the coordinator. */
    public static final RecordType<Decision> DECISION = new RecordType<>(Decision.class, new DecisionSerializer());

    private final Class<T> type;
    private final TypeSerializer<T> serializer;

    /** A type with this serializer. */
    public RecordType(Class<T> type, TypeSerializer<T> serializer) {
        this.type = type;
        this.serializer = serializer;
    }

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
    public Class<T> getTypeClass() {
        return type;
    }

    @Override
    public boolean isKeyType() {
        return false;
    }

    @Override
    public TypeSerializer<T> createSerializer(SerializerConfig config) {
        return serializer;
    }

    @Override
    public String toString() {
        return type.getSimpleName();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RecordType<?> that && type == that.type;
    }

    @Override
    public int hashCode() {
        return type.hashCode();
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof RecordType<?>;
    }
}
