package io.summarizer.core;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.summarizer.core", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    /** The engine can be used without the language and without the server. */
    @ArchTest
    static final ArchRule KNOWS_NEITHER_LANGUAGE_NOR_SERVER = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.summarizer.dsl..", "io.summarizer.server..", "io.summarizer.bench..");

    /** Packages can be read one after the other. */
    @ArchTest
    static final ArchRule PACKAGES_FORM_NO_CYCLES =
            slices().matching("io.summarizer.core.(*)..").should().beFreeOfCycles();
}
