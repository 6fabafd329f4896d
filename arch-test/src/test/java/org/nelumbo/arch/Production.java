package org.nelumbo.arch;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;

/**
 * The classes the rules are about, and the names by which the rules know the rooms of the house.
 */
final class Production {
  static final String DRIVER = "org.nelumbo.jdbc..";
  static final String SIMULATOR = "org.nelumbo.simulation..";
  static final String CHECKER = "org.nelumbo.checker..";
  static final String HISTORY = "org.nelumbo.history..";
  static final String METRICS = "org.nelumbo.metrics..";
  static final String DATABASE = "org.nelumbo.database..";
  static final String PLANNER = "org.nelumbo.planner..";
  static final String PARSER = "org.nelumbo.parser..";
  static final String EXECUTOR = "org.nelumbo.executor..";
  static final String STORAGE = "org.nelumbo.dm..";
  static final String SESSION_API = "org.nelumbo.session..";
  static final String TYPES = "org.nelumbo.types..";
  static final String ERRORS = "org.nelumbo.error..";

  /** What JavaCC writes, in its own manner. */
  static final String GENERATED_PARSER = "org.nelumbo.parser.impl..";

  /** The one package of the engine that may touch clocks, threads and randomness. */
  static final String ENVIRONMENT = "org.nelumbo.dm.env..";

  /** What runs transactions. */
  static final String[] ENGINE = {STORAGE, EXECUTOR};

  /** What runs inside the process of the user. */
  static final String[] EMBEDDED = {
    DRIVER, DATABASE, PLANNER, PARSER, EXECUTOR, STORAGE, SESSION_API, TYPES, ERRORS
  };

  /** All our classes but tests; imported once. */
  static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOptions(
              List.of(
                  ImportOption.Predefined.DO_NOT_INCLUDE_TESTS,
                  location -> !location.contains("/test-classes/"),
                  location -> !location.contains("-tests.jar")))
          .importPackages("org.nelumbo");

  /** Without what JavaCC and JMH write. */
  static final JavaClasses HAND_WRITTEN_CLASSES =
      CLASSES.that(
          DescribedPredicate.not(
              JavaClass.Predicates.resideInAnyPackage(GENERATED_PARSER, "..jmh_generated..")));

  /** Deliberate offenders, by which each rule shows that it can fail. */
  static JavaClasses offender(Class<?> offender) {
    return new ClassFileImporter().importClasses(offender);
  }

  private Production() {}
}
