package io.summarizer.core.decode;

import java.io.IOException;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A decoder of JSON that follows the schema, field by field. */
final class TableJsonDecoder extends JsonDecoder {
    private final Table root;

    /** A message: its fields, by position. */
    private static final class Table {
        final JsonMessage names;
        final Field[] fields;

        Table(JsonMessage names, Field[] fields) {
            this.names = names;
            this.fields = fields;
        }
    }

    /** A field with its inner fields; {@code key} is the number of a map's key. */
    private record Field(
            FieldSchema schema,
            int number,
            @Nullable Table message,
            @Nullable Field element,
            int key) {}

    TableJsonDecoder(EventSchema schema) {
        super(schema);
        IdentityHashMap<Object, Integer> numbers = new IdentityHashMap<>();
        number(schema.fields(), numbers);
        number(schema.messages(), numbers);
        root = table(schema.root(), numbers);
    }

    private static void number(List<?> things, IdentityHashMap<Object, Integer> numbers) {
        for (int i = 0; i < things.size(); i++) {
            numbers.put(things.get(i), i);
        }
    }

    private static int number(Object thing, IdentityHashMap<Object, Integer> numbers) {
        Integer number = numbers.get(thing);
        if (number == null) {
            throw new IllegalArgumentException(thing + " is not in the schema");
        }
        return number;
    }

    private Table table(MessageSchema message, IdentityHashMap<Object, Integer> numbers) {
        return new Table(
                message(number(message, numbers)),
                message.fields().stream().map(field -> field(field, numbers)).toArray(Field[]::new));
    }

    private Field field(FieldSchema field, IdentityHashMap<Object, Integer> numbers) {
        ElementSchema element = field.element();
        MessageSchema message = field.message();
        return new Field(
                field,
                number(field, numbers),
                message == null ? null : table(message, numbers),
                element == null || element.value() == null ? null : field(element.value(), numbers),
                element == null || element.key() == null ? -1 : number(element.key(), numbers));
    }

    @Override
    protected void readRoot(InputEvent event) throws IOException, BadPayloadException {
        readObject(event, InputEvent.ROOT, root);
    }

    private void readObject(InputEvent event, int record, Table table) throws IOException, BadPayloadException {
        if (!openObject()) {
            return;
        }
        JsonName name = table.names.start;
        do {
            name = name(table.names, name);
            if (name.field < 0) {
                skip();
            } else {
                choose(event, record, table.fields[name.field].number);
                readField(event, record, table.fields[name.field]);
            }
        } while (nextField());
    }

    private void readField(InputEvent event, int record, Field field) throws IOException, BadPayloadException {
        int slot = field.schema.valueSlot();
        switch (field.schema.kind()) {
            case MESSAGE -> readMessage(event, record, field);
            case LIST -> readList(event, record, field);
            case MAP -> readMap(event, record, field);
            case INT64, UINT64 -> integer64(event, record, slot, field.number);
            case INT32, UINT32 -> integer32(event, record, slot, field.number);
            case TIMESTAMP -> timestamp(event, record, slot, field.number);
            case MEMBER -> skip();
            case DOUBLE -> decimal(event, record, slot, field.schema.microsSlot(), field.number);
            case STRING -> text(event, record, slot, field.number);
            default -> scalar(event, record, field.number);
        }
    }

    private void readMessage(InputEvent event, int record, Field field) throws IOException, BadPayloadException {
        MessageSchema message = field.schema.message();
        int first = message == null ? 0 : message.firstSlot();
        int end = message == null ? 0 : message.endSlot();
        if (!startMessage(event, record, field.schema.valueSlot(), first, end, field.number)) {
            return;
        }
        if (field.message != null) {
            readObject(event, record, field.message);
        } else {
            skip();
        }
    }

    private void readList(InputEvent event, int record, Field field) throws IOException, BadPayloadException {
        if (!startList(event, record, field.number)) {
            return;
        }
        int slots = slots(field);
        int head = 0;
        int last = 0;
        int length = 0;
        if (openArray()) {
            do {
                int element = event.newRecord(slots);
                if (length++ == 0) {
                    head = element;
                } else {
                    event.link(last, element);
                }
                last = element;
                readElement(event, element, field);
            } while (nextElement());
        }
        event.set(record, field.schema.valueSlot(), InputEvent.list(head, length));
    }

    private static int slots(Field field) {
        ElementSchema element = field.schema.element();
        return element == null ? 0 : element.slots();
    }

    private void readElement(InputEvent event, int element, Field field) throws IOException, BadPayloadException {
        if (field.element != null) {
            readField(event, element, field.element);
        } else {
            skip();
        }
    }

    private void readMap(InputEvent event, int record, Field field) throws IOException, BadPayloadException {
        if (!startMap(event, record, field.number)) {
            return;
        }
        int slots = slots(field);
        int head = 0;
        int last = 0;
        int length = 0;
        if (openObject()) {
            do {
                int element = event.newRecord(slots);
                mapKey(event, element, field.key);
                readElement(event, element, field);
                if (length++ == 0) {
                    head = element;
                } else {
                    event.link(last, element);
                }
                last = element;
            } while (nextField());
        }
        event.set(record, field.schema.valueSlot(), lastOfEqualKeys(event, field.key, slots, head, length));
    }
}
