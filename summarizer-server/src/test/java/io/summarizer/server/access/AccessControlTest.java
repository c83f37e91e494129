package io.summarizer.server.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.server.access.AccessControl.Answer;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessControlTest {
    private static final String HASH = "0123456789abcdef".repeat(4);

    private final Token reader = Token.random();
    private final Token admin = Token.random();

    @TempDir
    Path folder;

    private Path file(String... lines) throws IOException {
        return Files.write(folder.resolve("tokens"), List.of(lines));
    }

    private AccessControl control() throws IOException {
        return new AccessControl(file(
                "# those who may ask",
                "",
                reader.line(Role.READ, "grafana"),
                " " + admin.line(Role.ADMIN, "ops") + "\t"));
    }

    private static String bearer(Token token) {
        return "Bearer " + token.secret();
    }

    private static String basic(String pair) {
        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(UTF_8));
    }

    @Test
    void aTokenMayWhatItsRoleMay() throws IOException {
        AccessControl control = control();
        assertThat(control.decide(List.of(bearer(reader)), Role.READ)).isEqualTo(Answer.GRANTED);
        assertThat(control.decide(List.of(bearer(reader)), Role.ADMIN)).isEqualTo(Answer.ROLE);
        assertThat(control.decide(List.of(bearer(admin)), Role.READ)).isEqualTo(Answer.GRANTED);
        assertThat(control.decide(List.of(bearer(admin)), Role.ADMIN)).isEqualTo(Answer.GRANTED);
        assertThat(control.count(Answer.GRANTED)).isEqualTo(3);
        assertThat(control.count(Answer.ROLE)).isOne();
    }

    @Test
    void aTokenComesAsBearerOrAsAPasswordAndInNoOtherWay() throws IOException {
        AccessControl control = control();
        String secret = reader.secret();
        assertThat(control.decide(List.of("bEARER  " + secret + " "), Role.READ))
                .isEqualTo(Answer.GRANTED);
        assertThat(control.decide(List.of(basic("anybody:" + secret)), Role.READ))
                .isEqualTo(Answer.GRANTED);
        assertThat(control.decide(List.of(basic(":" + secret)), Role.READ)).isEqualTo(Answer.GRANTED);
        assertThat(control.decide(List.of(), Role.READ)).isEqualTo(Answer.MISSING);
        assertThat(control.decide(List.of(secret), Role.READ)).isEqualTo(Answer.MALFORMED);
        assertThat(control.decide(List.of("Bearer "), Role.READ)).isEqualTo(Answer.MALFORMED);
        assertThat(control.decide(List.of("Basic !!!"), Role.READ)).isEqualTo(Answer.MALFORMED);
        assertThat(control.decide(List.of("Digest " + secret), Role.READ)).isEqualTo(Answer.MALFORMED);
        assertThat(control.decide(List.of(bearer(reader), bearer(admin)), Role.READ))
                .isEqualTo(Answer.MALFORMED);
        assertThat(control.decide(List.of(basic(secret + ":")), Role.READ)).isEqualTo(Answer.MALFORMED);
    }

    @Test
    void whatIsNearlyATokenIsNone() throws IOException {
        AccessControl control = control();
        String secret = reader.secret();
        String line = reader.line(Role.READ, "x");
        for (String near : List.of(
                secret.substring(1),
                secret + "x",
                secret.toUpperCase(Locale.ROOT),
                line.substring(line.lastIndexOf(' ') + 1), // its hash
                secret + "\0",
                "x".repeat(10_000))) {
            assertThat(control.decide(List.of("Bearer " + near), Role.READ)).isEqualTo(Answer.UNKNOWN);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "read x, three words",
        "read x HASH more, three words",
        "write x HASH, not a role",
        "READ x HASH, not a role",
        "read a/b HASH, not a name",
        "read x HASH0, not a SHA-256",
        "read x SECRET, this is a token itself",
        "SECRET, this is a token itself",
        "# nothing, it has no token",
    })
    void aFileThatMakesNoSenseIsRefusedWithoutASecretInWhatIsSaid(String line, String why) throws IOException {
        String text = line.replace("HASH", HASH).replace("SECRET", reader.secret());
        Path file = file("# first", text);
        assertThatThrownBy(() -> new AccessControl(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(why)
                .hasMessageContaining("tokens")
                .satisfies(thrown -> assertThat(thrown.toString()).doesNotContain(HASH, reader.secret()));
    }

    @Test
    void twoTokensThatAreOneAreRefused() throws IOException {
        Path file = file(reader.line(Role.READ, "a"), reader.line(Role.ADMIN, "b"));
        assertThatThrownBy(() -> new AccessControl(file)).hasMessageContaining(":2: the token of b is that of a");
    }

    @Test
    void aChangedFileIsTakenUpAndABrokenOneIsNot() throws IOException {
        AccessControl control = control();
        control.refresh();
        assertThat(control.reloads()).as("nothing changed").isZero();
        Token next = Token.random();
        file(next.line(Role.READ, "next"));
        control.refresh();
        assertThat(control.reloads()).isOne();
        assertThat(control.decide(List.of(bearer(next)), Role.READ)).isEqualTo(Answer.GRANTED);
        assertThat(control.decide(List.of(bearer(reader)), Role.READ)).isEqualTo(Answer.UNKNOWN);

        file("rubbish");
        control.refresh();
        assertThat(control.failedReloads()).isOne();
        assertThat(control.isCurrent()).isFalse();
        assertThat(control.decide(List.of(bearer(next)), Role.READ)).isEqualTo(Answer.GRANTED);
        Files.delete(folder.resolve("tokens"));
        control.refresh();
        assertThat(control.failedReloads()).isEqualTo(2);
        assertThat(control.decide(List.of(bearer(next)), Role.READ)).isEqualTo(Answer.GRANTED);
        file(reader.line(Role.READ, "grafana"));
        control.refresh();
        assertThat(control.isCurrent()).isTrue();
        assertThat(control.decide(List.of(bearer(next)), Role.READ)).isEqualTo(Answer.UNKNOWN);
    }

    /** The reason for a refusal may go without a change of size or time, as by chown. */
    @Test
    void aRefusedFileIsReadAgain() throws IOException {
        AccessControl control = control();
        Token next = Token.random();
        String line = next.line(Role.READ, "next");
        Path tokens = file("-".repeat(line.length()));
        FileTime time = Files.getLastModifiedTime(tokens);
        control.refresh();
        control.refresh();
        assertThat(control.failedReloads()).isOne();
        try (FileChannel channel = FileChannel.open(tokens, StandardOpenOption.WRITE)) {
            channel.write(StandardCharsets.UTF_8.encode(line));
        }
        Files.setLastModifiedTime(tokens, time);
        control.refresh();
        assertThat(control.isCurrent()).isTrue();
        assertThat(control.decide(List.of(bearer(next)), Role.READ)).isEqualTo(Answer.GRANTED);
    }

    @Test
    void aTokenDoesNotShowItself() {
        assertThat(reader.toString()).doesNotContain(reader.secret());
        assertThat(reader.line(Role.READ, "x")).doesNotContain(reader.secret().substring(4));
        assertThat(reader.secret()).matches("smz_[A-Za-z0-9_-]{43}").isNotEqualTo(admin.secret());
    }
}
