package org.nelumbo.benchmark.command;

import java.nio.file.Path;
import java.util.SplittableRandom;
import picocli.CommandLine.Option;

/**
 * Options of both single benchmarks and comparisons: the seed, permission to replace tables, and
 * the files of the results. A picocli mixin.
 */
final class OutputOptions {
  private static final long SEEDS = 1_000_000_000;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of all random inputs (default: a new seed, which is reported).")
  private Long seed;

  @Option(
      names = "--replace",
      description = "Drop the benchmark's tables first if the database already has them.")
  boolean replace;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the results as JSON.")
  Path json;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Write a report with plots: a single self-contained page.")
  Path html;

  /** Returns the given seed, or one drawn at the first call. */
  long seed() {
    if (seed == null) {
      seed = new SplittableRandom().nextLong(1, SEEDS);
    }
    return seed;
  }
}
