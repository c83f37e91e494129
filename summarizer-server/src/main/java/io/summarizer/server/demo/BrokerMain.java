package io.summarizer.server.demo;

import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;

/**
 * The process of a {@link KafkaBroker}. It formats the storage and then becomes the broker, so the JVM loads Kafka's
 * classes once. It calls these classes by reflection, because only some users of {@link KafkaBroker} have them.
 */
final class BrokerMain {
    private BrokerMain() {}

    /**
     * Runs the broker until the process ends.
     *
     * @param arguments the configuration file, and the id of the cluster if the storage has no format yet
     */
    public static void main(String[] arguments) throws ReflectiveOperationException {
        try {
            if (arguments.length > 1) {
                String[] format = {"format", "--cluster-id", arguments[1], "--config", arguments[0]};
                Object status = Class.forName("kafka.tools.StorageTool")
                        .getMethod("execute", String[].class, PrintStream.class)
                        .invoke(null, format, System.out);
                if (!status.equals(0)) {
                    throw new IllegalStateException("could not format the broker's storage");
                }
            }
            Class.forName("kafka.Kafka").getMethod("main", String[].class).invoke(null, (Object)
                    new String[] {arguments[0]});
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("Kafka failed", e.getCause());
        }
    }
}
