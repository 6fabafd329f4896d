package org.nelumbo.arch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Nothing but {@code SQLException} leaves the driver. */
class SqlSurfaceTest {
  /** Called by the driver outside of a guard: each was looked at. */
  private static final Set<String> HARMLESS =
      Set.of(
          // makes the exceptions to be thrown
          "org/nelumbo/jdbc/SqlExceptions");

  private static SqlSurface driver() {
    return new SqlSurface(
        Production.CLASSES.that(
            com.tngtech.archunit.base.DescribedPredicate.describe(
                "of the driver", type -> type.getPackageName().equals("org.nelumbo.jdbc"))),
        HARMLESS);
  }

  @Test
  void shouldLetOutNothingButSqlExceptions() {
    assertEquals(List.of(), driver().unsafe());
  }

  @Test
  void shouldSeeTheWholeSurface() {
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
