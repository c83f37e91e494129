package io.summarizer.core.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.bytes.BlockBuffer;
import io.summarizer.core.bytes.MalformedException;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.SummaryLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Features that a newer program may write into a file: this one names them, and neither guesses nor takes them for
 * damage.
 */
class ReservedFormatTest {
    private static final String ADVICE =
            ", which this program does not know; read it with a newer version of the program";

    private final BlockBuffer bytes = new BlockBuffer();

    /** A summary {@code Traffic} with one key and one value. */
    private void layout(int summaryTag, int keyTag, int type, int columnTag) {
        bytes.putName("Traffic");
        bytes.putInt(0);
        attribute(summaryTag);
        bytes.putInt(1);
        bytes.putName("minute");
        bytes.putInt(1);
        bytes.putByte(7);
        attribute(keyTag);
        bytes.putInt(1);
        bytes.putName("latency");
        bytes.putInt(2);
        bytes.putByte(type);
        attribute(columnTag);
        bytes.putInt(0);
    }

    private void attribute(int tag) {
        bytes.putInt(tag == 0 ? 0 : 1);
        if (tag != 0) {
            bytes.putInt(tag);
            bytes.putInt(3);
            bytes.putBytes(new byte[] {1, 2, 3}, 0, 3);
        }
    }

    private SummaryLayout read() throws MalformedException, StateException {
        bytes.flip();
        return new LayoutCodec(bytes, StateFormat.VERSION, "x.state").getLayout();
    }

    @ParameterizedTest
    @CsvSource({
        "18, of type quantiles",
        "19, of type histogram",
        "20, of type moments",
        "21, of type kmv64",
        "22, of type top",
        "23, of type allbool",
        "24, of type anybool",
        "99, of the unknown type 99"
    })
    void shouldNameTheTypeThatItDoesNotHave(int code, String type) {
        layout(0, 0, code, 0);
        assertThatThrownBy(this::read)
                .isExactlyInstanceOf(StateException.class)
                .hasMessage("x.state: column Traffic.latency is " + type + ADVICE);
    }

    @Test
    void shouldRefuseAttributesThatMustBeUnderstood() {
        layout(StateFormat.MUST_UNDERSTAND | 40, 0, 2, 0);
        assertThatThrownBy(this::read).hasMessage("x.state: summary Traffic has the attribute 40" + ADVICE);
        bytes.clear();
        layout(0, StateFormat.WINDOW, 2, 0);
        assertThatThrownBy(this::read).hasMessage("x.state: key column Traffic.minute has a time window" + ADVICE);
        bytes.clear();
        layout(0, StateFormat.MUST_UNDERSTAND | 40, 2, 0);
        assertThatThrownBy(this::read).hasMessage("x.state: key column Traffic.minute has the attribute 40" + ADVICE);
        bytes.clear();
        layout(0, 0, 2, StateFormat.PARAMETERS);
        assertThatThrownBy(this::read).hasMessageStartingWith("x.state: column Traffic.latency has the attribute 1");
    }

    @Test
    void shouldPassOverAllOtherAttributes() throws Exception {
        layout(40, 41, 2, 42);
        assertThat(read().values().get(0).type()).isEqualTo(AggregateType.SUMINT64);
        assertThat(bytes.isAtEnd()).isTrue();
    }
}
