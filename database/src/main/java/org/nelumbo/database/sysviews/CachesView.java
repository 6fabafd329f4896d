package org.nelumbo.database.sysviews;

import static org.nelumbo.database.sysviews.ViewColumns.addLocal;
import static org.nelumbo.database.sysviews.ViewColumns.number;
import static org.nelumbo.database.sysviews.ViewColumns.text;

import java.util.List;
import org.nelumbo.database.DatabaseStatistics;
import org.nelumbo.executor.cache.CacheCounts;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.planner.catalog.Catalog;

/** SYS.CACHES: the caches of this compute node for a pool on memory nodes. */
final class CachesView {
  private final Engine engine;

  CachesView(Engine engine) {
    this.engine = engine;
  }

  void addTo(Catalog catalog) {
    addLocal(
        catalog,
        engine,
        "CACHES",
        this::rows,
        text("CACHE"),
        text("UNIT"),
        number("HITS"),
        number("MISSES"),
        number("ENTRIES"),
        number("USED"),
        number("CAPACITY"));
  }

  private List<Object[]> rows() {
    DatabaseStatistics.Caches caches = StatisticsReader.caches(engine);
    return List.of(
        row("CVTS", "ROWS", caches.cvts()),
        row("ADDRESSES", "ROWS", caches.addresses()),
        row("RECORDS", "BYTES", caches.records()));
  }

  private static Object[] row(String cache, String unit, CacheCounts counts) {
    return new Object[] {
      cache,
      unit,
      counts.hits(),
      counts.misses(),
      counts.entries(),
      counts.used(),
      counts.capacity()
    };
  }
}
