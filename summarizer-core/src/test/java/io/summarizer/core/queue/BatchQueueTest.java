package io.summarizer.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract for every kind of queue at every stage that it serves, with every way of waiting that it offers. */
@ParameterizedClass
@MethodSource("shapes")
class BatchQueueTest extends BatchQueueContract {
    private final Shape shape;

    BatchQueueTest(Shape shape) {
        this.shape = shape;
    }

    record Shape(QueueKind kind, boolean shared, WaitPolicy waiting) {}

    static Stream<Shape> shapes() {
        List<Shape> shapes = new ArrayList<>();
        for (boolean shared : new boolean[] {true, false}) {
            for (QueueKind kind : shared ? QueueKind.forSharing() : QueueKind.forSingleConsumers()) {
                List<WaitPolicy> waits = kind.waits().isEmpty() ? List.of(WaitPolicy.BLOCKING) : kind.waits();
                waits.forEach(wait -> shapes.add(new Shape(kind, shared, wait)));
            }
        }
        assertThat(shapes).hasSize(2 * (2 + 2 * 4));
        return shapes.stream();
    }

    @Override
    <T> BatchQueue<T> create(int capacity) {
        return shape.shared
                ? shape.kind.shared(capacity, shape.waiting)
                : shape.kind.singleConsumer(capacity, shape.waiting);
    }

    @Override
    int maxConsumers() {
        return shape.shared ? Integer.MAX_VALUE : 1;
    }
}
