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
    private static final int PLACEMENT_FIELD = 0;
    private static final int NO_SLOT = -1;
    private final JsonMessage placementNames;
    private static final int CAMPAIGN_ID_FIELD = 1;
    private static final int CAMPAIGN_ID_SLOT = 0;
    private static final int INVENTORY_ID_FIELD = 2;
    private static final int INVENTORY_ID_SLOT = 1;
    private static final int CREATIVE_ID_FIELD = 3;
    private static final int CREATIVE_ID_SLOT = 2;
    private static final int AUDIENCE_ATTRIBUTE_ID_FIELD = 4;
    private static final int AUDIENCE_ATTRIBUTE_ID_SLOT = 3;
    private static final int USER_FIELD = 5;
    private final JsonMessage userNames;
    private static final int ID_FIELD = 6;
    private static final int ID_SLOT = 4;
    private static final int COST_FIELD = 7;
    private final JsonMessage costNames;
    private static final int MEDIA_FIELD = 8;
    private static final int MEDIA_MICROS_SLOT = 5;
    private static final int DATA_FIELD = 9;
    private static final int DATA_MICROS_SLOT = 6;
    private static final int INTERACTIONS_FIELD = 10;
    private static final int INTERACTIONS_FIELD2 = 11;
    private final JsonMessage interactionsNames;
    private static final int ACTION_ID_FIELD = 12;
    private static final int ACTION_ID_SLOT = 0;
    private static final int REVENUE_FIELD = 13;
    private static final int REVENUE_MICROS_SLOT = 1;
    private static final int INTERACTIONS_SLOT = 7;
    private static final int CONVERSIONS_FIELD = 14;
    private static final int CONVERSIONS_FIELD2 = 15;
    private final JsonMessage conversionsNames;
    private static final int MODEL_ID_FIELD = 16;
    private static final int MODEL_ID_SLOT = 0;
    private static final int TYPE_ID_FIELD = 17;
    private static final int TYPE_ID_SLOT = 1;
    private static final int REVENUE_FIELD2 = 18;
    private static final int REVENUE_MICROS_SLOT2 = 2;
    private static final int CONVERSIONS_SLOT = 8;

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
                    integer64(event, record, AUDIENCE_ATTRIBUTE_ID_SLOT, AUDIENCE_ATTRIBUTE_ID_FIELD);
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
        if (startMessage(event, record, NO_SLOT, 0, 3, PLACEMENT_FIELD)) {
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
                    integer64(event, record, CAMPAIGN_ID_SLOT, CAMPAIGN_ID_FIELD);
                    break;
                case 1: // inventory_id
                    integer64(event, record, INVENTORY_ID_SLOT, INVENTORY_ID_FIELD);
                    break;
                case 2: // creative_id
                    integer64(event, record, CREATIVE_ID_SLOT, CREATIVE_ID_FIELD);
                    break;
                default:
                    skip();
            }
        } while (nextField());
    }

    private void readFieldUser(InputEvent event, int record) throws IOException, BadPayloadException {
        if (startMessage(event, record, NO_SLOT, 4, 5, USER_FIELD)) {
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
                    integer64(event, record, ID_SLOT, ID_FIELD);
                    break;
                default:
                    skip();
            }
        } while (nextField());
    }

    private void readFieldCost(InputEvent event, int record) throws IOException, BadPayloadException {
        if (startMessage(event, record, NO_SLOT, 5, 7, COST_FIELD)) {
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
                    decimal(event, record, NO_SLOT, MEDIA_MICROS_SLOT, MEDIA_FIELD);
                    break;
                case 1: // data
                    decimal(event, record, NO_SLOT, DATA_MICROS_SLOT, DATA_FIELD);
                    break;
                default:
                    skip();
            }
        } while (nextField());
    }

    private void readListInteractions(InputEvent event, int record) throws IOException, BadPayloadException {
        if (!startList(event, record, INTERACTIONS_FIELD)) {
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
        event.set(record, INTERACTIONS_SLOT, InputEvent.list(head, length));
    }

    private void readFieldInteractions(InputEvent event, int record) throws IOException, BadPayloadException {
        if (startMessage(event, record, NO_SLOT, 0, 2, INTERACTIONS_FIELD2)) {
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
                    integer64(event, record, ACTION_ID_SLOT, ACTION_ID_FIELD);
                    break;
                case 1: // revenue
                    decimal(event, record, NO_SLOT, REVENUE_MICROS_SLOT, REVENUE_FIELD);
                    break;
                default:
                    skip();
            }
        } while (nextField());
    }

    private void readListConversions(InputEvent event, int record) throws IOException, BadPayloadException {
        if (!startList(event, record, CONVERSIONS_FIELD)) {
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
        event.set(record, CONVERSIONS_SLOT, InputEvent.list(head, length));
    }

    private void readFieldConversions(InputEvent event, int record) throws IOException, BadPayloadException {
        if (startMessage(event, record, NO_SLOT, 0, 3, CONVERSIONS_FIELD2)) {
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
                    integer64(event, record, MODEL_ID_SLOT, MODEL_ID_FIELD);
                    break;
                case 1: // type_id
                    integer64(event, record, TYPE_ID_SLOT, TYPE_ID_FIELD);
                    break;
                case 2: // revenue
                    decimal(event, record, NO_SLOT, REVENUE_MICROS_SLOT2, REVENUE_FIELD2);
                    break;
                default:
                    skip();
            }
        } while (nextField());
    }
}
