package io.summarizer.server.json;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.cfg.EnumFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

/**
 * Writes records as JSON and reads them back. The components of a record become members; the record's other methods do
 * not. Names of members have underscores: {@code keptSeconds} becomes {@code kept_seconds}. Nulls are written as null,
 * constants of enums in lower case.
 */
public final class Json {
    /** The mapper, which reads and writes. It ignores members that a record does not have. */
    public static final JsonMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .visibility(PropertyAccessor.IS_GETTER, Visibility.NONE)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(EnumFeature.WRITE_ENUMS_TO_LOWERCASE)
            .build();

    private static final DefaultIndenter INDENTER = new DefaultIndenter("  ", "\n");
    private static final ObjectWriter INDENTED = MAPPER.writer(
            new DefaultPrettyPrinter().withObjectIndenter(INDENTER).withArrayIndenter(INDENTER));

    private Json() {}

    /** Returns the JSON of a record, a list or a map of records, or a tree, on one line in UTF-8. */
    public static byte[] bytes(Object value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw unwritable(value, e);
        }
    }

    /** Returns the JSON in a readable form, with a line for each member and without a final line feed. */
    public static String indented(Object value) {
        try {
            return INDENTED.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw unwritable(value, e);
        }
    }

    private static IllegalArgumentException unwritable(Object value, JsonProcessingException e) {
        return new IllegalArgumentException(value.getClass().getName() + " cannot be written as JSON", e);
    }
}
