package io.summarizer.bench.decode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import java.io.IOException;

/** Decodes a JSON payload into Jackson's tree, and looks up the wanted fields there. */
final class TreeDecoder implements Contender {
    private final MessageBatch messages;
    private final ObjectReader reader = new ObjectMapper().reader();

    TreeDecoder(AdPayloads payloads) {
        messages = payloads.messages();
    }

    @Override
    public long decode(int message) throws IOException {
        IMessage envelope = messages.message(message);
        JsonNode root = reader.readTree(
                envelope.bytes(), envelope.offset(MessageBatch.PAYLOAD), envelope.length(MessageBatch.PAYLOAD));
        JsonNode placement = root.path("placement");
        long digest = Contender.digest(0, placement.path("campaign_id").longValue());
        digest = Contender.digest(digest, placement.path("inventory_id").longValue());
        digest = Contender.digest(digest, placement.path("creative_id").longValue());
        digest = Contender.digest(digest, root.path("audience_attribute_id").longValue());
        digest = Contender.digest(digest, root.path("user").path("id").longValue());
        JsonNode cost = root.path("cost");
        digest = Contender.digest(digest, millionths(cost, "media"));
        digest = Contender.digest(digest, millionths(cost, "data"));
        JsonNode interactions = root.path("interactions");
        digest = Contender.digest(digest, interactions.size());
        for (JsonNode interaction : interactions) {
            digest = Contender.digest(digest, interaction.path("action_id").longValue());
            digest = Contender.digest(digest, millionths(interaction, "revenue"));
        }
        JsonNode conversions = root.path("conversions");
        digest = Contender.digest(digest, conversions.size());
        for (JsonNode conversion : conversions) {
            digest = Contender.digest(digest, conversion.path("model_id").longValue());
            digest = Contender.digest(digest, conversion.path("type_id").longValue());
            digest = Contender.digest(digest, millionths(conversion, "revenue"));
        }
        return digest;
    }

    private static long millionths(JsonNode within, String name) {
        return Contender.millionths(within.path(name).doubleValue());
    }
}
