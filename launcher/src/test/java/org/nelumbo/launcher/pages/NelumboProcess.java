package org.nelumbo.launcher.pages;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.nelumbo.launcher.Main;

/** A running {@code nelumbo} command, whose output and errors are collected. */
final class NelumboProcess implements AutoCloseable {
  private final Process process;
  private final Thread reader;
  private final List<String> lines = new ArrayList<>();
  private boolean isEnded;

  NelumboProcess(List<String> jvmOptions, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED", "--add-opens=java.base/java.lang=ALL-UNNAMED"));
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(jvmOptions);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(arguments);
    process = new ProcessBuilder(command).redirectErrorStream(true).start();
    reader = Thread.ofVirtual().start(this::read);
  }

  private void read() {
    try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        add(line);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      end();
    }
  }

  private synchronized void add(String line) {
    lines.add(line);
    notifyAll();
  }

  private synchronized void end() {
    isEnded = true;
    notifyAll();
  }

  /** Waits for a line that contains a text, and returns the rest of the line after the text. */
  synchronized String awaitLine(String text) {
    for (int next = 0; ; next++) {
      while (next == lines.size() && !isEnded) {
        try {
          wait();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
      if (next == lines.size()) {
        throw new AssertionError("no line with '" + text + "' in " + lines);
      }
      int at = lines.get(next).indexOf(text);
      if (at >= 0) {
        return lines.get(next).substring(at + text.length());
      }
    }
  }

  /** Returns all output after the end of the process. */
  String awaitEnd() throws InterruptedException {
    process.waitFor();
    reader.join();
    return output();
  }

  /** Returns the output so far. */
  synchronized String output() {
    return String.join("\n", lines);
  }

  /** Sends SIGTERM. */
  void terminate() {
    process.toHandle().destroy(); // leaves the streams open
  }

  /** Kills the process. */
  @Override
  public void close() {
    process.destroyForcibly();
    try {
      awaitEnd();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
