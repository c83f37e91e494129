package io.summarizer.server.cli;

import io.summarizer.server.metrics.EventCounts;
import io.summarizer.server.replay.KafkaTarget;
import io.summarizer.server.replay.LineSender;
import io.summarizer.server.replay.TcpTarget;
import io.summarizer.server.service.DefinitionsException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;

/** A way of the demo's events to tables. Used by the thread of the command; the shutdown thread closes it, too. */
interface DemoWay extends AutoCloseable {
    /** Starts all parts, and tells about each. */
    void start(Path folder, Path definitions)
            throws IOException, CommandFailure, DefinitionsException, InterruptedException;

    /** Opens a connection for events. */
    Connection connect() throws IOException;

    /** The counts of the events that are in the tables. */
    EventCounts counts();

    /** The URL of the tables. */
    String http();

    /**
     * Checks that all parts run.
     *
     * @throws IOException when one does not; the message names it
     */
    void check() throws IOException;

    /** What else there is to say when events are missing; may be empty. */
    String said();

    /**
     * Tells how far the tables are.
     *
     * @param sent number of events sent so far
     */
    void progress(long sent);

    /**
     * Shows what to do while this runs.
     *
     * @param client a client of {@link #http}
     */
    void nextSteps(ServiceClient client);

    /** Ends all parts. */
    @Override
    void close();

    /** A connection that takes events as lines. Used by one thread. */
    interface Connection extends AutoCloseable {
        OutputStream stream();

        /** Waits until the receiver has all events. No event follows. */
        void finish() throws IOException;

        @Override
        void close() throws IOException;

        /** A connection to a listener. */
        static Connection of(TcpTarget target) {
            return new Connection() {
                @Override
                public OutputStream stream() {
                    return target.stream();
                }

                @Override
                public void finish() throws IOException {
                    target.finish();
                }

                @Override
                public void close() throws IOException {
                    target.close();
                }
            };
        }

        /** A connection to a topic of Kafka. */
        static Connection of(KafkaTarget target) {
            LineSender lines = new LineSender(target);
            return new Connection() {
                @Override
                public OutputStream stream() {
                    return lines;
                }

                @Override
                public void finish() throws IOException {
                    lines.finish();
                }

                @Override
                public void close() {
                    target.close();
                }
            };
        }
    }
}
