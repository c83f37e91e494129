package io.summarizer.dsl.proto;

import com.squareup.wire.schema.Location;
import com.squareup.wire.schema.internal.parser.FieldElement;
import com.squareup.wire.schema.internal.parser.MessageElement;
import com.squareup.wire.schema.internal.parser.ReservedElement;
import io.summarizer.dsl.diagnose.Diagnostics;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import kotlin.ranges.IntRange;
import org.jspecify.annotations.Nullable;

/** The {@code reserved} numbers and names of one message. */
final class ProtoReservations {
    private record Range(int last, Location at) {}

    private final Diagnostics diagnostics;
    private final ProtoFiles.Parsed file;
    private final Map<String, Location> names = new HashMap<>();
    /** By the first number. Ranges that overlap are an error in protoc; here, one of them may be overlooked. */
    private final TreeMap<Integer, Range> numbers = new TreeMap<>();

    ProtoReservations(Diagnostics diagnostics, ProtoFiles.Parsed file, MessageElement message) {
        this.diagnostics = diagnostics;
        this.file = file;
        for (ReservedElement reserved : message.getReserveds()) {
            for (Object value : reserved.getValues()) {
                if (value instanceof String name) {
                    names.put(name, reserved.getLocation());
                } else if (value instanceof IntRange range) {
                    numbers.put(range.getFirst(), new Range(range.getLast(), reserved.getLocation()));
                } else if (value instanceof Integer number) {
                    numbers.putIfAbsent(number, new Range(number, reserved.getLocation()));
                }
            }
        }
    }

    /** Reports a field that takes a reserved number or name. */
    void check(FieldElement field) {
        Map.Entry<Integer, Range> range = numbers.floorEntry(field.getTag());
        if (range != null && field.getTag() <= range.getValue().last) {
            report(field, "number " + field.getTag(), "number", range.getValue().at);
        }
        report(field, "`" + field.getName() + "`", "name", names.get(field.getName()));
    }

    private void report(FieldElement field, String taken, String what, @Nullable Location reserved) {
        if (reserved != null) {
            diagnostics.newError(
                    file.span(field.getLocation()),
                    taken + " is reserved in line " + file.span(reserved).line(),
                    "old messages may have a former field with it; take another " + what);
        }
    }
}
