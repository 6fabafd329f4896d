package org.nelumbo.soak;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The parts of a soak. Each runs for some seconds from a seed and exits with status 0 if every
 * check passed.
 */
enum Part {
  /** Faults on a pool of real processes. */
  CLUSTER {
    @Override
    List<String> command(Path home, long seed, long seconds) {
      return launcher(
          home, "soak", "cluster", "--seed=" + seed, "--seconds=" + seconds, "--rounds=1000000");
    }
  },
  /** Faults on compute nodes that share a pool of real processes. */
  SHARED {
    @Override
    List<String> command(Path home, long seed, long seconds) {
      return launcher(
          home,
          "soak",
          "cluster",
          "--shared",
          "--seed=" + seed,
          "--seconds=" + seconds,
          "--rounds=1000000");
    }
  },
  /** Faults on processes that share a pool in files. */
  SHM {
    @Override
    List<String> command(Path home, long seed, long seconds) {
      return launcher(
          home,
          "soak",
          "cluster",
          "--shm",
          "--seed=" + seed,
          "--seconds=" + seconds,
          "--rounds=1000000");
    }
  },
  /** Faults on compute nodes and durable memory nodes, all real processes. */
  DURABLE {
    @Override
    List<String> command(Path home, long seed, long seconds) {
      return launcher(
          home,
          "soak",
          "cluster",
          "--durable",
          "--seed=" + seed,
          "--seconds=" + seconds,
          "--rounds=1000000");
    }
  },
  /** Crash points of databases in files. */
  CRASH {
    @Override
    List<String> command(Path home, long seed, long seconds) {
      return launcher(home, "soak", "crash", "--seed=" + seed, "--seconds=" + seconds);
    }
  },
  /** All scenarios of the simulator, with all faults. */
  SIMULATION {
    @Override
    List<String> command(Path home, long seed, long seconds) {
      return launcher(
          home, "sim", "--scenario=all", "--seed=" + seed, "--seeds=" + Math.max(1, seconds / 10));
    }
  },
  /** Flushes of several compute nodes to copies, in the simulator. */
  FLUSHES {
    @Override
    List<String> command(Path home, long seed, long seconds) {
      return simulation(home, "shared-flushes", seed, seconds * FLUSH_SEEDS_PER_SECOND);
    }
  },
  /** Appends of several compute nodes to logs, in the simulator. */
  APPENDS {
    @Override
    List<String> command(Path home, long seed, long seconds) {
      return simulation(home, "shared-appends", seed, seconds * APPEND_SEEDS_PER_SECOND);
    }
  },
  /** Durable memory nodes that lose power, with archives and backups, in the simulator. */
  ARCHIVES {
    @Override
    List<String> command(Path home, long seed, long seconds) {
      return simulation(home, "durable-archives", seed, 1 + seconds / 2);
    }
  },
  /** Databases in files on faulty disks, in the simulator. */
  DISKS {
    @Override
    List<String> command(Path home, long seed, long seconds) {
      return simulation(home, "disk-faults", seed, 1 + seconds / 2);
    }
  },
  /** Random SQL, compared with another database and with itself. */
  SQL {
    @Override
    List<String> command(Path home, long seed, long seconds) {
      return launcher(
          home, "sqlgen", "--seed=" + seed, "--statements=" + seconds * STATEMENTS_PER_SECOND);
    }
  },
  /** Random calls, URLs, texts, frames and stops, and damage to pools, rows and definitions. */
  FUZZ {
    @Override
    List<String> command(Path home, long seed, long seconds) {
      return List.of(
          home.resolve("mvnw").toString(),
          "-f",
          home.resolve("pom.xml").toString(),
          "-q",
          "-B",
          "-ntp",
          "-pl",
          "jdbc-driver,planner",
          "-am",
          "test",
          "-Dtest=" + String.join(",", FUZZERS),
          "-Dsurefire.failIfNoSpecifiedTests=false",
          "-Dnelumbo.test.jvm=-Dnelumbo.seed="
              + seed
              + " -Dnelumbo.fuzz.seconds="
              + seconds / FUZZERS.size()
              + " -Dnelumbo.frames="
              + seconds / FUZZERS.size() * FRAMES_PER_SECOND
              + " -Dnelumbo.plain.queries="
              + seconds / FUZZERS.size() * QUERIES_PER_SECOND);
    }
  };

  private static final long FLUSH_SEEDS_PER_SECOND = 50;
  private static final long APPEND_SEEDS_PER_SECOND = 5;
  private static final long STATEMENTS_PER_SECOND = 500;
  private static final List<String> FUZZERS =
      List.of(
          "DriverCallsTest",
          "DriverUrlsTest",
          "UrlParsingTest",
          "DamagedPoolTest",
          "DamagedRowTest",
          "DefinitionCodecTest",
          "SqlParsingFuzzTest",
          "StopTest",
          "TableQueryPlannerTest",
          "VerbFrameFuzzTest");
  private static final long FRAMES_PER_SECOND = 100_000;
  private static final long QUERIES_PER_SECOND = 500;

  /** Returns the command of a slice. */
  abstract List<String> command(Path home, long seed, long seconds);

  /** Returns the word of the command-line option. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  private static List<String> simulation(Path home, String name, long seed, long seeds) {
    return launcher(home, "sim", name, "--seed=" + seed, "--seeds=" + seeds);
  }

  private static List<String> launcher(Path home, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(home.resolve("nelumbo").toString());
    command.addAll(List.of(arguments));
    return command;
  }
}
