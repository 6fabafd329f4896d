package org.nelumbo.benchmark;

import java.util.concurrent.Callable;
import org.nelumbo.cli.ExitStatus;

/**
 * A benchmark as the launcher sees it. Implementations have a public no-argument constructor and
 * are listed in {@code META-INF/services/org.nelumbo.benchmark.Benchmark}.
 */
public interface Benchmark {
  /** The name of the subcommand: one lower-case word, such as {@code tpcc}. */
  String name();

  /** One line for the list of benchmarks. */
  String description();

  /**
   * A new picocli command object, used for one command line. Its result is the exit status: one of
   * the constants of {@link ExitStatus}.
   */
  Callable<Integer> newCommand();
}
