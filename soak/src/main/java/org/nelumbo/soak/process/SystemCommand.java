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
}
