package org.nelumbo.database.sysviews;

import static org.nelumbo.database.sysviews.ViewColumns.add;
import static org.nelumbo.database.sysviews.ViewColumns.number;
import static org.nelumbo.database.sysviews.ViewColumns.text;

import java.util.List;
import org.nelumbo.dm.pool.AttachProgress;
import org.nelumbo.planner.catalog.Catalog;

/** SYS.ATTACHES: the pools to which this JVM is attaching, with their progress. */
final class AttachesView {
  private static final long NANOS_A_MILLI = 1_000_000;

  private AttachesView() {}

  static void addTo(Catalog catalog) {
    add(
        catalog,
        "ATTACHES",
        AttachesView::rows,
        text("PLACE"),
        text("PHASE"),
        number("DONE"),
        number("ELAPSED_MILLIS"));
  }

  private static List<Object[]> rows() {
    return AttachProgress.underWay().stream().map(AttachesView::row).toList();
  }

  private static Object[] row(AttachProgress progress) {
    AttachProgress.State state = progress.state();
    return new Object[] {
      progress.location(),
      state.phase().name(),
      state.done(),
      progress.elapsedNanos() / NANOS_A_MILLI
    };
  }
}
