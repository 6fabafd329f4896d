package org.nelumbo.soak.process;

import java.io.IOException;

/** Commands of the operating system, whose output nobody reads. */
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

  /** Runs a command that puts something back; an interruption is kept for later. */
  static void runAtEnd(String... command) throws IOException {
    try {
      run(command);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
