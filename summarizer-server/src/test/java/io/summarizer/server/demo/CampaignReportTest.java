package io.summarizer.server.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class CampaignReportTest {
    private static final String HEADER = "campaign_id,impressions,users,clicks,conversions,cost,revenue\n";

    @Test
    void theMostShownCampaignsComeFirstInAlignedColumns() {
        String csv = HEADER
                + "7,5,5,1,0,0.000001,0.005000\n1,1234567,1000000,10,2,12345.678901,99.995000\n9,3,3,0,0,0.1,0\n";
        assertThat(CampaignReport.lines(csv, 2))
                .containsExactly(
                        "campaign  impressions  distinct users  clicks  conversions       cost  revenue",
                        "──────────────────────────────────────────────────────────────────────────────",
                        "       1    1,234,567       1,000,000      10            2  12,345.68   100.00",
                        "       7            5               5       1            0       0.00     0.01");
    }

    @Test
    void anotherCsvIsRefused() {
        assertThatThrownBy(() -> CampaignReport.lines("a,b\n1,2\n", 2)).hasMessageContaining("a,b");
    }
}
