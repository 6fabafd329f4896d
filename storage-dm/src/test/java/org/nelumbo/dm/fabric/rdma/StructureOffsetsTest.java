package org.nelumbo.dm.fabric.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Compares constants with the headers of libibverbs and librdmacm. A program in C has written the
 * values of these headers to a file.
 */
@EnabledIfSystemProperty(
    named = StructureOffsetsTest.OFFSETS,
    matches = ".+",
    disabledReason = "no list of offsets is named")
class StructureOffsetsTest {
  /**
   * Property that names the file. Each line has a class, a constant of that class, and its value.
   */
  static final String OFFSETS = "nelumbo.rdma.offsets";

  @Test
  void shouldMatchNativeHeaders() throws IOException, ReflectiveOperationException {
    List<String> lines = Files.readAllLines(Path.of(System.getProperty(OFFSETS)));
    assertFalse(lines.isEmpty());
    for (String line : lines) {
      int dot = line.lastIndexOf('.');
      int space = line.indexOf(' ');
      Field field =
          Class.forName(getClass().getPackageName() + "." + line.substring(0, dot))
              .getDeclaredField(line.substring(dot + 1, space));
      field.setAccessible(true);
      assertEquals(Integer.parseInt(line.substring(space + 1)), field.getInt(null), line);
    }
  }
}
