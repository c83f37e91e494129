package io.summarizer.core.decode;

/** Decoders that look each field up in the schema: the behaviour of generated decoders, spelled out. Stateless. */
public final class TableDecoders {
    private TableDecoders() {}

    /** A decoder for one thread that follows this schema, for any format. */
    public static PayloadDecoder of(EventSchema schema) {
        return switch (schema.format()) {
            case CSV -> new TableCsvDecoder(schema);
            case JSON -> new TableJsonDecoder(schema);
            case TEXT -> new TextDecoder(schema);
        };
    }
}
