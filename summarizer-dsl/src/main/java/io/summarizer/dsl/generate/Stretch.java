package io.summarizer.dsl.generate;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.dsl.codegen.JavaClass;
import io.summarizer.dsl.codegen.Place;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of code that writes to a record without checking the capacity at each step. At the start of the stretch,
 * the code reserves space for everything that it may write. At the end, the code tells the batch how many bytes it
 * wrote.
 */
final class Stretch {
    /**
     * Maximum number of bytes after a key that are overwritten when the key is stored: keys are stored in whole words.
     */
    private static final int SLACK = 8;

    private final JavaClass owner;
    private final Place outer;
    private @Nullable Place body;
    private String array = "";
    private String at = "";
    private int room;
    /** Bytes certainly written since {@link #at} was set. */
    private int offset;

    Stretch(JavaClass owner, Place outer) {
        this.owner = owner;
        this.outer = outer;
    }

    static String plus(String variable, int offset) {
        return offset == 0 ? variable : variable + " + " + offset;
    }

    /** A place for code within the stretch. */
    Place place() {
        Place place = body;
        if (place == null) {
            owner.use(UpdateBatch.class);
            place = outer.aside();
            body = place;
            array = outer.names().variable("bytes");
            at = outer.names().variable("at");
            room = 0;
            offset = 0;
        }
        return place;
    }

    /**
     * Prepares for conditional code: writes code that increases the variable {@code at}, the current position, by the
     * number of bytes written so far.
     */
    void settle() {
        place();
        if (offset > 0) {
            place().code().line(at + " += " + offset + ";");
            offset = 0;
        }
    }

    void putShort(int ahead, String value) {
        put("putShort", ahead, "(short) " + value);
    }

    void putInt(int ahead, String value) {
        put("putInt", ahead, value);
    }

    void putLong(int ahead, String value) {
        put("putLong", ahead, value);
    }

    private void put(String method, int ahead, String value) {
        owner.use(Bytes.class);
        place().code().line("Bytes." + method + "(" + array + ", " + plus(at, offset + ahead) + ", " + value + ");");
    }

    void putKey(int ahead, KeyCode key) {
        key.store(array, at, offset + ahead, owner, place());
    }

    /** Continues after bytes that were put. */
    void advance(int bytes) {
        room += bytes;
        offset += bytes;
    }

    /** Ends the stretch if code has begun one. */
    void end() {
        Place place = body;
        if (place == null) {
            return;
        }
        body = null;
        if (room == 0) {
            outer.code().append(place.code());
            return;
        }
        outer.code()
                .line("byte[] " + array + " = updates.reserve(" + (room + SLACK) + ");")
                .line("int " + at + " = updates.limit();")
                .append(place.code())
                .line("updates.limit(" + plus(at, offset) + ");");
    }
}
