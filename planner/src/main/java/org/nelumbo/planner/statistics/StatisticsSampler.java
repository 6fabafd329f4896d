package org.nelumbo.planner.statistics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.IndexKeyEncoder;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.LotusKeys;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.row.RowLayout;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.TableScan;
import org.nelumbo.executor.txn.Transaction;
import org.nelumbo.session.Isolation;

/**
 * Reads a sample of a table's rows from a snapshot, without locks. The sample consists of the first
 * entries of the hash index. The index is ordered by a hash of the keys, so every row is equally
 * likely to be in the sample. An instance is used once, by one thread.
 */
public final class StatisticsSampler {
  /** Sample size at which fractions are accurate to about one percent. */
  private static final int MOST_ROWS = 8_000;

  /**
   * A table without a hash index is read as a whole if it has up to this many times as many rows.
   */
  private static final int SCANNED_SHARE = 4;

  private final TableStore table;
  private final RowLayout layout;
  private final IndexKeyEncoder[] encoders;
  private final List<List<byte[]>> values = new ArrayList<>();
  private final Map<BitSet, IndexKeyEncoder> groups = new HashMap<>();
  private final Map<BitSet, long[]> combinations = new HashMap<>();
  private final KeyBuffer key = new KeyBuffer();
  private int sampled;

  /** Number of rows if all of them were read; otherwise -1. */
  private int counted = -1;

  private StatisticsSampler(TableStore table, int columns) {
    this.table = table;
    this.layout = table.layout();
    this.encoders = new IndexKeyEncoder[columns];
    for (int column = 0; column < columns; column++) {
      encoders[column] = TableStatistics.encoder(layout, column);
      values.add(new ArrayList<>());
    }
    addGroups(table.schema().primaryKey());
    for (IndexStore index : table.indexes()) {
      addGroups(index.schema().columns());
    }
    groups.keySet().forEach(group -> combinations.put(group, new long[MOST_ROWS]));
  }

  private void addGroups(int[] columns) {
    for (int length = 2; length <= columns.length; length++) {
      int[] prefix = Arrays.copyOf(columns, length);
      BitSet group = new BitSet();
      Arrays.stream(prefix).forEach(group::set);
      if (group.length() <= encoders.length) {
        groups.computeIfAbsent(group, ignored -> TableStatistics.encoder(layout, prefix));
      }
    }
  }

  /**
   * Collects the statistics of a table.
   *
   * @param columns number of columns to include
   * @param rows estimated number of rows
   * @return null if the table could not be read
   */
  public static TableStatistics sample(Engine engine, TableStore table, int columns, double rows) {
    StatisticsSampler sampler = new StatisticsSampler(table, columns);
    try (Coordinator coordinator = engine.openCoordinator()) {
      Transaction transaction = coordinator.transaction();
      transaction.begin(Isolation.SNAPSHOT, true);
      try {
        return sampler.read(transaction, rows) ? sampler.statistics(rows) : null;
      } catch (NelumboException e) {
        if (e.code() != ErrorCode.DATA_CORRUPTED) {
          throw e;
        }
        return null; // a query that reads the row reports it
      } finally {
        transaction.abort();
      }
    }
  }

  private boolean read(Transaction transaction, double rows) {
    boolean isSmall = table.hash() == null && rows <= MOST_ROWS * SCANNED_SHARE;
    return isSmall ? readAll(transaction, rows) : readSample(transaction);
  }

  private boolean readSample(Transaction transaction) {
    TableScan scan = transaction.newTableScan();
    RowBuffer row = new RowBuffer();
    Outcome status = Outcome.OK;
    scan.openSample(table);
    while (status == Outcome.OK && sampled < MOST_ROWS) {
      status = scan.next(row);
      if (status == Outcome.OK) {
        add(row);
      }
    }
    scan.close();
    if (status == Outcome.NOT_FOUND && table.hash() != null) {
      counted = sampled;
    }
    return status == Outcome.OK || status == Outcome.NOT_FOUND;
  }

  /** Reads all rows in the order of their keys, and adds one of so many to the sample. */
  private boolean readAll(Transaction transaction, double rows) {
    TableScan scan = transaction.newTableScan();
    RowBuffer row = new RowBuffer();
    int step = (int) Math.max(1, Math.ceil(rows / MOST_ROWS));
    Outcome status = scan.open(table, LockMode.READ);
    int read = 0;
    while (status == Outcome.OK && sampled < MOST_ROWS) {
      status = scan.next(row);
      if (status == Outcome.OK && read++ % step == 0) {
        add(row);
      }
    }
    scan.close();
    if (status == Outcome.NOT_FOUND) {
      counted = read;
    }
    return status == Outcome.OK || status == Outcome.NOT_FOUND;
  }

  private void add(RowBuffer row) {
    for (int column = 0; column < encoders.length; column++) {
      if (!layout.isNull(row.bytes, row.offset, column)) {
        int length = encoders[column].build(row, key);
        key.length = length;
        values.get(column).add(TableStatistics.bytes(key));
      }
    }
    for (Map.Entry<BitSet, IndexKeyEncoder> group : groups.entrySet()) {
      int length = group.getValue().build(row, key);
      combinations.get(group.getKey())[sampled] = LotusKeys.hash(0, key.bytes, 0, length);
    }
    sampled++;
  }

  private TableStatistics statistics(double estimate) {
    double rows = counted >= 0 ? counted : Math.max(estimate, sampled);
    ColumnStatistics[] columns = new ColumnStatistics[encoders.length];
    for (int column = 0; column < columns.length; column++) {
      columns[column] =
          ColumnStatistics.of(values.get(column).toArray(byte[][]::new), sampled, rows);
    }
    Map<BitSet, Double> distinct = new HashMap<>();
    combinations.forEach((group, hashes) -> distinct.put(group, distinct(hashes, rows)));
    return new TableStatistics(layout, Math.max(1, rows), columns, distinct);
  }

  private double distinct(long[] hashes, double rows) {
    Arrays.sort(hashes, 0, sampled);
    int different = 0;
    int singles = 0;
    for (int from = 0, to; from < sampled; from = to) {
      to = from + 1;
      while (to < sampled && hashes[to] == hashes[from]) {
        to++;
      }
      different++;
      singles += to - from == 1 ? 1 : 0;
    }
    return ColumnStatistics.distinct(sampled, different, singles, rows);
  }
}
