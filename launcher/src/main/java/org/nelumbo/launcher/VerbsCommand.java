package org.nelumbo.launcher;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.nelumbo.cli.BuildVersion;
import org.nelumbo.cli.DurationConverter;
import org.nelumbo.cli.ExitStatus;
import org.nelumbo.cli.RemotePoolUrl;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.fabric.shm.SharedMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.TcpFabric;
import org.nelumbo.dm.fabric.tcp.TcpOptions;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.superblock.PoolFormat;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code nelumbo bench verbs}: latency and rate of each verb on a fabric. */
@Command(
    name = "verbs",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    description =
        "Measures single verbs on a fabric with one thread: READ, WRITE, CAS and FAA of 8, 64 and"
            + " 1024 bytes, 1, 8 and 32 per flush.",
    footer = {
      "",
      "Memory nodes must be empty, and stay empty; only the first node is used. Only those",
      "properties of the URL apply that define how to connect to it."
    })
final class VerbsCommand implements Callable<Integer> {
  private static final String MEMORY = "jdbc:nelumbo:mem:";
  private static final String SHARED = "jdbc:nelumbo:shm:";
  private static final int[] SIZES = {Long.BYTES, 64, VerbTimes.BYTES_MAX};
  private static final int[] BATCHES = {1, 8, VerbTimes.BATCH_MAX};

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "URL",
      description =
          "jdbc:nelumbo:mem:, jdbc:nelumbo:shm:PATH (an unused path), or memory nodes as"
              + " jdbc:nelumbo://HOST:PORT/NAME or jdbc:nelumbo:rdma://HOST:PORT/NAME.")
  private String url;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      defaultValue = "500ms",
      converter = DurationConverter.class,
      description = "Time to measure each line (default: ${DEFAULT-VALUE}).")
  private Duration duration;

  @Override
  public Integer call() throws IOException {
    try {
      if (url.startsWith(SHARED)) {
        measureShared(url.substring(SHARED.length()));
      } else {
        try (Fabric fabric = open()) {
          measure(fabric);
        }
      }
      return ExitStatus.DONE;
    } catch (PoolOpenException | FabricException e) {
      spec.commandLine().getErr().println("nelumbo: verbs cannot be measured: " + e.getMessage());
      return ExitStatus.NO_DATABASE;
    }
  }

  private Fabric open() {
    if (url.equals(MEMORY)) {
      return new LocalFabric(VerbTimes.NODE_BYTES);
    }
    RemotePoolUrl pool = new RemotePoolUrl(url, spec.commandLine());
    TcpOptions options = pool.options("bench verbs").withRdma(pool.rdma());
    try {
      return TcpFabric.open(
          new SystemEnvironment(),
          pool.nodes().stream().limit(1).map(NodeAddress::parse).toList(),
          options);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private void measureShared(String name) throws IOException {
    Path path;
    try {
      path = Path.of(name);
    } catch (InvalidPathException e) {
      throw new ParameterException(spec.commandLine(), "'" + name + "' is not a path", e);
    }
    if (Files.exists(path)) {
      throw new ParameterException(spec.commandLine(), path + " exists: name an unused path");
    }
    try (Fabric fabric =
        SharedMemory.open(path, new SharedMemory.Wanted(VerbTimes.NODE_BYTES, 1), 0)) {
      measure(fabric);
    } finally {
      Files.deleteIfExists(path);
    }
  }

  private void measure(Fabric fabric) {
    if (PoolFormat.isFormatted(fabric)) {
      throw new PoolOpenException("the memory node has a pool, but it must be empty");
    }
    if (fabric.nodeBytes(0) < VerbTimes.NODE_BYTES) {
      throw new PoolOpenException("the memory node has fewer bytes than " + VerbTimes.NODE_BYTES);
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println("verb   bytes  a flush     p50 us     p99 us      verbs/s");
    try (Channel channel = fabric.openChannel(VerbTimes.STAGING_BYTES)) {
      VerbTimes times = new VerbTimes(channel);
      for (VerbTimes.Verb verb : VerbTimes.Verb.values()) {
        times.measure(verb, Long.BYTES, VerbTimes.BATCH_MAX, nanos()); // compiles the common code
      }
      for (VerbTimes.Verb verb : VerbTimes.Verb.values()) {
        for (int bytes : verb.isAtomic() ? new int[] {Long.BYTES} : SIZES) {
          for (int batch : BATCHES) {
            out.println(line(verb, bytes, batch, times.measure(verb, bytes, batch, nanos())));
            out.flush();
          }
        }
      }
    }
  }

  private long nanos() {
    return duration.toNanos();
  }

  private static String line(VerbTimes.Verb verb, int bytes, int batch, VerbTimes.Times times) {
    return String.format(
        Locale.ROOT,
        "%-5s  %5d  %7d  %9.2f  %9.2f  %,11.0f",
        verb,
        bytes,
        batch,
        times.medianNanos() / 1e3,
        times.highNanos() / 1e3,
        times.verbsPerSecond());
  }
}
