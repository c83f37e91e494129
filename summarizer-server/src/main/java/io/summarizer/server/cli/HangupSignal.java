package io.summarizer.server.cli;

import java.lang.reflect.Proxy;

/**
 * Runs an action at SIGHUP, on a thread of its own. The JDK's package {@code sun.misc} handles signals. Some JVMs lack
 * the package, and direct use of the package causes a compiler warning. So this class looks the package up at run time.
 * Without the package, SIGHUP keeps its default effect.
 */
final class HangupSignal {
    private static final System.Logger LOGGER = System.getLogger(HangupSignal.class.getName());

    private volatile Runnable action;

    /**
     * Handles each later SIGHUP.
     *
     * @param early runs until {@link #use} is called
     */
    HangupSignal(Runnable early) {
        action = early;
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object handling = Proxy.newProxyInstance(
                    handler.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
                        return switch (method.getName()) {
                            case "handle" -> {
                                action.run();
                                yield null;
                            }
                            case "equals" -> arguments != null && proxy == arguments[0];
                            case "hashCode" -> System.identityHashCode(proxy);
                            default -> "handler of SIGHUP";
                        };
                    });
            Object hangup = signal.getConstructor(String.class).newInstance("HUP");
            var unused = signal.getMethod("handle", signal, handler).invoke(null, hangup, handling);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            LOGGER.log(System.Logger.Level.INFO, "SIGHUP cannot be handled here; use POST /definitions/reload", e);
        }
    }

    /** Makes each later SIGHUP run another action. */
    void use(Runnable next) {
        action = next;
    }
}
