package org.nelumbo.ycsb.load;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.nelumbo.benchmark.LoadProgress;
import org.nelumbo.benchmark.data.RandomValues;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.database.SqlResource;
import org.nelumbo.benchmark.load.BatchInsert;
import org.nelumbo.benchmark.load.ParallelLoad;
import org.nelumbo.ycsb.terminal.RecordInput;
import org.nelumbo.ycsb.terminal.RecordKeys;

/** Creates the table and fills it. The rows depend only on the seed. */
public final class Loader {
  private static final int PART = 10_000;

  private final Database database;
  private final int records;
  private final long seed;

  public Loader(Database database, int records, long seed) {
    this.database = database;
    this.records = records;
    this.seed = seed;
  }

  /** Creates and fills the table. */
  public void load(LoadProgress progress) throws SQLException, InterruptedException {
    progress.expect(records);
    database.executeAll(
        SqlResource.load(Loader.class, "schema.sql").statements(database.dialect()));
    List<ParallelLoad.Part> parts = new ArrayList<>();
    for (int from = 0; from < records; from += PART) {
      int first = from;
      parts.add(connection -> load(connection, progress, first));
    }
    ParallelLoad.run(database, parts);
  }

  private void load(Connection connection, LoadProgress progress, int first) throws SQLException {
    RandomValues random = new RandomValues(seed * 1_000_003 + first);
    int columns = 1 + RecordInput.FIELDS;
    try (BatchInsert insert =
        new BatchInsert(connection, database.dialect(), progress, "usertable", columns)) {
      for (int record = first; record < Math.min(records, first + PART); record++) {
        String key = RecordKeys.of(record);
        Object[] row = new Object[columns];
        row[0] = key;
        for (int i = 1; i < columns; i++) {
          row[i] = RecordInput.value(random, key);
        }
        insert.add(row);
      }
    }
  }
}
