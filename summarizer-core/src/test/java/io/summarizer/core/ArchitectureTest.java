package io.summarizer.core;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
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

    /** Snapshots know bytes, not their meaning. */
    @ArchTest
    static final ArchRule SNAPSHOTS_KNOW_ONLY_BYTES = noClasses()
            .that()
            .resideInAPackage("..core.snapshot..")
            .should()
            .dependOnClassesThat(resideInAPackage("io.summarizer.core..")
                    .and(not(resideInAnyPackage("..core.snapshot..", "..core.bytes.."))));

    /** Schema changes happen in memory; state files know only files, and nothing of threads. */
    @ArchTest
    static final ArchRule SCHEMA_CHANGES_KNOW_NO_FILES = noClasses()
            .that()
            .resideInAPackage("..core.evolve..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("..core.state..", "..core.disk..", "..core.pipeline..", "java.nio.file..");

    /** The pipeline knows no files but those of rejected messages. */
    @ArchTest
    static final ArchRule PIPELINE_KNOWS_NO_STATE_FILES = noClasses()
            .that()
            .resideInAPackage("..core.pipeline..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("..core.state..", "..core.disk..", "..core.journal..", "..core.recovery..");

    /** Packages can be read one after the other. */
    @ArchTest
    static final ArchRule PACKAGES_FORM_NO_CYCLES =
            slices().matching("io.summarizer.core.(*)..").should().beFreeOfCycles();
}
