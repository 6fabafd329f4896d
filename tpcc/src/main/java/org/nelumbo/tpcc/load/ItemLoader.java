package org.nelumbo.tpcc.load;

import java.sql.Connection;
import java.sql.SQLException;
import org.nelumbo.benchmark.LoadProgress;
import org.nelumbo.benchmark.database.Dialect;
import org.nelumbo.benchmark.load.BatchInsert;
import org.nelumbo.tpcc.data.Money;
import org.nelumbo.tpcc.data.TpccRandom;

/** Fills ITEM, clause 4.3.3.1. */
final class ItemLoader {
  private final Connection connection;
  private final Dialect dialect;
  private final LoadProgress progress;
  private final TpccRandom random;

  ItemLoader(Connection connection, Dialect dialect, LoadProgress progress, TpccRandom random) {
    this.connection = connection;
    this.dialect = dialect;
    this.progress = progress;
    this.random = random;
  }

  void load(int items) throws SQLException {
    try (BatchInsert insert = new BatchInsert(connection, dialect, progress, "item", 5)) {
      for (int item = 1; item <= items; item++) {
        insert.add(
            item,
            random.uniform(1, 10_000),
            random.text(14, 24),
            Money.ofCents(random.uniform(100, 10_000)),
            random.dataWithOriginal());
      }
    }
  }
}
