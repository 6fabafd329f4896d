package org.nelumbo.arch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks that the programs in README and in the tutorial compile, run, and print the output in the
 * text.
 */
class ReadmeTest {
  private static final Pattern PROGRAM = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final Pattern PRINTED =
      Pattern.compile("It prints\n\n```\n(.*?)```", Pattern.DOTALL);

  @Test
  void shouldShowAProgramThatRuns(@TempDir Path folder) throws Exception {
    shouldRun("README.md", folder);
  }

  @Test
  void shouldBeginTheTutorialWithAProgramThatRuns(@TempDir Path folder) throws Exception {
    shouldRun("docs/tutorial.md", folder);
  }

  private static void shouldRun(String name, Path folder) throws Exception {
    String page = Files.readString(Pages.ROOT.resolve(name));
    Path source = Files.writeString(folder.resolve("Shop.java"), part(PROGRAM, page));
    assertEquals(part(PRINTED, page), run(source));
  }

  private static String part(Pattern pattern, String page) {
    Matcher matcher = pattern.matcher(page);
    assertTrue(matcher.find(), () -> "the page has no " + pattern);
    return matcher.group(1);
  }

  private static String run(Path source) throws IOException, InterruptedException {
    Path output = source.resolveSibling("output");
    Path errors = source.resolveSibling("errors");
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            source.toString());
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile())
            .start();
    assertEquals(0, process.waitFor(), Files.readString(errors));
    return Files.readString(output);
  }
}
