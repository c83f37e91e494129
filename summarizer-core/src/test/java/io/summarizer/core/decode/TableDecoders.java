package io.summarizer.core.decode;

/** Decoders that look each field up in the schema: what generated decoders must do, spelled out. Stateless. */
public final class TableDecoders {
    private TableDecoders() {}

    /** A decoder for one thread that goes by this schema, whatever its format. */
    public static PayloadDecoder of(EventSchema schema) {
        return switch (schema.format()) {
            case CSV -> new TableCsvDecoder(schema);
            case JSON -> new TableJsonDecoder(schema);
            case TEXT -> new TextDecoder(schema);
        };
    }
}
