package io.summarizer.dsl.codegen;

/**
 * The text of one generated class.
 *
 * @param packageName its package
 * @param simpleName its name within it
 * @param text a whole compilation unit
 */
public record GeneratedSource(String packageName, String simpleName, String text) {
    /** Name of the class with its package. */
    public String className() {
        return packageName + '.' + simpleName;
    }

    /** The path of its file below a source folder, with slashes. */
    public String path() {
        return className().replace('.', '/') + ".java";
    }
}
