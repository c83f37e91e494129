package io.summarizer.core.receive;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StructuredDataTest {
    static @Nullable String find(byte[] data, String id, String name) {
        // Not at the start, so that offsets and lengths differ.
        byte[] bytes = new byte[data.length + 7];
        System.arraycopy(data, 0, bytes, 5, data.length);
        long found = StructuredData.find(bytes, 5, data.length, id.getBytes(ISO_8859_1), name.getBytes(ISO_8859_1));
        if (found == StructuredData.NOT_FOUND) {
            return null;
        }
        int length = StructuredData.length(found);
        byte[] target = new byte[length + 3];
        int n = StructuredData.unescape(bytes, StructuredData.offset(found), length, target, 3);
        assertThat(StructuredData.escaped(found)).isEqualTo(n != length);
        return new String(target, 3, n, ISO_8859_1);
    }

    private static @Nullable String find(String data, String id, String name) {
        return find(data.getBytes(ISO_8859_1), id, name);
    }

    @Test
    void findsAParameterByElementAndName() {
        String data = "[a@1 x=\"1\" y=\"2\"][b@1 x=\"3\"][c]";
        assertThat(find(data, "a@1", "x")).isEqualTo("1");
        assertThat(find(data, "a@1", "y")).isEqualTo("2");
        assertThat(find(data, "b@1", "x")).isEqualTo("3");
        assertThat(find(data, "b@1", "y")).isNull();
        assertThat(find(data, "c", "x")).isNull();
        assertThat(find(data, "a", "x")).isNull();
        assertThat(find("", "a", "x")).isNull();
    }

    @Test
    void takesTheFirstOfSeveral() {
        assertThat(find("[a x=\"1\" x=\"2\"]", "a", "x")).isEqualTo("1");
        assertThat(find("[a y=\"1\"][a x=\"2\"][a x=\"3\"]", "a", "x")).isEqualTo("2");
    }

    @Test
    void undoesTheThreeEscapesAndNoOthers() {
        assertThat(find("[a x=\"\\\"\\\\\\]\\n\"]", "a", "x")).isEqualTo("\"\\]\\n");
        assertThat(find("[a x=\"\\n\"]", "a", "x")).isEqualTo("\\n");
        assertThat(find("[a x=\"\"]", "a", "x")).isEmpty();
    }

    @Test
    void isNotMisledByNamesInsideOfValues() {
        assertThat(find("[a y=\" x=2 [a x=3 \" x=\"1\"]", "a", "x")).isEqualTo("1");
    }

    @Test
    void readsValuesWithoutQuotes() {
        assertThat(find("[a x=one y=two]", "a", "x")).isEqualTo("one");
        assertThat(find("[a x=one y=two]", "a", "y")).isEqualTo("two");
    }
}
