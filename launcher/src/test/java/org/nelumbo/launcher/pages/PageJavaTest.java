package org.nelumbo.launcher.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks that the Java code of all pages compiles. {@link PageOutputTest} runs the programs among
 * it whose output is shown.
 */
class PageJavaTest {
  /** Declarations that fragments of code use. */
  private static final String FRAME =
      """
      import com.zaxxer.hikari.*;
      import io.micrometer.core.instrument.*;
      import java.sql.*;
      import java.util.concurrent.*;
      import java.util.concurrent.locks.*;
      import javax.sql.*;
      import org.nelumbo.database.*;
      import org.nelumbo.metrics.*;

      class Frame {
        static final int MOST_ATTEMPTS = 9;
        interface Work<T> { T run(Connection connection) throws SQLException; }
        // CODE
      }
      """;

  private static final String STATEMENTS =
      "void run(DataSource dataSource, Connection connection, MeterRegistry registry)"
          + " throws Exception {\n// CODE\n}";

  private static Stream<Block> blocks() throws IOException {
    return Pages.blocks().stream().filter(block -> block.is("java"));
  }

  @ParameterizedTest
  @MethodSource("blocks")
  void shouldCompile(Block block, @TempDir Path folder) throws IOException {
    Path source = Files.writeString(folder.resolve("Frame.java"), source(block));
    List<String> options =
        List.of("-proc:none", "-cp", System.getProperty("java.class.path"), "-d", "" + folder);
    String[] arguments =
        Stream.concat(options.stream(), Stream.of(source.toString())).toArray(String[]::new);
    int status = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments);
    assertEquals(0, status, () -> block + " does not compile");
  }

  private static String source(Block block) throws IOException {
    String text = block.text();
    if (text.startsWith("import ")) {
      return text.replace("public class", "class");
    }
    if (text.startsWith("all.add(")) {
      return withFunction(text);
    }
    String member = text.startsWith("static ") ? text : STATEMENTS.replace("// CODE", text);
    return FRAME.replace("// CODE", member);
  }

  /** Returns the list of SQL functions with another entry. */
  private static String withFunction(String entry) throws IOException {
    String name = "planner/src/main/java/org/nelumbo/planner/function/AddedFunctions.java";
    return Files.readString(Pages.ROOT.resolve(name))
        .replace("public final class", "final class")
        .replaceFirst("(?=all\\.add\\()", entry.replace("\\", "\\\\"));
  }
}
