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
    private static final int ID_FIELD = 0;
    private static final int ID_SLOT = 0;
    private static final int STATUS_FIELD = 1;
    private static final int CARD_FIELD = 2;
    private static final int CARD_SLOT = 2;
    private static final int GIFT_FIELD = 3;
    private static final int STORE_FIELD = 4;
    private static final int STORE_SLOT = 4;
    private static final int TIME_FIELD = 5;
    private static final int TIME_SLOT = 5;
    private static final int DISCOUNT_FIELD = 6;
    private static final int DISCOUNT_SLOT = 6;
    private static final int NO_SLOT = -1;
    private static final int ITEMS_FIELD = 7;
    private static final int ITEMS_FIELD2 = 8;
    private final JsonMessage itemsNames;
    private static final int QUANTITY_FIELD = 9;
    private static final int QUANTITY_SLOT = 0;
    private static final int SKU_FIELD = 10;
    private static final int SKU_SLOT = 1;
    private static final int PRICE_FIELD = 11;
    private static final int PRICE_SLOT = 2;
    private static final int TAGS_FIELD = 12;
    private static final int TAGS_FIELD2 = 13;
    private static final int TAGS_SLOT = 0;
    private static final int TAGS_SLOT2 = 3;
    private static final int ITEMS_SLOT = 7;
    private static final int POINTS_FIELD = 14;
    private static final int POINTS_SLOT = 8;
    private static final int FEES_FIELD = 15;
    private static final int FEES_KEY_FIELD = 16;
    private static final int FEES_VALUE_FIELD = 17;
    private static final int FEES_VALUE_SLOT = 1;
    private static final int FEES_SLOT = 9;
    private static final int ADDRESSES_FIELD = 18;
    private static final int ADDRESSES_KEY_FIELD = 19;
    private static final int ADDRESSES_VALUE_FIELD = 20;
    private final JsonMessage addressesValueNames;
    private static final int CITY_FIELD = 21;
    private static final int CITY_SLOT = 1;
    private static final int COUNTRY_FIELD = 22;
    private static final int COUNTRY_SLOT = 2;
    private static final int ADDRESSES_SLOT = 10;
    private static final int IBAN_FIELD = 23;

    public OrderDecoder(EventSchema schema) {
        super(schema);
        eventNames = message(0);
        itemsNames = message(1);
        addressesValueNames = message(2);
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
                    integer64(event, record, ID_SLOT, ID_FIELD);
                    break;
                case 1: // status
                    scalar(event, record, STATUS_FIELD);
                    break;
                case 2: // card
                    choose(event, record, CARD_FIELD);
                    text(event, record, CARD_SLOT, CARD_FIELD);
                    break;
                case 3: // gift
                    scalar(event, record, GIFT_FIELD);
                    break;
                case 4: // store
                    integer32(event, record, STORE_SLOT, STORE_FIELD);
                    break;
                case 5: // time
                    timestamp(event, record, TIME_SLOT, TIME_FIELD);
                    break;
                case 6: // discount
                    decimal(event, record, DISCOUNT_SLOT, NO_SLOT, DISCOUNT_FIELD);
                    break;
                case 7: // items
                    readListItems(event, record);
                    break;
                case 8: // points
                    integer64(event, record, POINTS_SLOT, POINTS_FIELD);
                    break;
                case 9: // fees
                    readMapFees(event, record);
                    break;
                case 10: // addresses
                    readMapAddresses(event, record);
                    break;
                case 11: // iban
                    choose(event, record, IBAN_FIELD);
                    skip();
                    break;
                default:
                    skip();
            }
        } while (nextField());
    }

    private void readListItems(InputEvent event, int record) throws IOException, BadPayloadException {
        if (!startList(event, record, ITEMS_FIELD)) {
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
        event.set(record, ITEMS_SLOT, InputEvent.list(head, length));
    }

    private void readFieldItems(InputEvent event, int record) throws IOException, BadPayloadException {
        if (startMessage(event, record, NO_SLOT, 0, 4, ITEMS_FIELD2)) {
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
                    integer32(event, record, QUANTITY_SLOT, QUANTITY_FIELD);
                    break;
                case 1: // sku
                    text(event, record, SKU_SLOT, SKU_FIELD);
                    break;
                case 2: // price
                    decimal(event, record, PRICE_SLOT, NO_SLOT, PRICE_FIELD);
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
        if (!startList(event, record, TAGS_FIELD)) {
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
                text(event, element, TAGS_SLOT, TAGS_FIELD2);
            } while (nextElement());
        }
        event.set(record, TAGS_SLOT2, InputEvent.list(head, length));
    }

    private void readMapFees(InputEvent event, int record) throws IOException, BadPayloadException {
        if (!startMap(event, record, FEES_FIELD)) {
            return;
        }
        int head = 0;
        int last = 0;
        int length = 0;
        if (openObject()) {
            do {
                int element = event.newRecord(2);
                mapKey(event, element, FEES_KEY_FIELD);
                decimal(event, element, FEES_VALUE_SLOT, NO_SLOT, FEES_VALUE_FIELD);
                if (length++ == 0) {
                    head = element;
                } else {
                    event.link(last, element);
                }
                last = element;
            } while (nextField());
        }
        event.set(record, FEES_SLOT, lastOfEqualKeys(event, FEES_KEY_FIELD, 2, head, length));
    }

    private void readMapAddresses(InputEvent event, int record) throws IOException, BadPayloadException {
        if (!startMap(event, record, ADDRESSES_FIELD)) {
            return;
        }
        int head = 0;
        int last = 0;
        int length = 0;
        if (openObject()) {
            do {
                int element = event.newRecord(3);
                mapKey(event, element, ADDRESSES_KEY_FIELD);
                readFieldAddressesValue(event, element);
                if (length++ == 0) {
                    head = element;
                } else {
                    event.link(last, element);
                }
                last = element;
            } while (nextField());
        }
        event.set(record, ADDRESSES_SLOT, lastOfEqualKeys(event, ADDRESSES_KEY_FIELD, 3, head, length));
    }

    private void readFieldAddressesValue(InputEvent event, int record) throws IOException, BadPayloadException {
        if (startMessage(event, record, NO_SLOT, 1, 3, ADDRESSES_VALUE_FIELD)) {
            readAddressesValue(event, record);
        }
    }

    private void readAddressesValue(InputEvent event, int record) throws IOException, BadPayloadException {
        if (!openObject()) {
            return;
        }
        JsonName name = addressesValueNames.start;
        do {
            name = name(addressesValueNames, name);
            switch (name.field) {
                case 0: // city
                    text(event, record, CITY_SLOT, CITY_FIELD);
                    break;
                case 1: // country
                    text(event, record, COUNTRY_SLOT, COUNTRY_FIELD);
                    break;
                default:
                    skip();
            }
        } while (nextField());
    }
}
