package io.summarizer.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ControlCharactersTest {
    @Test
    void nothingThatControlsATerminalIsLeft() {
        assertThat(ControlCharacters.replaced("a\u001b[2Jb\u009b2Jc\u2028d\u007fe\n", "?"))
                .isEqualTo("a?[2Jb?2Jc?d?e?");
        assertThat(ControlCharacters.replaced("\u0001", "$1")).isEqualTo("$1");
        assertThat(ControlCharacters.replaced("é\u00a0漢😀", "?")).isEqualTo("é\u00a0漢😀");
    }
}
