package org.nelumbo.arch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Checks that the driver throws only {@code SQLException}. */
class SqlSurfaceTest {
  /** Methods that the driver calls without a guard: their receiver is never null. */
  private static final Set<String> HARMLESS =
      Set.of(
          // creates the exceptions to be thrown
          "org/nelumbo/jdbc/value/SqlExceptions",
          "org/nelumbo/error/ErrorCode.sqlState",
          "java/sql/SQLWarning.setNextWarning",
          "java/sql/SQLException.addSuppressed",
          // fields of the session, of plans and of types
          "org/nelumbo/session/Session.autoCommit",
          "org/nelumbo/session/Session.inTransaction",
          "org/nelumbo/session/Session.isolation",
          "org/nelumbo/session/Session.readOnly",
          "org/nelumbo/session/Session.schema",
          "org/nelumbo/session/PreparedStatementPlan",
          "org/nelumbo/session/ParameterInfo",
          "org/nelumbo/session/ResultColumn",
          "org/nelumbo/session/StatementKind",
          "org/nelumbo/types/ColumnType",
          "org/nelumbo/types/Kind",
          "org/nelumbo/jdbc/value/JdbcTypes", // a switch over an enum uses an array
          "org/nelumbo/database/BufferedRows.moveTo",
          "org/nelumbo/database/BufferedRows.position",
          "org/nelumbo/database/BufferedRows.size",
          "org/nelumbo/session/Savepoint",
          "org/nelumbo/parser/dialect/Identifiers.reserved",
          "java/sql/Connection.isReadOnly",
          "java/sql/Driver", // that of the engine, which is itself on the surface
          // own collections, and indexes that were checked
          "java/util/List.get",
          "java/util/List.contains",
          "java/util/Map.getOrDefault",
          "java/util/Properties",
          // arguments that were checked for null
          "[I.clone",
          "[Ljava/lang/String;.clone",
          "[B.clone",
          "java/lang/String.startsWith",
          "java/lang/String.length",
          // strings of the driver
          "java/lang/System.getProperty",
          "java/lang/StringBuilder", // in the class that is compiled for Java 8
          "java/lang/Long.toString",
          "java/lang/String.isEmpty",
          "java/lang/String.equalsIgnoreCase",
          "java/lang/String.join");

  private static SqlSurface driver() {
    return new SqlSurface(
        Production.CLASSES.that(
            com.tngtech.archunit.base.DescribedPredicate.describe(
                "of the driver", type -> type.getPackageName().startsWith("org.nelumbo.jdbc"))),
        HARMLESS);
  }

  @Test
  void shouldThrowOnlySqlExceptions() {
    assertEquals(List.of(), driver().unsafe());
  }

  @Test
  void shouldInspectAllDriverMethods() {
    int methods = driver().methods().size();
    assertTrue(methods > 600, () -> "found only " + methods);
  }

  @Test
  void shouldNoticeOffenders() {
    List<JavaClass> offender = Production.offender(Offenders.LeakyBlob.class).stream().toList();
    List<String> unsafe = new SqlSurface(offender, Set.of()).unsafe();
    assertEquals(3, unsafe.size(), unsafe::toString);
    assertTrue(unsafe.get(0).contains("getBinaryStream"), unsafe::toString);
    assertTrue(unsafe.get(1).contains("length"), unsafe::toString);
    assertTrue(unsafe.get(2).contains("position"), unsafe::toString);
  }
}
