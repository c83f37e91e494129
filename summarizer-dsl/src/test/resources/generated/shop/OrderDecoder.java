package io.summarizer.generated;

import io.summarizer.core.decode.BadPayloadException;
import io.summarizer.core.decode.EventSchema;
import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.decode.JsonDecoder;
import io.summarizer.core.decode.JsonMessage;
import io.summarizer.core.decode.JsonName;
import java.io.IOException;

/**
 * Reads the fields of Order that mappings use from JSON.
 */
public final class OrderDecoder extends JsonDecoder {
    private final JsonMessage eventNames;
    private final JsonMessage itemsNames;
    private final JsonMessage valueNames;

    public OrderDecoder(EventSchema schema) {
        super(schema);
        eventNames = message(0);
        itemsNames = message(1);
        valueNames = message(2);
    }

    @Override
    protected void readRoot(InputEvent event) throws IOException, BadPayloadException {
        readEvent(event, InputEvent.ROOT);
    }

    private void readEvent(InputEvent event, int record) throws IOException, BadPayloadException {
        if (!openObject()) {
            return;
        }
        JsonName name = eventNames.start;
        do {
            name = name(eventNames, name);
            switch (name.field) {
                case 0: // id
                    integer64(event, record, 0, 0);
                    break;
                case 1: // status
                    scalar(event, record, 1);
                    break;
                case 2: // card
                    choose(event, record, 2);
                    scalar(event, record, 2);
                    break;
                case 3: // gift
                    scalar(event, record, 3);
                    break;
                case 4: // store
                    integer32(event, record, 4, 4);
                    break;
                case 5: // time
                    timestamp(event, record, 5, 5);
                    break;
                case 6: // discount
                    decimal(event, record, 6, -1, 6);
                    break;
                case 7: // items
                    readListItems(event, record);
                    break;
                case 8: // points
                    integer64(event, record, 8, 14);
                    break;
                case 9: // fees
                    readMapFees(event, record);
                    break;
                case 10: // addresses
                    readMapAddresses(event, record);
                    break;
                case 11: // iban
                    choose(event, record, 23);
                    skip();
                    break;
                default:
                    skip();
            }
        } while (nextField());
    }

    private void readListItems(InputEvent event, int record) throws IOException, BadPayloadException {
        if (!startList(event, record, 7)) {
            return;
        }
        int head = 0;
        int last = 0;
        int length = 0;
        if (openArray()) {
            do {
                int element = event.newRecord(4);
                if (length++ == 0) {
                    head = element;
                } else {
                    event.link(last, element);
                }
                last = element;
                readFieldItems(event, element);
            } while (nextElement());
        }
        event.set(record, 7, InputEvent.list(head, length));
    }

    private void readFieldItems(InputEvent event, int record) throws IOException, BadPayloadException {
        if (startMessage(event, record, -1, 0, 4, 8)) {
            readItems(event, record);
        }
    }

    private void readItems(InputEvent event, int record) throws IOException, BadPayloadException {
        if (!openObject()) {
            return;
        }
        JsonName name = itemsNames.start;
        do {
            name = name(itemsNames, name);
            switch (name.field) {
                case 0: // quantity
                    integer32(event, record, 0, 9);
                    break;
                case 1: // sku
                    scalar(event, record, 10);
                    break;
                case 2: // price
                    decimal(event, record, 2, -1, 11);
                    break;
                case 3: // tags
                    readListTags(event, record);
                    break;
                default:
                    skip();
            }
        } while (nextField());
    }

    private void readListTags(InputEvent event, int record) throws IOException, BadPayloadException {
        if (!startList(event, record, 12)) {
            return;
        }
        int head = 0;
        int last = 0;
        int length = 0;
        if (openArray()) {
            do {
                int element = event.newRecord(1);
                if (length++ == 0) {
                    head = element;
                } else {
                    event.link(last, element);
                }
                last = element;
                scalar(event, element, 13);
            } while (nextElement());
        }
        event.set(record, 3, InputEvent.list(head, length));
    }

    private void readMapFees(InputEvent event, int record) throws IOException, BadPayloadException {
        if (!startMap(event, record, 15)) {
            return;
        }
        int head = 0;
        int last = 0;
        int length = 0;
        if (openObject()) {
            do {
                int element = event.newRecord(2);
                mapKey(event, element, 16);
                decimal(event, element, 1, -1, 17);
                if (length++ == 0) {
                    head = element;
                } else {
                    event.link(last, element);
                }
                last = element;
            } while (nextField());
        }
        event.set(record, 9, lastOfEqualKeys(event, 16, 2, head, length));
    }

    private void readMapAddresses(InputEvent event, int record) throws IOException, BadPayloadException {
        if (!startMap(event, record, 18)) {
            return;
        }
        int head = 0;
        int last = 0;
        int length = 0;
        if (openObject()) {
            do {
                int element = event.newRecord(3);
                mapKey(event, element, 19);
                readFieldValue(event, element);
                if (length++ == 0) {
                    head = element;
                } else {
                    event.link(last, element);
                }
                last = element;
            } while (nextField());
        }
        event.set(record, 10, lastOfEqualKeys(event, 19, 3, head, length));
    }

    private void readFieldValue(InputEvent event, int record) throws IOException, BadPayloadException {
        if (startMessage(event, record, -1, 1, 3, 20)) {
            readValue(event, record);
        }
    }

    private void readValue(InputEvent event, int record) throws IOException, BadPayloadException {
        if (!openObject()) {
            return;
        }
        JsonName name = valueNames.start;
        do {
            name = name(valueNames, name);
            switch (name.field) {
                case 0: // city
                    scalar(event, record, 21);
                    break;
                case 1: // country
                    scalar(event, record, 22);
                    break;
                default:
                    skip();
            }
        } while (nextField());
    }
}
