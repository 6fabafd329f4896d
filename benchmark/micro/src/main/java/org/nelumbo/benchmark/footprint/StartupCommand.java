package org.nelumbo.benchmark.footprint;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.nelumbo.cli.ExitStatus;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command {@code nelumbo bench startup}. It starts Java repeatedly, without and with an AOT
 * cache of the JDK, and measures the time until a new table has returned its first row. With {@code
 * --profile} it prints where this time goes.
 */
@Command(name = "startup", mixinStandardHelpOptions = true, sortOptions = false)
final class StartupCommand implements Callable<Integer> {
  private static final double NANOS_PER_MILLI = 1e6;

  /** Number of groups of classes that a profile shows. */
  private static final int GROUPS = 20;

  @Spec private CommandSpec spec;

  @Option(
      names = "--url",
      paramLabel = "URL",
      defaultValue = "jdbc:nelumbo:mem:,jdbc:h2:mem:,jdbc:hsqldb:mem:first",
      split = ",",
      description =
          "Empty databases in the process, separated by commas (default: ${DEFAULT-VALUE}).")
  private List<String> urls;

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "7",
      description =
          "Number of starts of each database; the median is shown (default: ${DEFAULT-VALUE}).")
  private int runs;

  @Option(
      names = "--profile",
      description = "Prints times by step and loaded classes by package instead, without a cache.")
  private boolean profile;

  @Override
  public Integer call() throws InterruptedException {
    if (runs < 1) {
      throw new ParameterException(spec.commandLine(), "--runs must be at least 1");
    }
    PrintWriter out = spec.commandLine().getOut();
    if (!profile) {
      out.println("milliseconds from the start of Java to the first row, median of " + runs);
    }
    int status = ExitStatus.DONE;
    for (String url : urls) {
      try {
        if (profile) {
          profile(url, out);
        } else {
          measure(url, out);
        }
      } catch (IOException | SQLException e) {
        spec.commandLine().getErr().println("error: " + url + ": " + e.getMessage());
        status = ExitStatus.FAILED;
      }
    }
    return status;
  }

  private static void profile(String url, PrintWriter out)
      throws IOException, SQLException, InterruptedException {
    String path = ProbePath.of(url);
    Probe.Answer times = new Probe(List.of(), path, StartProfile.class, List.of(url)).run();
    out.println("PROFILE url=" + url + " " + times.line());
    Path log = Files.createTempFile("nelumbo-startup", ".log");
    try {
      List<String> options = List.of("-Xlog:class+load:file=" + log);
      new Probe(options, path, StartProbe.class, List.of(url)).run();
      for (LoadedClasses.Group each : LoadedClasses.of(log).largest(GROUPS)) {
        out.println("CLASSES url=" + url + " group=" + each.name() + " count=" + each.count());
      }
    } finally {
      Files.deleteIfExists(log);
    }
  }

  private void measure(String url, PrintWriter out)
      throws IOException, SQLException, InterruptedException {
    String path = ProbePath.of(url);
    print(out, url, "none", List.of(), path);
    Path cache = Files.createTempFile("nelumbo-startup", ".aot");
    try {
      if (makesCache(url, path, cache)) {
        print(out, url, "own", Probe.usingCache(cache.toString()), path);
      } else {
        out.println("note: no AOT cache for " + url + ": this JDK creates none for its class path");
      }
    } finally {
      Files.deleteIfExists(cache);
    }
    String launchers = Probe.launchersCache();
    if (launchers != null && url.startsWith("jdbc:nelumbo:")) {
      print(out, url, "launcher", Probe.usingCache(launchers), ProbePath.whole());
    }
  }

  /**
   * Creates an AOT cache; returns false if this is not possible. A JDK before 25 cannot create one,
   * nor can any JDK if classes are in a directory.
   */
  private static boolean makesCache(String url, String path, Path cache)
      throws InterruptedException, IOException {
    Files.delete(cache);
    try {
      probe(url, List.of("-XX:AOTCacheOutput=" + cache, "-Xlog:aot=off", "-Xlog:cds=off"), path)
          .runSilently();
    } catch (IOException e) {
      return false;
    }
    return Files.exists(cache);
  }

  private static Probe probe(String url, List<String> options, String path) {
    return new Probe(options, path, StartProbe.class, List.of(url));
  }

  private void print(PrintWriter out, String url, String cache, List<String> options, String path)
      throws IOException, InterruptedException {
    double[] millis = new double[runs];
    for (int run = 0; run < runs; run++) {
      millis[run] = probe(url, options, path).run().nanos() / NANOS_PER_MILLI;
    }
    Arrays.sort(millis);
    out.println(
        String.format(
            Locale.ROOT,
            "STARTUP url=%s aot_cache=%s median_ms=%.0f lowest_ms=%.0f highest_ms=%.0f",
            url,
            cache,
            millis[runs / 2],
            millis[0],
            millis[runs - 1]));
    out.flush();
  }
}
