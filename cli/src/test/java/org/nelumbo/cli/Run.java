package org.nelumbo.cli;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The exit status and output of a run of the command line in its own process. */
public record Run(int status, String out, String err) {
  /** Returns status and output for a message. */
  public String all() {
    return "status=" + status + "\nout:\n" + out + "\nerr:\n" + err;
  }

  private static List<String> command(Class<?> main, String... arguments) {
    List<String> command = RunCache.java();
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return command;
  }

  /** Starts a process with pipes for input and output; its errors go to those of the test. */
  static Process start(String... arguments) throws IOException {
    return new ProcessBuilder(command(NelumboCommand.class, arguments))
        .redirectError(Redirect.INHERIT)
        .start();
  }

  static Run of(String input, String... arguments) throws IOException, InterruptedException {
    return of(NelumboCommand.class, input, arguments);
  }

  /** Runs a main class to its end. */
  public static Run of(Class<?> main, String input, String... arguments)
      throws IOException, InterruptedException {
    Path in = Files.writeString(Files.createTempFile("nelumbo", ".in"), input);
    Path out = Files.createTempFile("nelumbo", ".out");
    Path err = Files.createTempFile("nelumbo", ".err");
    try {
      Process process =
          new ProcessBuilder(command(main, arguments))
              .redirectInput(in.toFile())
              .redirectOutput(out.toFile())
              .redirectError(err.toFile())
              .start();
      int status = process.waitFor();
      return new Run(
          status,
          Files.readString(out, StandardCharsets.UTF_8),
          Files.readString(err, StandardCharsets.UTF_8));
    } finally {
      Files.delete(in);
      Files.delete(out);
      Files.delete(err);
    }
  }
}
