package io.summarizer.dsl.generate;

import io.summarizer.dsl.codegen.GeneratedClasses;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.codehaus.janino.util.ClassFile;
import org.codehaus.janino.util.ClassFile.CodeAttribute;

/** Measures the methods of generated classes: HotSpot only interprets those above 8000 bytes. */
final class MethodSizes {
    private MethodSizes() {}

    /** Bytes of bytecode of the longest method. */
    static int largest(GeneratedClasses classes) {
        return classes.classFiles().values().stream()
                .mapToInt(MethodSizes::largest)
                .max()
                .orElse(0);
    }

    private static int largest(byte[] bytes) {
        try {
            return new ClassFile(new ByteArrayInputStream(bytes))
                    .methodInfos.stream()
                            .map(ClassFile.MethodInfo::getAttributes)
                            .flatMap(attributes -> java.util.Arrays.stream(attributes))
                            .filter(CodeAttribute.class::isInstance)
                            .mapToInt(attribute -> ((CodeAttribute) attribute).code.length)
                            .max()
                            .orElse(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
