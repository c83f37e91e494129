package io.summarizer.bench.kafka;

import io.summarizer.server.demo.KafkaBroker;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.record.RecordBatch;
import org.apache.kafka.common.record.Records;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.jspecify.annotations.Nullable;

/**
 * Makes a broker serve a topic at a steady rate, with hardly any work on this side: fetched batches are neither
 * unpacked nor checked. At the end of the topic, begins again at its beginning. Runs a thread of its own from
 * construction to close.
 */
public final class BrokerLoad implements AutoCloseable {
    /** The last version in which requests name topics. */
    private static final short VERSION = 12;

    private static final int PARTITION_BYTES = 1 << 20;
    private static final int WAIT_MS = 100;

    private final FilledTopic topic;
    private final double recordsPerSecond;
    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;
    private final long[] offsets;
    private final Thread thread = new Thread(this::run, "broker-load");
    private volatile boolean closed;
    private volatile @Nullable Exception failure;

    /** Starts. */
    public BrokerLoad(KafkaBroker broker, FilledTopic topic, double recordsPerSecond) throws IOException {
        this.topic = topic;
        this.recordsPerSecond = recordsPerSecond;
        String port = broker.brokers().substring(broker.brokers().indexOf(':') + 1);
        socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(port));
        in = new DataInputStream(socket.getInputStream());
        out = new DataOutputStream(socket.getOutputStream());
        offsets = new long[topic.partitions()];
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            long start = System.nanoTime();
            long served = 0;
            while (!closed) {
                long now = fetch();
                if (now == 0) {
                    Arrays.fill(offsets, 0);
                }
                served += now;
                long early = start + (long) (served / recordsPerSecond * 1e9) - System.nanoTime();
                if (early > 0) {
                    TimeUnit.NANOSECONDS.sleep(early);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException e) {
            failure = e;
        }
    }

    /** Fetches once; returns the number of records, as the offsets of their batches tell. */
    private long fetch() throws IOException {
        Map<TopicPartition, FetchRequest.PartitionData> wanted = new LinkedHashMap<>();
        for (int partition = 0; partition < offsets.length; partition++) {
            wanted.put(
                    new TopicPartition(topic.name(), partition),
                    new FetchRequest.PartitionData(
                            Uuid.ZERO_UUID, offsets[partition], -1, PARTITION_BYTES, Optional.empty()));
        }
        RequestHeader header = new RequestHeader(ApiKeys.FETCH, VERSION, "load", 1);
        ByteBuffer request = FetchRequest.Builder.forConsumer(VERSION, WAIT_MS, 1, wanted)
                .build(VERSION)
                .serializeWithHeader(header);
        out.writeInt(request.remaining());
        out.write(request.array(), request.arrayOffset() + request.position(), request.remaining());
        out.flush();
        byte[] answer = new byte[in.readInt()];
        in.readFully(answer);
        FetchResponse response = (FetchResponse) AbstractResponse.parseResponse(ByteBuffer.wrap(answer), header);
        long records = 0;
        for (FetchResponseData.FetchableTopicResponse of : response.data().responses()) {
            for (FetchResponseData.PartitionData partition : of.partitions()) {
                long from = offsets[partition.partitionIndex()];
                long to = from;
                for (RecordBatch batch : ((Records) partition.records()).batches()) {
                    to = batch.nextOffset();
                }
                offsets[partition.partitionIndex()] = to;
                records += to - from;
            }
        }
        return records;
    }

    @Override
    public void close() throws IOException {
        closed = true;
        thread.interrupt();
        socket.close();
        Exception failure = this.failure;
        if (failure != null) {
            throw new IOException("the broker does not serve the topic", failure);
        }
    }
}
