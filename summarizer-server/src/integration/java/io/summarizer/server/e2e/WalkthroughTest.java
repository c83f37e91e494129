package io.summarizer.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A page that does not do what it says fails. Blocks are fenced by {@code ~} here. */
class WalkthroughTest {
    @TempDir
    Path folder;

    private List<String> walk(String page) throws Exception {
        Path file = Files.writeString(folder.resolve("page.md"), page.replace("~", "```"));
        return Walkthrough.of(file, Files.createDirectory(folder.resolve("reader")), Map.of(), Map.of());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "~sh\necho a\n~\n\n~text\nb\n~\n",
                "~sh\necho a\n~\n\n~text\na…b\n~\n",
                "~sh\nprintf 'n\\n1\\n2\\n'\n~\n\n~csv\nn\n1\n3\n~\n",
                "~sh\nprintf 'n\\n1\\n2\\n'\n~\n\n~csv\nn\n1\n~\n",
                "~sh\necho a\n~\n\n~sh\necho b\n~\n\n~text\na\n~\n",
                "~sh\nfalse\necho a\n~\n",
                "~sh\nfalse | cat\n~\n",
                "~sh fails\ntrue\n~\n",
                "~sh\nbin/summarizer check --definitions missing\n~\n",
                "~sh\nbin/summarizer topics --definitions schemas ad.click.us\n~\n\n~text\nad.click.us\n~\n",
                "~summ\nevent Nothing on \"nowhere\" as csv;\n~\n"
            })
    void aPageThatSaysWhatIsNotSoFails(String page) {
        assertThatThrownBy(() -> walk(page)).isInstanceOf(AssertionError.class).hasMessageContaining("page.md");
    }

    @Test
    void aPageThatSaysWhatIsSoWorks() throws Exception {
        assertThat(walk("""
                ~summ
                // my/my.summ
                import "shop.proto";
                event Order on "order" as csv;
                summary Sales { key { string country = 1; } value { count orders = 1; } }
                map Order into Sales { key { country; } orders += 1; }
                ~

                ~proto
                // my/shop.proto
                syntax = "proto3";
                message Order { string country = 1; }
                ~

                ~sh
                bin/summarizer serve --set definitions=my
                printf '<134>1 - h a - order - %s\\n' DE FR DE | bin/summarizer replay - --to 127.0.0.1:5514
                bin/summarizer export Sales --out sales.csv
                ~

                ~sh
                cat sales.csv
                ~

                ~csv
                country,orders
                FR,1
                DE,2
                ~

                ~sh fails
                bin/summarizer topics --definitions my visit
                ~

                ~text
                visit	-…
                …
                ~

                ~sh
                duckdb -csv -c "SELECT sum(orders) AS n FROM 'sales.csv'"
                curl -sf http://127.0.0.1:8080/summaries/Sales.csv | wc -l
                ~

                ~text
                n
                3
                3
                ~

                ~conf
                not run
                ~
                """)).containsExactly("51 conf");
    }
}
