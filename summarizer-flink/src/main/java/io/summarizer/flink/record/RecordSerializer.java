package io.summarizer.flink.record;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.jspecify.annotations.Nullable;

/**
 * A serializer of records that are only sent over the network. No state depends on the form of these records.
 * Stateless.
 */
public abstract class RecordSerializer<T> extends TypeSerializer<T> {
    private static final long serialVersionUID = 1;

    @Override
    public boolean isImmutableType() {
        return true;
    }

    @Override
    public TypeSerializer<T> duplicate() {
        return this;
    }

    @Override
    public T createInstance() {
        throw new UnsupportedOperationException("records are made by their operators");
    }

    @Override
    public T copy(T from) {
        return from;
    }

    @Override
    public T copy(T from, T reuse) {
        return from;
    }

    @Override
    public int getLength() {
        return -1;
    }

    @Override
    public T deserialize(T reuse, DataInputView source) throws IOException {
        return deserialize(source);
    }

    @Override
    public void copy(DataInputView source, DataOutputView target) throws IOException {
        serialize(deserialize(source), target);
    }

    /** {@inheritDoc} No state has such records, so no snapshot is read again. */
    @Override
    public final TypeSerializerSnapshot<T> snapshotConfiguration() {
        return new SimpleTypeSerializerSnapshot<>(() -> this) {};
    }

    @Override
    @SuppressWarnings("EqualsGetClass") // serializers of one class are equal
    public boolean equals(@Nullable Object other) {
        return other != null && getClass() == other.getClass();
    }

    @Override
    public int hashCode() {
        return getClass().hashCode();
    }
}
