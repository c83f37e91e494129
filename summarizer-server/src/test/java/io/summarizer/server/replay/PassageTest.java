package io.summarizer.server.replay;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.server.replay.Passage.Origin;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PassageTest {
    @ParameterizedTest
    @CsvSource(textBlock = """
            <1>a          , UNKNOWN  , COUNTED
            <1>a          , OVERSIZE , LINE
            '<1>a\nb'     , OVERSIZE , COUNTED
            hello         , UNKNOWN  , LINE
            'hello\n'     , UNKNOWN  , LINE
            'hel\nlo'     , UNKNOWN  , NONE
            '\n'          , UNKNOWN  , NONE
            zebra         , UNKNOWN  , LINE
            zebra         , OVERSIZE , LINE
            zebra         , BAD_FRAME, COUNTED
            'zx\u009c'    , UNKNOWN  , COUNTED
            'zx\u009c'    , OVERSIZE , COUNTED
            z             , UNKNOWN  , LINE
            200 <1>a      , BAD_FRAME, ALONE
            '200 <1>\na'  , BAD_FRAME, ALONE
            200 zx        , UNKNOWN  , ALONE
            0 <1>a        , BAD_FRAME, ALONE
            007 <1>a      , BAD_FRAME, ALONE
            999999999 <1> , OVERSIZE , ALONE
            4 <1>a        , UNKNOWN  , NONE
            2 <1>a        , UNKNOWN  , NONE
            200 monkeys   , UNKNOWN  , LINE
            '200 '        , UNKNOWN  , LINE
            200           , UNKNOWN  , LINE
            1234567890 <1>, UNKNOWN  , LINE
            """)
    void everyMessageGoesTheWayOnWhichItStaysWhatItIs(String text, Origin origin, Passage expected) {
        byte[] message = ("before" + text + "\n").getBytes(ISO_8859_1);
        int offset = "before".length();
        assertThat(Passage.of(message, offset, message.length - offset - 1, origin))
                .isEqualTo(expected);
    }
}
