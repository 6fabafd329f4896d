package org.nelumbo.benchmark.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DriverFinderTest {
  private static final DatabaseUrl URL = new DatabaseUrl("jdbc:h2:mem:");

  @Test
  void shouldPreferGivenJarToClassPath() throws Exception {
    Path jar =
        Path.of(org.h2.Driver.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Driver driver = new DriverFinder(List.of(jar)).find(URL);
    assertEquals("org.h2.Driver", driver.getClass().getName());
    assertNotSame(org.h2.Driver.class, driver.getClass());
    try (Connection connection = driver.connect(URL.text(), new Properties())) {
      assertTrue(connection.isValid(1));
    }
  }

  @Test
  void shouldRejectJarWithoutDriver(@TempDir Path folder) throws Exception {
    Path jar = folder.resolve("empty.jar");
    new JarOutputStream(Files.newOutputStream(jar)).close();
    SQLException refusal = assertThrows(SQLException.class, () -> new DriverFinder(List.of(jar)));
    assertTrue(refusal.getMessage().contains("no JDBC driver announces itself in"));
  }
}
