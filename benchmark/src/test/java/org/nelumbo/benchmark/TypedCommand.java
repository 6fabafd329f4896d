package org.nelumbo.benchmark;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.nelumbo.benchmark.command.BenchmarkMain;
import picocli.CommandLine;

/** A command of {@code bench} with the arguments of a user, and its output. */
public final class TypedCommand {
  private final StringWriter output = new StringWriter();
  private final StringWriter errors = new StringWriter();
  private final String name;
  private final List<String> usual;

  /**
   * Creates a command without running it.
   *
   * @param usual options of every run, unless the run sets them itself
   */
  public TypedCommand(String name, String... usual) {
    this.name = name;
    this.usual = List.of(usual);
  }

  /** Runs the command and returns its exit status. */
  public int run(String... words) {
    List<String> line = new ArrayList<>(List.of(name));
    usual.stream().filter(option -> !isAmong(words, option)).forEach(line::add);
    line.addAll(List.of(words));
    CommandLine bench = BenchmarkMain.commandLine();
    bench.setOut(new PrintWriter(output));
    bench.setErr(new PrintWriter(errors));
    return bench.execute(line.toArray(String[]::new));
  }

  private static boolean isAmong(String[] words, String option) {
    return Arrays.stream(words).anyMatch(word -> option(word).equals(option(option)));
  }

  private static String option(String word) {
    return word.split("=", 2)[0];
  }

  /** Returns the standard output of all runs. */
  public String output() {
    return output.toString();
  }

  public String errors() {
    return errors.toString();
  }

  /** Returns the printed lines with the given beginning. */
  public List<String> lines(String start) {
    return output().lines().filter(line -> line.startsWith(start)).toList();
  }

  /** Returns the value of a key in a line of {@code key=value} pairs. */
  public static double number(String line, String key) {
    String from = line.substring(line.indexOf(" " + key + "=") + key.length() + 2);
    return Double.parseDouble(from.split(" ", 2)[0]);
  }

  void forgetOutput() {
    output.getBuffer().setLength(0);
  }

  /** Returns the standard output and the errors of all runs. */
  @Override
  public String toString() {
    return output() + errors();
  }
}
