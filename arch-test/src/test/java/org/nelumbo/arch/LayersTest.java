package org.nelumbo.arch;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

/**
 * Checks that dependencies run in one direction: jdbc-driver, database, planner, executor,
 * storage-dm, with session-api and types at the bottom. Benchmarks and tools are at the top. The
 * simulator and the metrics are beside the driver, and only programs use them.
 */
class LayersTest {
  private static final String PROGRAMS = "Programs";
  private static final String SIMULATOR = "Simulator";
  private static final String CHECKER = "Checker";
  private static final String METRICS = "Metrics";
  private static final String DRIVER = "Driver";
  private static final String DATABASE = "Database";
  private static final String PLANNER = "Planner";
  private static final String PARSER = "Parser";
  private static final String EXECUTOR = "Executor";
  private static final String STORAGE = "Storage";
  private static final String SESSION_API = "Session API";
  private static final String TYPES = "Types";

  @Test
  void shouldImportOneWay() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer(PROGRAMS)
        .definedBy(
            "org.nelumbo.launcher..",
            "org.nelumbo.cli..",
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
        .layer(CHECKER)
        .definedBy(Production.CHECKER, Production.HISTORY)
        .layer(METRICS)
        .definedBy(Production.METRICS)
        .layer(DRIVER)
        .definedBy(Production.DRIVER)
        .layer(DATABASE)
        .definedBy(Production.DATABASE)
        .layer(PLANNER)
        .definedBy(Production.PLANNER)
        .layer(PARSER)
        .definedBy(Production.PARSER)
        .layer(EXECUTOR)
        .definedBy(Production.EXECUTOR)
        .layer(STORAGE)
        .definedBy(Production.STORAGE)
        .layer(SESSION_API)
        .definedBy(Production.SESSION_API)
        .layer(TYPES)
        .definedBy(Production.TYPES, Production.ERRORS)
        .whereLayer(PROGRAMS)
        .mayNotBeAccessedByAnyLayer()
        .whereLayer(SIMULATOR)
        .mayOnlyBeAccessedByLayers(PROGRAMS)
        .whereLayer(METRICS)
        .mayOnlyBeAccessedByLayers(PROGRAMS)
        .whereLayer(DRIVER)
        .mayOnlyBeAccessedByLayers(PROGRAMS)
        .whereLayer(DATABASE)
        .mayOnlyBeAccessedByLayers(PROGRAMS, SIMULATOR, METRICS, DRIVER)
        .whereLayer(PLANNER)
        .mayOnlyBeAccessedByLayers(PROGRAMS, SIMULATOR, METRICS, DRIVER, DATABASE)
        .whereLayer(PARSER)
        .mayOnlyBeAccessedByLayers(PLANNER, DATABASE, DRIVER)
        .whereLayer(EXECUTOR)
        .mayOnlyBeAccessedByLayers(PROGRAMS, SIMULATOR, METRICS, DRIVER, DATABASE, PLANNER)
        .whereLayer(STORAGE)
        .mayOnlyBeAccessedByLayers(
            PROGRAMS, SIMULATOR, METRICS, DRIVER, DATABASE, PLANNER, EXECUTOR)
        .whereLayer(CHECKER)
        .mayOnlyAccessLayers(SESSION_API, TYPES)
        .whereLayer(SESSION_API)
        .mayOnlyAccessLayers(TYPES)
        .whereLayer(TYPES)
        .mayNotAccessAnyLayer()
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
            Production.CHECKER,
            Production.HISTORY,
            Production.DATABASE,
            Production.PLANNER,
            Production.PARSER,
            Production.EXECUTOR,
            Production.STORAGE,
            Production.SESSION_API,
            Production.TYPES,
            Production.ERRORS)
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
