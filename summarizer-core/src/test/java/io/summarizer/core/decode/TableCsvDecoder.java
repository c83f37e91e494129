package io.summarizer.core.decode;

/** A decoder of CSV that follows the schema, column by column. */
final class TableCsvDecoder extends CsvDecoder {
    /** Number of the wanted field by column, from 0; -1 for the others. */
    private final int[] columns;

    private final EventSchema schema;

    TableCsvDecoder(EventSchema schema) {
        super(schema);
        this.schema = schema;
        int last = 0;
        for (FieldSchema field : schema.root().fields()) {
            last = Math.max(last, field.column());
        }
        columns = new int[last];
        java.util.Arrays.fill(columns, -1);
        for (int i = 0; i < schema.root().fields().size(); i++) {
            columns[schema.root().fields().get(i).column() - 1] = i;
        }
    }

    @Override
    protected void readColumns(byte[] bytes, int from, int to, InputEvent event) throws BadPayloadException {
        int at = from;
        for (int column = 0; column < columns.length; column++) {
            int number = columns[column];
            if (number < 0) {
                at = skip(bytes, at, to, column + 1, column + 1);
                continue;
            }
            FieldSchema field = schema.root().fields().get(number);
            choose(bytes, at, to, event, number);
            at = switch (field.kind()) {
                case MEMBER -> skip(bytes, at, to, column + 1, column + 1);
                case INT64 -> int64(bytes, at, to, event, field.valueSlot(), number);
                case DOUBLE -> decimal(bytes, at, to, event, field.valueSlot(), field.microsSlot(), number);
                default -> column(bytes, at, to, event, number);
            };
        }
    }
}
