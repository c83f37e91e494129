package io.summarizer.server.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientTrustTest {
    private final TestPki pki = new TestPki("ours");

    @Test
    void shouldJudgeOnlyTheCertificatesThatThePathNeeds(@TempDir Path folder) throws Exception {
        ClientTrust trust = ClientTrust.of(Pem.read(pki.write(folder)).certificates(), List.of());
        X509Certificate client = pki.client("web1").certificate();
        X509Certificate needless = new TestPki("old").expired("root").certificate();
        X509Certificate expired = pki.expired("web2").certificate();
        assertThatCode(() -> trust.checkClientTrusted(new X509Certificate[] {client, needless}, "EC"))
                .doesNotThrowAnyException();
        for (ClientTrust trusted : List.of(trust, ClientTrust.of(List.of(expired), List.of()))) {
            assertThatThrownBy(() -> trusted.checkClientTrusted(new X509Certificate[] {expired}, "EC"))
                    .as("also when it is an authority itself")
                    .isInstanceOfSatisfying(
                            ClientRefusedException.class,
                            refused -> assertThat(refused.fault()).isEqualTo(TlsFault.EXPIRED))
                    .hasMessageContaining("CN=web2");
        }
        assertThatThrownBy(() -> trust.checkClientTrusted(
                        new X509Certificate[] {
                            new TestPki("other").client("web1").certificate()
                        },
                        "EC"))
                .isInstanceOfSatisfying(
                        ClientRefusedException.class,
                        refused -> assertThat(refused.fault()).isEqualTo(TlsFault.UNTRUSTED))
                .hasMessageContaining("CN=web1");
    }
}
