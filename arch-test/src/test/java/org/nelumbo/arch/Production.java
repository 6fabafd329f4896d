package org.nelumbo.arch;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;

/** The classes that the rules apply to, and the names of their packages and layers. */
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

  /** The parser that JavaCC generates, which does not follow our rules. */
  static final String GENERATED_PARSER = "org.nelumbo.parser.impl..";

  /** The only package of the engine that may use clocks, threads and randomness. */
  static final String ENVIRONMENT = "org.nelumbo.dm.env..";

  /** Packages that run transactions. */
  static final String[] ENGINE = {STORAGE, EXECUTOR};

  /** Packages that run inside the process of the user. */
  static final String[] EMBEDDED = {
    DRIVER, DATABASE, PLANNER, PARSER, EXECUTOR, STORAGE, SESSION_API, TYPES, ERRORS
  };

  /** All our classes except for tests, imported once. */
  static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOptions(
              List.of(
                  ImportOption.Predefined.DO_NOT_INCLUDE_TESTS,
                  location -> !location.contains("/test-classes/"),
                  location -> !location.contains("-tests.jar")))
          .importPackages("org.nelumbo");

  /** Classes without those that JavaCC and JMH generate. */
  static final JavaClasses HAND_WRITTEN_CLASSES =
      CLASSES.that(
          DescribedPredicate.not(
              JavaClass.Predicates.resideInAnyPackage(GENERATED_PARSER, "..jmh_generated..")));

  /** Imports a class that deliberately breaks a rule, so that each rule can be shown to fail. */
  static JavaClasses offender(Class<?> offender) {
    return new ClassFileImporter().importClasses(offender);
  }

  private Production() {}
}
