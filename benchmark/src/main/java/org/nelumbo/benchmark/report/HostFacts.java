package org.nelumbo.benchmark.report;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Collects facts about the machine and this process. Unknown facts stay empty. */
public final class HostFacts {
  /** System property for the commit that the program was built from, set by the launcher. */
  public static final String COMMIT_PROPERTY = "nelumbo.commit";

  private static final double MEGABYTE = 1 << 20;
  private static final double KILOBYTES_PER_MEGABYTE = 1 << 10;
  private static final Pattern SECRET =
      Pattern.compile("(?i)(password|passwd|secret|token)([^=]*)=.*");

  private HostFacts() {}

  /** Describes the machine and this process at the moment. */
  public static Host now() {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    Runtime runtime = Runtime.getRuntime();
    String version = HostFacts.class.getPackage().getImplementationVersion();
    return new Host(
        cpu(),
        runtime.availableProcessors(),
        system.getTotalMemorySize() / MEGABYTE,
        joined("os.name", "os.version", "os.arch"),
        joined("java.vm.name", "java.vm.version", "java.vendor"),
        flags(),
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .map(collector -> collector.getName())
            .collect(Collectors.joining(", ")),
        runtime.maxMemory() / MEGABYTE,
        system.getSystemLoadAverage(),
        version == null ? "" : version,
        System.getProperty(COMMIT_PROPERTY, ""));
  }

  /** Returns the heap in use after a garbage collection, in megabytes. */
  public static double heapAfterCollection() {
    System.gc();
    return ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(MemoryPoolMXBean::isValid)
            .filter(pool -> pool.getType() == java.lang.management.MemoryType.HEAP)
            .mapToLong(pool -> pool.getUsage().getUsed())
            .sum()
        / MEGABYTE;
  }

  /**
   * Returns the resident memory of this process in megabytes, or 0 if the system does not report
   * it.
   */
  public static double resident() {
    String line = lineOf(Path.of("/proc/self/status"), "VmRSS:");
    String digits = line.replaceAll("[^0-9]", "");
    return digits.isEmpty() ? 0 : Long.parseLong(digits) / KILOBYTES_PER_MEGABYTE;
  }

  private static String cpu() {
    String line = lineOf(Path.of("/proc/cpuinfo"), "model name");
    return line.isEmpty() ? System.getProperty("os.arch") : line.replaceFirst("^[^:]*:\\s*", "");
  }

  private static List<String> flags() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .map(flag -> SECRET.matcher(flag).replaceFirst("$1$2=***"))
        .toList();
  }

  private static String joined(String... properties) {
    return List.of(properties).stream()
        .map(name -> System.getProperty(name, ""))
        .collect(Collectors.joining(" "));
  }

  private static String lineOf(Path file, String start) {
    if (!Files.isReadable(file)) {
      return "";
    }
    try {
      return Files.readAllLines(file).stream()
          .filter(line -> line.startsWith(start))
          .findFirst()
          .orElse("");
    } catch (IOException e) {
      return "";
    }
  }
}
