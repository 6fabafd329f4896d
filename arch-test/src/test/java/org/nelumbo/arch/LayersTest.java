package org.nelumbo.arch;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

/**
 * Imports run one way: jdbc-driver, planner, executor, storage-dm; benchmarks and tools on top, the
 * simulator and the metrics beside the driver: only programs use them.
 */
class LayersTest {
  private static final String PROGRAMS = "Programs";
  private static final String SIMULATOR = "Simulator";
  private static final String METRICS = "Metrics";
  private static final String DRIVER = "Driver";
  private static final String PLANNER = "Planner";
  private static final String PARSER = "Parser";
  private static final String EXECUTOR = "Executor";
  private static final String STORAGE = "Storage";

  @Test
  void shouldImportOneWay() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer(PROGRAMS)
        .definedBy(
            "org.nelumbo.launcher..",
            "org.nelumbo.soak..",
            "org.nelumbo.benchmark..",
            "org.nelumbo.tpcc..",
            "org.nelumbo.tatp..",
            "org.nelumbo.smallbank..",
            "org.nelumbo.kv..",
            "org.nelumbo.ycsb..",
            "org.nelumbo.queries..",
            "org.nelumbo.sqlgen..")
        .layer(SIMULATOR)
        .definedBy(Production.SIMULATOR)
        .layer(METRICS)
        .definedBy(Production.METRICS)
        .layer(DRIVER)
        .definedBy(Production.DRIVER)
        .layer(PLANNER)
        .definedBy(Production.PLANNER)
        .layer(PARSER)
        .definedBy(Production.PARSER)
        .layer(EXECUTOR)
        .definedBy(Production.EXECUTOR)
        .layer(STORAGE)
        .definedBy(Production.STORAGE)
        .whereLayer(PROGRAMS)
        .mayNotBeAccessedByAnyLayer()
        .whereLayer(SIMULATOR)
        .mayOnlyBeAccessedByLayers(PROGRAMS)
        .whereLayer(METRICS)
        .mayOnlyBeAccessedByLayers(PROGRAMS)
        .whereLayer(DRIVER)
        .mayOnlyBeAccessedByLayers(PROGRAMS)
        .whereLayer(PLANNER)
        .mayOnlyBeAccessedByLayers(PROGRAMS, SIMULATOR, METRICS, DRIVER)
        .whereLayer(PARSER)
        .mayOnlyBeAccessedByLayers(PLANNER, DRIVER)
        .whereLayer(EXECUTOR)
        .mayOnlyBeAccessedByLayers(PROGRAMS, SIMULATOR, METRICS, DRIVER, PLANNER)
        .whereLayer(STORAGE)
        .mayOnlyBeAccessedByLayers(PROGRAMS, SIMULATOR, METRICS, DRIVER, PLANNER, EXECUTOR)
        .check(Production.CLASSES);
  }

  @Test
  void shouldHaveNoPackageCycles() {
    slices().matching("org.nelumbo.(**)").should().beFreeOfCycles().check(Production.CLASSES);
  }

  @Test
  void shouldKeepJavaSqlInTheDriver() {
    javaSqlFree(
            Production.SIMULATOR,
            Production.PLANNER,
            Production.PARSER,
            Production.EXECUTOR,
            Production.STORAGE)
        .check(Production.CLASSES);
  }

  @Test
  void shouldNoticeJavaSql() {
    assertThrows(
        AssertionError.class,
        () ->
            javaSqlFree("org.nelumbo.arch..").check(Production.offender(Offenders.Database.class)));
  }

  @Test
  void shouldKeepCalciteOutOfTheEngine() {
    noClasses()
        .that()
        .resideInAnyPackage(Production.ENGINE)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.calcite..")
        .because("the executor knows no SQL text")
        .check(Production.CLASSES);
  }

  private static ArchRule javaSqlFree(String... packages) {
    return noClasses()
        .that()
        .resideInAnyPackage(packages)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.sql..", "javax.sql..")
        .because("only the driver speaks JDBC");
  }
}
