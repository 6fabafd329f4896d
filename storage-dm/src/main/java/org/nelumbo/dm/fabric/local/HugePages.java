package org.nelumbo.dm.fabric.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Counts how much memory of this process is in huge pages, as Linux lists it for each mapping in
 * {@code /proc/self/smaps}. The number matters because a network card caches page addresses, and
 * its cache covers little memory if the pages have 4 KiB.
 */
public final class HugePages {
  /** Result on systems that do not provide the number. */
  public static final long UNKNOWN = -1;

  private static final Path MAPPINGS = Path.of("/proc/self/smaps");
  private static final Pattern RANGE = Pattern.compile("([0-9a-f]+)-([0-9a-f]+) .*");
  private static final Pattern HUGE =
      Pattern.compile(
          "(?:AnonHugePages|ShmemPmdMapped|FilePmdMapped|(?:Shared|Private)_Hugetlb): +(\\d+) kB");

  private static final int HEXADECIMAL = 16;

  private HugePages() {}

  /** Returns the bytes of a memory range that are in huge pages, or {@link #UNKNOWN}. */
  public static long bytes(long address, long bytes) {
    if (!Files.isReadable(MAPPINGS)) {
      return UNKNOWN;
    }
    try (Stream<String> lines = Files.lines(MAPPINGS)) {
      return bytes(lines, address, bytes);
    } catch (IOException | UncheckedIOException e) {
      return UNKNOWN;
    }
  }

  /**
   * Counts the bytes of a range according to the lines of the file. Mappings that extend beyond the
   * range count only as far as they overlap it.
   */
  static long bytes(Stream<String> lines, long address, long bytes) {
    Count count = new Count(address, address + bytes);
    lines.forEach(count::take);
    return count.bytes;
  }

  private static final class Count {
    private final long from;
    private final long to;
    private long inside;
    private long bytes;

    Count(long from, long to) {
      this.from = from;
      this.to = to;
    }

    void take(String line) {
      Matcher range = RANGE.matcher(line);
      if (range.matches()) {
        long begin = Math.max(from, Long.parseUnsignedLong(range.group(1), HEXADECIMAL));
        long end = Math.min(to, Long.parseUnsignedLong(range.group(2), HEXADECIMAL));
        inside = Math.max(0, end - begin);
        return;
      }
      Matcher huge = HUGE.matcher(line);
      if (inside > 0 && huge.matches()) {
        long there = Math.min(inside, Long.parseLong(huge.group(1)) << 10);
        bytes += there;
        inside -= there;
      }
    }
  }
}
