package io.summarizer.dsl.codegen;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.Map;
import java.util.TreeMap;

/**
 * The classes of a set of generated sources, with a class loader of their own. The classes are garbage collected when
 * nothing refers to the classes or to their instances any more. Immutable.
 */
public final class GeneratedClasses {
    private final Loader loader;
    private final Map<String, byte[]> classFiles;

    GeneratedClasses(ClassLoader parent, Map<String, byte[]> classFiles) {
        this.classFiles = new TreeMap<>(classFiles);
        loader = new Loader(parent, this.classFiles);
    }

    /** The class files by class name. Read-only. */
    public Map<String, byte[]> classFiles() {
        return classFiles;
    }

    /** The class of a source, a subtype of {@code type}. */
    public <T> Class<? extends T> load(String className, Class<T> type) {
        try {
            return Class.forName(className, true, loader).asSubclass(type);
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException(className + " was not generated", e);
        } catch (LinkageError e) {
            throw new GeneratedCodeException(className + " does not load: " + e.getMessage(), e);
        }
    }

    /** Calls the only constructor of a class, and returns the new instance. */
    public <T> T newInstance(String className, Class<T> type, Object... arguments) {
        Constructor<?> constructor = load(className, type).getConstructors()[0];
        try {
            return type.cast(constructor.newInstance(arguments));
        } catch (InvocationTargetException e) {
            throw new GeneratedCodeException(className + " fails when made: " + e.getCause(), e);
        } catch (ReflectiveOperationException e) {
            throw new GeneratedCodeException(className + " cannot be made: " + e.getMessage(), e);
        }
    }

    /** Defines the classes on demand. */
    private static final class Loader extends ClassLoader {
        private final Map<String, byte[]> classFiles;

        Loader(ClassLoader parent, Map<String, byte[]> classFiles) {
            super(parent);
            this.classFiles = classFiles;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] bytes = classFiles.get(name);
            if (bytes == null) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, bytes, 0, bytes.length);
        }
    }
}
