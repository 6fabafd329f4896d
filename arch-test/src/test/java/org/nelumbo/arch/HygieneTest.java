package org.nelumbo.arch;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rules for code that runs inside the process of a user. */
class HygieneTest {
  @Test
  void shouldNotWriteToStandardStreams() {
    quiet(Production.EMBEDDED).check(Production.CLASSES);
  }

  @Test
  void shouldNoticeStandardStreams() {
    ArchRule rule = quiet("org.nelumbo.arch..");
    assertThrows(
        AssertionError.class, () -> rule.check(Production.offender(Offenders.Talker.class)));
  }

  /**
   * The rule forbids access, not mention: JDBC prescribes a method whose result type is the logger
   * of the JDK.
   */
  @Test
  void shouldLogThroughSlf4jOnly() {
    slf4jOnly(Production.EMBEDDED).check(Production.CLASSES);
  }

  @Test
  void shouldRejectLoggingOtherThanSlf4j() {
    ArchRule rule = slf4jOnly("org.nelumbo.arch..");
    assertThrows(
        AssertionError.class, () -> rule.check(Production.offender(Offenders.Logging.class)));
  }

  @Test
  void shouldUseNoMonitorsInTheEngine() throws IOException {
    List<String> offenders = new ArrayList<>();
    for (JavaClass each : Production.CLASSES) {
      if (each.getPackageName().startsWith("org.nelumbo.dm")
          || each.getPackageName().startsWith("org.nelumbo.executor")) {
        offenders.addAll(monitorUses(each));
      }
    }
    assertEquals(
        List.of(), offenders, "a parked thread in a monitor cannot be replayed: use j.u.c. locks");
  }

  @Test
  void shouldNoticeMonitors() throws IOException {
    JavaClass offender = Production.offender(Offenders.Monitor.class).get(Offenders.Monitor.class);
    assertEquals(2, monitorUses(offender).size());
  }

  @Test
  void shouldSeeTheClassesItJudges() {
    assertFalse(Production.CLASSES.isEmpty());
    for (String room :
        List.of(
            Production.DRIVER,
            Production.SIMULATOR,
            Production.METRICS,
            Production.PLANNER,
            Production.PARSER,
            Production.GENERATED_PARSER,
            Production.EXECUTOR,
            Production.STORAGE,
            Production.ENVIRONMENT)) {
      String name = room.substring(0, room.length() - 2);
      assertTrue(
          Production.CLASSES.stream().anyMatch(c -> c.getPackageName().startsWith(name)),
          () -> "no class of " + name + " on the class path");
    }
  }

  private static ArchRule slf4jOnly(String... packages) {
    return noClasses()
        .that()
        .resideInAnyPackage(packages)
        .should()
        .accessClassesThat()
        .resideInAnyPackage("java.util.logging..", "org.apache.log4j..", "org.apache.logging..");
  }

  private static ArchRule quiet(String... packages) {
    return noClasses()
        .that()
        .resideInAnyPackage(packages)
        .and()
        .resideOutsideOfPackage(Production.GENERATED_PARSER)
        .and()
        .doNotHaveFullyQualifiedName("org.nelumbo.jdbc.JarUsage") // for java -jar
        .should(ACCESS_STANDARD_STREAMS);
  }

  /** Returns one entry for each method that is synchronized or contains a synchronized block. */
  private static List<String> monitorUses(JavaClass type) throws IOException {
    byte[] bytes;
    try (InputStream in = type.getSource().orElseThrow().getUri().toURL().openStream()) {
      bytes = in.readAllBytes();
    }
    return ClassFile.of().parse(bytes).methods().stream()
        .filter(HygieneTest::usesMonitor)
        .map(method -> type.getName() + "." + method.methodName().stringValue())
        .toList();
  }

  private static boolean usesMonitor(MethodModel method) {
    return method.flags().has(AccessFlag.SYNCHRONIZED)
        || method.code().stream()
            .flatMap(code -> code.elementStream())
            .anyMatch(MonitorInstruction.class::isInstance);
  }
}
