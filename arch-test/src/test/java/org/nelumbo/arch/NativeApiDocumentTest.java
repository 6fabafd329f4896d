package org.nelumbo.arch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks that the example in the page on the native API compiles, runs, and prints the output in
 * the page.
 */
class NativeApiDocumentTest {
  private static final Path PAGE = Path.of("../docs/guide/native-api.md");
  private static final Pattern PROGRAM = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final Pattern PRINTED =
      Pattern.compile("It prints\n\n```\n(.*?)```", Pattern.DOTALL);

  @Test
  void shouldPrintOutputShownInPage(@TempDir Path folder) throws Exception {
    String page = Files.readString(PAGE);
    Path source = Files.writeString(folder.resolve("NativeExample.java"), part(PROGRAM, page));
    String classPath = System.getProperty("java.class.path");
    int compiled =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-cp", classPath, "-d", folder.toString(), source.toString());
    assertEquals(0, compiled, "the example does not compile");
    assertEquals(part(PRINTED, page), run(folder, classPath));
  }

  private static String part(Pattern pattern, String page) {
    Matcher matcher = pattern.matcher(page);
    assertTrue(matcher.find(), () -> "the page has no " + pattern);
    return matcher.group(1);
  }

  private static String run(Path folder, String classPath)
      throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    List<String> command =
        List.of(
            java.toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            folder + System.getProperty("path.separator") + classPath,
            "NativeExample");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(output.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertEquals(0, process.waitFor());
    return Files.readString(output, StandardCharsets.UTF_8);
  }
}
