package io.summarizer.bench.versus;

import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A JMH benchmark of one checkout, with the classes of this checkout. Each version has a class loader of its own, so
 * the JVM compiles its code apart from that of other versions. Used by one thread.
 *
 * <p>The benchmark has no parameters, needs one thread, and declares all its setups, which run once for each trial.
 * Methods are called by reflection. This takes about 10 ns for each call, so ratios are too close to 1 for a benchmark
 * whose call takes less than a microsecond.
 */
final class Version {
    private final ClassLoader loader;
    private final Class<?> type;
    private final Object benchmark;
    private final Method method;

    /**
     * Makes the object of the benchmark, sets its fields and calls its setup.
     *
     * @param classPath the classes of the checkout and of all libraries
     * @param name class and method; the package below {@code io.summarizer.bench} belongs to the name
     * @param fields values by field
     * @throws IllegalArgumentException when there is no such benchmark or field; the message says which
     */
    Version(List<Path> classPath, String name, Map<String, String> fields) throws ReflectiveOperationException {
        int dot = name.lastIndexOf('.');
        loader = new URLClassLoader(urls(classPath), ClassLoader.getPlatformClassLoader());
        try {
            type = loader.loadClass("io.summarizer.bench." + name.substring(0, Math.max(dot, 0)));
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException("no benchmark " + name + " in " + classPath.get(0), e);
        }
        Constructor<?> constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        benchmark = constructor.newInstance();
        for (Field field : type.getDeclaredFields()) {
            Annotation parameter = annotation(field, Param.class);
            if (parameter != null && !fields.containsKey(field.getName())) {
                set(field.getName(), ((String[]) value(parameter))[0]);
            }
        }
        for (Map.Entry<String, String> field : fields.entrySet()) {
            set(field.getKey(), field.getValue());
        }
        method = Arrays.stream(type.getDeclaredMethods())
                .filter(each ->
                        each.getName().equals(name.substring(dot + 1)) && annotation(each, Benchmark.class) != null)
                .findAny()
                .orElseThrow(() -> new IllegalArgumentException(type.getName() + " has no such benchmark: " + name));
        if (method.getParameterCount() > 0) {
            throw new IllegalArgumentException(name + " has parameters");
        }
        method.setAccessible(true);
        callAll(Setup.class);
    }

    /** The class path of the benchmarks in a checkout that was built. */
    static List<Path> classPath(Path checkout) throws IOException {
        Path target = checkout.resolve("jmh-bench/target");
        List<Path> all = new ArrayList<>(List.of(target.resolve("classes")));
        try (Stream<Path> jars = Files.list(target.resolve("lib"))) {
            jars.sorted().forEach(all::add);
        }
        return all;
    }

    private static URL[] urls(List<Path> classPath) {
        return classPath.stream().map(Version::url).toArray(URL[]::new);
    }

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(path.toString(), e);
        }
    }

    /** The annotation of an element, of a type that another class loader may have loaded; null if there is none. */
    private static @Nullable Annotation annotation(AnnotatedElement element, Class<? extends Annotation> wanted) {
        return Arrays.stream(element.getAnnotations())
                .filter(each -> each.annotationType().getName().equals(wanted.getName()))
                .findAny()
                .orElse(null);
    }

    private static Object value(Annotation annotation) throws ReflectiveOperationException {
        return annotation.annotationType().getMethod("value").invoke(annotation);
    }

    /** Calls the methods with an annotation of a level, such as {@code Setup}. */
    private void callAll(Class<? extends Annotation> wanted) throws ReflectiveOperationException {
        for (Method each : type.getDeclaredMethods()) {
            Annotation annotation = annotation(each, wanted);
            if (annotation == null) {
                continue;
            }
            if (!value(annotation).toString().equals("Trial") || each.getParameterCount() > 0) {
                throw new IllegalArgumentException(each + " is not called once for each trial, or has parameters");
            }
            each.setAccessible(true);
            Thread.currentThread().setContextClassLoader(loader);
            call(each);
        }
    }

    /** Calls what ends a trial. */
    void tearDown() throws ReflectiveOperationException {
        callAll(TearDown.class);
    }

    private void set(String name, String value) throws ReflectiveOperationException {
        Field field;
        try {
            field = type.getDeclaredField(name);
        } catch (NoSuchFieldException e) {
            throw new IllegalArgumentException(type.getName() + " has no field " + name, e);
        }
        field.setAccessible(true);
        Class<?> of = field.getType();
        if (of == String.class) {
            field.set(benchmark, value);
        } else if (of == int.class) {
            field.setInt(benchmark, Integer.parseInt(value));
        } else if (of == double.class) {
            field.setDouble(benchmark, Double.parseDouble(value));
        } else if (of == boolean.class) {
            field.setBoolean(benchmark, Boolean.parseBoolean(value));
        } else {
            throw new IllegalArgumentException("the field " + name + " is a " + of.getSimpleName()
                    + "; only int, double, boolean and String can be set");
        }
    }

    private void call(Method called) throws ReflectiveOperationException {
        try {
            Object unused = called.invoke(benchmark);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(called + " failed", e.getCause());
        }
    }

    /** Runs the benchmark {@code times} times; returns the time in nanoseconds. */
    long run(int times) throws ReflectiveOperationException {
        Thread.currentThread().setContextClassLoader(loader);
        long start = System.nanoTime();
        for (int i = 0; i < times; i++) {
            call(method);
        }
        return System.nanoTime() - start;
    }
}
