package io.summarizer.dsl;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.summarizer.dsl", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    /** The language compiles to plans of the engine and knows none of their users. */
    @ArchTest
    static final ArchRule DOES_NOT_KNOW_THE_SERVER = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.summarizer.server..", "io.summarizer.bench..");

    /** Packages can be read one after the other. */
    @ArchTest
    static final ArchRule PACKAGES_FORM_NO_CYCLES =
            slices().matching("io.summarizer.dsl.(*)..").should().beFreeOfCycles();
}
