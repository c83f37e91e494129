package io.summarizer.dsl.model;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;

/**
 * A regex of the JDK's own matcher that counts its steps: a copy of the running JDK's classes of
 * {@code java.util.regex}, in which each call of a method and each turn of a loop is a step. Used by one thread at a
 * time.
 */
final class CountedRegex {
    /** Packages, and the names of their copies. */
    private static final Map<String, String> COPIED =
            Map.of("java/util/regex/", "counted/regex/", "jdk/internal/util/regex/", "counted/internal/");

    private static final ClassLoader COPIES = new Copies();

    private final Object pattern;

    /** Thrown when a match takes more steps than allowed. */
    static final class TooManyStepsException extends RuntimeException {
        TooManyStepsException() {
            super("too many steps", null, false, false);
        }
    }

    /** The steps of the current match; the copied classes call {@link #take}. */
    public static final class Steps {
        private static final long[] LEFT = {Long.MAX_VALUE};

        private Steps() {}

        /** Takes a step. */
        public static void take() {
            if (--LEFT[0] < 0) {
                throw new TooManyStepsException();
            }
        }
    }

    /** A regex that {@link java.util.regex.Pattern} accepts. */
    CountedRegex(String regex) {
        Steps.LEFT[0] = Long.MAX_VALUE;
        try {
            pattern = COPIES.loadClass("counted.regex.Pattern")
                    .getMethod("compile", String.class)
                    .invoke(null, regex);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(regex, e);
        }
    }

    /**
     * Searches a text; returns the number of steps.
     *
     * @throws TooManyStepsException when it takes more than {@code most}
     */
    long find(CharSequence text, long most) {
        try {
            Object matcher =
                    pattern.getClass().getMethod("matcher", CharSequence.class).invoke(pattern, text);
            Method find = matcher.getClass().getMethod("find");
            Steps.LEFT[0] = most;
            find.invoke(matcher);
            return most - Steps.LEFT[0];
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException runtime) {
                throw runtime;
            }
            if (e.getCause() instanceof StackOverflowError) {
                return most - Steps.LEFT[0];
            }
            throw new AssertionError(e);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    /** Steps that the last search left over. */
    static long left() {
        return Steps.LEFT[0];
    }

    /** Replaces {@code jdk.internal.util.ArraysSupport}, to which the copies have no access. */
    public static final class Lengths {
        private Lengths() {}

        /** The length of an array that grows. */
        public static int newLength(int old, int least, int preferred) {
            return old + Math.max(least, preferred);
        }
    }

    private static String nameOf(Class<?> type) {
        return type.getName().replace('.', '/');
    }

    private static final class Copies extends ClassLoader {
        Copies() {
            super(CountedRegex.class.getClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            String original = name.replace('.', '/');
            for (Map.Entry<String, String> copied : COPIED.entrySet()) {
                original = original.replace(copied.getValue(), copied.getKey());
            }
            try (InputStream in = Object.class.getResourceAsStream("/" + original + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                ClassWriter writer = new ClassWriter(0);
                new ClassReader(in).accept(new ClassRemapper(new Counting(writer), new ToCopy()), 0);
                byte[] bytes = writer.toByteArray();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    private static final class ToCopy extends Remapper {
        ToCopy() {
            super(Opcodes.ASM9);
        }

        @Override
        public String map(String name) {
            if (name.equals("jdk/internal/util/ArraysSupport")) {
                return nameOf(Lengths.class);
            }
            String mapped = name;
            for (Map.Entry<String, String> copied : COPIED.entrySet()) {
                if (name.startsWith(copied.getKey())) {
                    mapped = copied.getValue() + name.substring(copied.getKey().length());
                }
            }
            return mapped;
        }
    }

    /** Makes each method take a step when it begins, and before it jumps back. */
    private static final class Counting extends ClassVisitor {
        Counting(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String type, String signature, String[] exceptions) {
            return new MethodVisitor(Opcodes.ASM9, super.visitMethod(access, name, type, signature, exceptions)) {
                private final Set<Label> passed = new HashSet<>();

                @Override
                public void visitCode() {
                    super.visitCode();
                    step();
                }

                @Override
                public void visitLabel(Label label) {
                    passed.add(label);
                    super.visitLabel(label);
                }

                @Override
                public void visitJumpInsn(int code, Label to) {
                    if (passed.contains(to)) {
                        step();
                    }
                    super.visitJumpInsn(code, to);
                }

                private void step() {
                    super.visitMethodInsn(Opcodes.INVOKESTATIC, nameOf(Steps.class), "take", "()V", false);
                }
            };
        }
    }
}
