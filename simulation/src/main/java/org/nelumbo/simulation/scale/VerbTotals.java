package org.nelumbo.simulation.scale;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.nelumbo.simulation.fabric.VerbKind;

/** Numbers of verbs and their bytes, by kind and by posting method. */
final class VerbTotals {
  private static final int KINDS = VerbKind.values().length;

  /** The verbs of one method. */
  static final class Counts {
    private final long[] verbs = new long[KINDS];
    private long bytes;

    long verbs(VerbKind kind) {
      return verbs[kind.ordinal()];
    }

    long verbs() {
      long sum = 0;
      for (long each : verbs) {
        sum += each;
      }
      return sum;
    }

    long bytes() {
      return bytes;
    }

    private void add(VerbKind kind, long moved) {
      verbs[kind.ordinal()]++;
      bytes += moved;
    }

    private void add(Counts more) {
      for (int kind = 0; kind < KINDS; kind++) {
        verbs[kind] += more.verbs[kind];
      }
      bytes += more.bytes;
    }
  }

  private final Map<String, Counts> sites = new TreeMap<>();

  void add(VerbKind kind, long bytes, String site) {
    sites.computeIfAbsent(site, _ -> new Counts()).add(kind, bytes);
  }

  void add(VerbTotals more) {
    more.sites.forEach(
        (site, counts) -> sites.computeIfAbsent(site, _ -> new Counts()).add(counts));
  }

  void clear() {
    sites.clear();
  }

  /** Returns the verbs of all methods. */
  Counts all() {
    Counts all = new Counts();
    sites.values().forEach(all::add);
    return all;
  }

  /** Returns the methods and their verbs, those with the most verbs first. */
  List<Map.Entry<String, Counts>> sites() {
    return sites.entrySet().stream()
        .sorted(Comparator.comparing(each -> -each.getValue().verbs()))
        .toList();
  }
}
