package org.nelumbo.benchmark;

import java.util.concurrent.Callable;
import org.nelumbo.cli.ExitStatus;

/**
 * A benchmark that the launcher offers as a subcommand. Implementations have a public no-argument
 * constructor and are listed in {@code META-INF/services/org.nelumbo.benchmark.Benchmark}.
 */
public interface Benchmark {
  /** Returns the name of the subcommand: one lower-case word, such as {@code tpcc}. */
  String name();

  /** Returns one line for the list of benchmarks. */
  String description();

  /**
   * Creates a picocli command object, used for one command line. The result of the call is the exit
   * status: one of the constants of {@link ExitStatus}.
   */
  Callable<Integer> newCommand();
}
