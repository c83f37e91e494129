package io.summarizer.flink;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasModifiers.Predicates.modifier;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.summarizer.flink", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    /** A job has the engine and the language, and no service. */
    @ArchTest
    static final ArchRule DOES_NOT_KNOW_THE_SERVER = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.summarizer.server..", "io.summarizer.bench..");

    /** No class of another module is reached that is not public there, as one of the same package could be. */
    @ArchTest
    static final ArchRule USES_WHAT_IS_PUBLIC = noClasses()
            .should()
            .dependOnClassesThat(resideInAPackage("io.summarizer.core..")
                    .or(resideInAPackage("io.summarizer.dsl.."))
                    .and(DescribedPredicate.not(modifier(JavaModifier.PUBLIC))));

    /** Packages can be read one after the other. */
    @ArchTest
    static final ArchRule PACKAGES_FORM_NO_CYCLES =
            slices().matching("io.summarizer.flink.(*)..").should().beFreeOfCycles();
}
