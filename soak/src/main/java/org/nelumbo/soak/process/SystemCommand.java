package org.nelumbo.soak.process;

import java.io.IOException;

/** Runs commands of the operating system, and discards their output. */
final class SystemCommand {
  private SystemCommand() {}

  /** Runs a command to its end; returns its status. */
  static int run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  /** Runs a command that restores a state; an interruption is postponed. */
  static void runAtEnd(String... command) throws IOException {
    try {
      run(command);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
