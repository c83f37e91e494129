package io.summarizer.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.summarizer.server", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    /** Benchmarks may use every package, and no package uses them. */
    @ArchTest
    static final ArchRule DOES_NOT_KNOW_THE_BENCHMARKS =
            noClasses().should().dependOnClassesThat().resideInAnyPackage("io.summarizer.bench..");

    /** Packages have an order in which they can be read. */
    @ArchTest
    static final ArchRule PACKAGES_FORM_NO_CYCLES =
            slices().matching("io.summarizer.server.(*)..").should().beFreeOfCycles();
}
