package org.nelumbo.simulation.scale;

import java.io.PrintWriter;
import java.util.Map;
import org.nelumbo.simulation.fabric.FabricModel;
import org.nelumbo.simulation.fabric.VerbKind;

/**
 * The verbs of a run as text: for each type of transaction those of one commit, by posting method,
 * and the load of the network card of each memory node by kind.
 */
final class VerbReport {
  /** Methods that post less than this per transaction are not shown. */
  private static final double SHOWN = 0.005;

  private final PrintWriter out;
  private final FabricModel model;

  VerbReport(PrintWriter out, FabricModel model) {
    this.out = out;
    this.model = model;
  }

  void print(ScaleResult result) {
    long commits = Math.max(1, result.all().commits);
    out.printf("  %-44s %8s %8s %7s %7s %9s%n", "verbs", "READ", "WRITE", "CAS", "FAA", "bytes");
    result
        .verbs()
        .types()
        .forEach(
            (type, verbs) -> {
              TypeTotals of = result.types().get(type);
              print(type, verbs, of == null ? commits : Math.max(1, of.commits));
            });
    for (int node = 0; node < result.cards().length; node++) {
      printCard(node, result.verbs().node(node), result.nanos(), result.cards()[node]);
    }
  }

  private void print(String type, VerbTotals verbs, long commits) {
    print("  " + type, verbs.all(), commits);
    for (Map.Entry<String, VerbTotals.Counts> site : verbs.sites()) {
      if (site.getValue().verbs() >= SHOWN * commits) {
        print("    " + site.getKey(), site.getValue(), commits);
      }
    }
  }

  private void print(String name, VerbTotals.Counts verbs, long commits) {
    out.printf(
        "  %-44s %8.2f %8.2f %7.2f %7.2f %9.1f%n",
        name,
        (double) verbs.verbs(VerbKind.READ) / commits,
        (double) verbs.verbs(VerbKind.WRITE) / commits,
        (double) verbs.verbs(VerbKind.CAS) / commits,
        (double) verbs.verbs(VerbKind.FAA) / commits,
        (double) verbs.bytes() / commits);
  }

  private void printCard(int node, VerbTotals.Counts verbs, long nanos, double busy) {
    StringBuilder shares = new StringBuilder();
    for (VerbKind kind : VerbKind.values()) {
      double share = VerbLedger.nanos(model, verbs, kind) / nanos;
      shares.append(String.format("%s %.1f%%, ", kind, 100 * share));
    }
    double moving = verbs.bytes() * model.byteTime() / nanos;
    out.printf(
        "  card of node %d: %.1f%% busy; %sbytes %.1f%%%n", node, 100 * busy, shares, 100 * moving);
  }
}
