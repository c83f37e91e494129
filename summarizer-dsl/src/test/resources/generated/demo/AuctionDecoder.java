package io.summarizer.generated;

import io.summarizer.core.decode.BadPayloadException;
import io.summarizer.core.decode.EventSchema;
import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.decode.JsonDecoder;
import io.summarizer.core.decode.JsonMessage;
import io.summarizer.core.decode.JsonName;
import java.io.IOException;

/**
 * Reads the fields of Auction that mappings use from JSON.
 */
public final class AuctionDecoder extends JsonDecoder {
    private final JsonMessage eventNames;
    private final JsonMessage placementNames;
    private final JsonMessage userNames;
    private final JsonMessage costNames;
    private final JsonMessage interactionsNames;
    private final JsonMessage conversionsNames;

    public AuctionDecoder(EventSchema schema) {
        super(schema);
        eventNames = message(0);
        placementNames = message(1);
        userNames = message(2);
        costNames = message(3);
        interactionsNames = message(4);
        conversionsNames = message(5);
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
                case 0: // placement
                    readFieldPlacement(event, record);
                    break;
                case 1: // audience_attribute_id
                    integer64(event, record, 3, 4);
                    break;
                case 2: // user
                    readFieldUser(event, record);
                    break;
                case 3: // cost
                    readFieldCost(event, record);
                    break;
                case 4: // interactions
                    readListInteractions(event, record);
                    break;
                case 5: // conversions
                    readListConversions(event, record);
                    break;
                default:
                    skip();
            }
        } while (nextField());
    }

    private void readFieldPlacement(InputEvent event, int record) throws IOException, BadPayloadException {
        if (startMessage(event, record, -1, 0, 3, 0)) {
            readPlacement(event, record);
        }
    }

    private void readPlacement(InputEvent event, int record) throws IOException, BadPayloadException {
        if (!openObject()) {
            return;
        }
        JsonName name = placementNames.start;
        do {
            name = name(placementNames, name);
            switch (name.field) {
                case 0: // campaign_id
                    integer64(event, record, 0, 1);
                    break;
                case 1: // inventory_id
                    integer64(event, record, 1, 2);
                    break;
                case 2: // creative_id
                    integer64(event, record, 2, 3);
                    break;
                default:
                    skip();
            }
        } while (nextField());
    }

    private void readFieldUser(InputEvent event, int record) throws IOException, BadPayloadException {
        if (startMessage(event, record, -1, 4, 5, 5)) {
            readUser(event, record);
        }
    }

    private void readUser(InputEvent event, int record) throws IOException, BadPayloadException {
        if (!openObject()) {
            return;
        }
        JsonName name = userNames.start;
        do {
            name = name(userNames, name);
            switch (name.field) {
                case 0: // id
                    integer64(event, record, 4, 6);
                    break;
                default:
                    skip();
            }
        } while (nextField());
    }

    private void readFieldCost(InputEvent event, int record) throws IOException, BadPayloadException {
        if (startMessage(event, record, -1, 5, 7, 7)) {
            readCost(event, record);
        }
    }

    private void readCost(InputEvent event, int record) throws IOException, BadPayloadException {
        if (!openObject()) {
            return;
        }
        JsonName name = costNames.start;
        do {
            name = name(costNames, name);
            switch (name.field) {
                case 0: // media
                    decimal(event, record, -1, 5, 8);
                    break;
                case 1: // data
                    decimal(event, record, -1, 6, 9);
                    break;
                default:
                    skip();
            }
        } while (nextField());
    }

    private void readListInteractions(InputEvent event, int record) throws IOException, BadPayloadException {
        if (!startList(event, record, 10)) {
            return;
        }
        int head = 0;
        int last = 0;
        int length = 0;
        if (openArray()) {
            do {
                int element = event.newRecord(2);
                if (length++ == 0) {
                    head = element;
                } else {
                    event.link(last, element);
                }
                last = element;
                readFieldInteractions(event, element);
            } while (nextElement());
        }
        event.set(record, 7, InputEvent.list(head, length));
    }

    private void readFieldInteractions(InputEvent event, int record) throws IOException, BadPayloadException {
        if (startMessage(event, record, -1, 0, 2, 11)) {
            readInteractions(event, record);
        }
    }

    private void readInteractions(InputEvent event, int record) throws IOException, BadPayloadException {
        if (!openObject()) {
            return;
        }
        JsonName name = interactionsNames.start;
        do {
            name = name(interactionsNames, name);
            switch (name.field) {
                case 0: // action_id
                    integer64(event, record, 0, 12);
                    break;
                case 1: // revenue
                    decimal(event, record, -1, 1, 13);
                    break;
                default:
                    skip();
            }
        } while (nextField());
    }

    private void readListConversions(InputEvent event, int record) throws IOException, BadPayloadException {
        if (!startList(event, record, 14)) {
            return;
        }
        int head = 0;
        int last = 0;
        int length = 0;
        if (openArray()) {
            do {
                int element = event.newRecord(3);
                if (length++ == 0) {
                    head = element;
                } else {
                    event.link(last, element);
                }
                last = element;
                readFieldConversions(event, element);
            } while (nextElement());
        }
        event.set(record, 8, InputEvent.list(head, length));
    }

    private void readFieldConversions(InputEvent event, int record) throws IOException, BadPayloadException {
        if (startMessage(event, record, -1, 0, 3, 15)) {
            readConversions(event, record);
        }
    }

    private void readConversions(InputEvent event, int record) throws IOException, BadPayloadException {
        if (!openObject()) {
            return;
        }
        JsonName name = conversionsNames.start;
        do {
            name = name(conversionsNames, name);
            switch (name.field) {
                case 0: // model_id
                    integer64(event, record, 0, 16);
                    break;
                case 1: // type_id
                    integer64(event, record, 1, 17);
                    break;
                case 2: // revenue
                    decimal(event, record, -1, 2, 18);
                    break;
                default:
                    skip();
            }
        } while (nextField());
    }
}
