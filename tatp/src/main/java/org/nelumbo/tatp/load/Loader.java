package org.nelumbo.tatp.load;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.nelumbo.benchmark.LoadProgress;
import org.nelumbo.benchmark.data.RandomValues;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.database.SqlResource;
import org.nelumbo.benchmark.load.ParallelLoad;

/** Creates the tables, then loads subscribers with the rows that refer to them, in parts. */
public final class Loader {
  /** The tables in the order of their creation. */
  public static final List<String> TABLES =
      List.of("subscriber", "access_info", "special_facility", "call_forwarding");

  private static final int PART = 10_000;

  /** Average number of rows per subscriber in all tables: 1 + 2.5 + 2.5 + 3.75. */
  private static final double ROWS_EACH = 9.75;

  private final Database database;
  private final int subscribers;
  private final long seed;

  public Loader(Database database, int subscribers, long seed) {
    this.database = database;
    this.subscribers = subscribers;
    this.seed = seed;
  }

  /** Creates and fills the tables; returns the number of rows. The rows depend only on the seed. */
  public Loaded load(LoadProgress progress) throws SQLException, InterruptedException {
    progress.expect((long) (subscribers * ROWS_EACH));
    database.executeAll(
        SqlResource.load(Loader.class, "schema.sql").statements(database.dialect()));
    AtomicReference<Loaded> sum = new AtomicReference<>(Loaded.NONE);
    List<ParallelLoad.Part> parts = new ArrayList<>();
    for (int first = 1; first <= subscribers; first += PART) {
      int from = first;
      int to = Math.min(subscribers, first + PART - 1);
      parts.add(
          connection -> {
            RandomValues random = new RandomValues(seed * 1_000_003 + from);
            PartLoader part = new PartLoader(connection, database.dialect(), progress, random);
            sum.accumulateAndGet(part.load(from, to), Loaded::plus);
          });
    }
    ParallelLoad.run(database, parts);
    return sum.get();
  }
}
