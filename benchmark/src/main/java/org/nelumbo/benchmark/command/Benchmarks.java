package org.nelumbo.benchmark.command;

import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import org.nelumbo.benchmark.Benchmark;
import picocli.CommandLine;

/** Finds the benchmarks on the class path. */
public final class Benchmarks {
  private Benchmarks() {}

  /** Returns all benchmarks on the class path, sorted by name. */
  public static List<Benchmark> all() {
    return ServiceLoader.load(Benchmark.class).stream()
        .map(ServiceLoader.Provider::get)
        .sorted(Comparator.comparing(Benchmark::name))
        .toList();
  }

  /**
   * Returns true if a benchmark has the shared options, and therefore runs against any database.
   */
  static boolean measuresDatabases(Benchmark benchmark) {
    return new CommandLine(benchmark.newCommand())
        .getCommandSpec().mixins().values().stream()
            .anyMatch(mixin -> mixin.userObject() instanceof BenchmarkOptions);
  }

  /** Adds every benchmark as a subcommand of {@code bench}, under its own name. */
  public static void addTo(CommandLine bench) {
    for (Benchmark benchmark : all()) {
      CommandLine command = new CommandLine(benchmark.newCommand());
      command.getCommandSpec().usageMessage().description(benchmark.description());
      command.setCaseInsensitiveEnumValuesAllowed(true);
      bench.addSubcommand(benchmark.name(), command);
    }
  }
}
