package io.summarizer.server.cli;

import io.summarizer.server.demo.Rsyslogd;
import io.summarizer.server.metrics.EventCounts;
import io.summarizer.server.net.Addresses;
import io.summarizer.server.replay.KafkaTarget;
import io.summarizer.server.replay.LineSender;
import io.summarizer.server.replay.TcpTarget;
import io.summarizer.server.service.DefinitionsException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A way by which the demo's events get into tables. Used by the thread of the command; the shutdown thread may close
 * it, too.
 */
abstract class DemoWay implements AutoCloseable {
    final DemoScreen screen;
    private @Nullable Rsyslogd rsyslogd;

    DemoWay(DemoScreen screen) {
        this.screen = screen;
    }

    /** Starts all parts, and tells about each. */
    abstract void start(Path folder, Path definitions)
            throws IOException, CommandFailure, DefinitionsException, InterruptedException;

    /** Opens a connection for events. */
    abstract Connection connect() throws IOException;

    /** The counts of the events that have reached the tables. */
    abstract EventCounts counts();

    /** The URL of the tables. */
    abstract String http();

    /**
     * Checks that all parts run.
     *
     * @throws IOException when a part does not run; the message names the part
     */
    abstract void check() throws IOException;

    /**
     * Tells how far the tables are.
     *
     * @param sent number of events sent so far
     */
    abstract void progress(long sent);

    /**
     * Shows what to do while this runs.
     *
     * @param client a client of {@link #http}
     */
    abstract void nextSteps(ServiceClient client);

    /**
     * Starts an rsyslogd and tells the user. If there is no rsyslogd, or if it does not start, tells the user what
     * replaces it.
     *
     * @param program the program; empty when the program or one of its modules is missing
     * @param folder the rsyslogd's own folder
     * @param forwarding what the rsyslogd does with messages
     * @param how the same for people
     * @param without says that the program is missing
     * @param instead what replaces it
     * @return the address at which the rsyslogd takes syslog; empty without an rsyslogd
     */
    final Optional<InetSocketAddress> throughRsyslogd(
            Optional<Path> program, Path folder, String forwarding, String how, String without, String instead)
            throws InterruptedException {
        if (program.isEmpty()) {
            screen.note("rsyslogd", without + ": " + instead);
            return Optional.empty();
        }
        try {
            Rsyslogd started = Rsyslogd.start(program.get(), folder, forwarding);
            rsyslogd = started;
            screen.done(
                    "rsyslogd", "a real one, " + how + "; takes syslog on tcp://" + Addresses.text(started.address()));
            return Optional.of(started.address());
        } catch (IOException e) {
            screen.note("rsyslogd", "cannot be used here (" + e.getMessage() + "): " + instead);
            return Optional.empty();
        }
    }

    /** The output of the rsyslogd, for the message that events of the demo are missing; empty without an rsyslogd. */
    final String said() {
        return rsyslogd == null ? "" : "rsyslogd says: " + rsyslogd.said();
    }

    /** Ends all parts. */
    @Override
    public void close() {
        if (rsyslogd != null) {
            rsyslogd.close();
        }
    }

    /** A connection that takes events as lines. Used by one thread. */
    record Connection(OutputStream stream, Step finisher, Step closer) implements AutoCloseable {
        /** A step at the end of a connection. */
        interface Step {
            void run() throws IOException;
        }

        /** A connection to a listener. */
        static Connection of(TcpTarget target) {
            return new Connection(target.stream(), target::finish, target::close);
        }

        /** A connection to a topic of Kafka. */
        static Connection of(KafkaTarget target) {
            LineSender lines = new LineSender(target);
            return new Connection(lines, lines::finish, target::close);
        }

        /** Waits until the receiver has all events. Called after the last event. */
        void finish() throws IOException {
            finisher.run();
        }

        @Override
        public void close() throws IOException {
            closer.run();
        }
    }
}
