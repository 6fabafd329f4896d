package org.nelumbo.launcher.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A Java program of a page, in a process of its own. */
final class JavaProgram {
  private JavaProgram() {}

  /** Runs a source text, and returns its output. */
  static String run(String text, Path folder) throws IOException, InterruptedException {
    Path source = Files.writeString(folder.resolve("Program.java"), text);
    Path output = folder.resolve("output");
    Path errors = folder.resolve("errors");
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
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
