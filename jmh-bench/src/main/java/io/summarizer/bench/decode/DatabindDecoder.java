package io.summarizer.bench.decode;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import java.io.IOException;
import java.util.List;

/**
 * Decodes a JSON payload into records by Jackson's databind. The records have the wanted fields; all other fields are
 * ignored.
 */
final class DatabindDecoder implements Contender {
    private final MessageBatch messages;
    private final ObjectReader reader = new ObjectMapper()
            .setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false)
            .readerFor(Auction.class);

    record Auction(
            Placement placement,
            long audienceAttributeId,
            User user,
            Cost cost,
            List<Interaction> interactions,
            List<Conversion> conversions) {}

    record Placement(long campaignId, long inventoryId, long creativeId) {}

    record User(long id) {}

    record Cost(double media, double data) {}

    record Interaction(long actionId, double revenue) {}

    record Conversion(long modelId, long typeId, double revenue) {}

    DatabindDecoder(AdPayloads payloads) {
        messages = payloads.messages();
    }

    @Override
    public long decode(int message) throws IOException {
        IMessage envelope = messages.message(message);
        Auction auction = reader.readValue(
                envelope.bytes(), envelope.offset(MessageBatch.PAYLOAD), envelope.length(MessageBatch.PAYLOAD));
        long digest = Contender.digest(0, auction.placement().campaignId());
        digest = Contender.digest(digest, auction.placement().inventoryId());
        digest = Contender.digest(digest, auction.placement().creativeId());
        digest = Contender.digest(digest, auction.audienceAttributeId());
        digest = Contender.digest(digest, auction.user().id());
        digest = Contender.digest(digest, Contender.millionths(auction.cost().media()));
        digest = Contender.digest(digest, Contender.millionths(auction.cost().data()));
        digest = Contender.digest(digest, auction.interactions().size());
        for (Interaction interaction : auction.interactions()) {
            digest = Contender.digest(digest, interaction.actionId());
            digest = Contender.digest(digest, Contender.millionths(interaction.revenue()));
        }
        digest = Contender.digest(digest, auction.conversions().size());
        for (Conversion conversion : auction.conversions()) {
            digest = Contender.digest(digest, conversion.modelId());
            digest = Contender.digest(digest, conversion.typeId());
            digest = Contender.digest(digest, Contender.millionths(conversion.revenue()));
        }
        return digest;
    }
}
