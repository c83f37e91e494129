package io.summarizer.dsl.codegen;

/**
 * The text of one generated class.
 *
 * @param packageName the package of the class
 * @param simpleName the name of the class within the package
 * @param text a whole compilation unit
 */
public record GeneratedSource(String packageName, String simpleName, String text) {
    /** Name of the class with its package. */
    public String className() {
        return packageName + '.' + simpleName;
    }

    /** The path of the class's file below a source folder, with slashes. */
    public String path() {
        return className().replace('.', '/') + ".java";
    }
}
