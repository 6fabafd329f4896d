package org.nelumbo.database.check;

import java.util.Arrays;
import java.util.zip.CRC32C;
import org.nelumbo.dm.pool.OutsidePoolException;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.row.RowLayout;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.RangeScan;
import org.nelumbo.executor.txn.ScanRange;
import org.nelumbo.executor.txn.TableScan;
import org.nelumbo.executor.txn.Transaction;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.DatetimeText;

/**
 * Compares the indexes of a table with each other in one snapshot: the hash index, the ordered
 * primary index (one of which may be absent) and the secondary indexes must lead to the same rows.
 * Each index is scanned once, and the sums of its rows are compared; only if they differ are the
 * rows searched one by one. All rows are decoded. Used once.
 */
final class TableCheck {
  private static final int NAMED_MAX = 100;

  /** One of this many rows is looked up by its key in each ordered index, from the root down. */
  private static final int SAMPLE = 32;

  private static final long KEY_STEP = 0x9E3779B97F4A7C15L;
  private static final long SUM_STEP = 0xD1B54A32D192ED03L;

  private final Transaction transaction;
  private final TableEntry entry;
  private final TableStore table;
  private final RowLayout layout;
  private final Findings findings;
  private final CRC32C crc = new CRC32C();
  private final RowBuffer row = new RowBuffer();
  private final RowBuffer other = new RowBuffer();
  private final KeyBuffer key = new KeyBuffer();
  private final KeyBuffer entryKey = new KeyBuffer();
  private final KeyBuffer before = new KeyBuffer();
  private final ScanRange range = new ScanRange();

  /** Number of rows, and a sum of their contents that is independent of the order. */
  private record Sum(long rows, long sum) {}

  @FunctionalInterface
  private interface Visitor {
    void row();
  }

  TableCheck(Transaction transaction, TableEntry entry, Findings findings) {
    this.transaction = transaction;
    this.entry = entry;
    this.table = entry.store();
    this.layout = table.layout();
    this.findings = findings;
  }

  /** Checks the table; returns the number of its rows. */
  long run() {
    Sum all = sum("rows", byKey(), this::decode);
    if (all == null) {
      return 0;
    }
    if (table.primary() != null) {
      check(table.primary(), "primary key", all);
    }
    for (IndexStore index : table.indexes()) {
      check(index, index.schema().name(), all);
    }
    return all.rows;
  }

  private void add(String object, String rowKey, String problem) {
    findings.add(new Finding(entry.schemaName(), entry.name(), object, rowKey, problem));
  }

  @FunctionalInterface
  private interface Cursor {
    Outcome next(RowBuffer out);
  }

  /** Scans the index that finds rows by their keys. */
  private Cursor byKey() {
    if (table.hash() == null) {
      return by(table.primary());
    }
    TableScan scan = transaction.newTableScan();
    Outcome opened = scan.openByHash(table, LockMode.READ);
    return out -> opened == Outcome.OK ? scan.next(out) : opened;
  }

  private Cursor by(IndexStore index) {
    RangeScan scan = transaction.newRangeScan();
    Outcome opened = scan.open(range.all(index).lockMode(LockMode.READ));
    return out -> opened == Outcome.OK ? scan.next(out) : opened;
  }

  /** Returns null and reports a defect if the scan fails. */
  private Sum sum(String object, Cursor rows, Visitor visitor) {
    long count = 0;
    long sum = 0;
    try {
      while (next(rows)) {
        count++;
        sum += fingerprint();
        visitor.row();
      }
      return new Sum(count, sum);
    } catch (NelumboException | OutsidePoolException e) {
      if (e instanceof NelumboException known && known.code() != ErrorCode.DATA_CORRUPTED) {
        throw e;
      }
      add(object, null, "it cannot be read after " + count + " rows: " + e.getMessage());
      return null;
    }
  }

  private boolean next(Cursor rows) {
    Outcome status = rows.next(row);
    return status == Outcome.OK || check(status);
  }

  private long fingerprint() {
    layout.keyOf(row, key);
    crc.reset();
    crc.update(row.bytes, row.offset, row.length);
    return (key.lotusKey * KEY_STEP ^ crc.getValue()) * SUM_STEP;
  }

  private void decode() {
    for (int column = 0; column < layout.columnCount(); column++) {
      try {
        boolean isLong = layout.type(column).isLong();
        if (isLong) {
          layout.getLong(row.bytes, row.offset, column);
        } else {
          layout.getObject(row.bytes, row.offset, column);
        }
      } catch (RuntimeException e) {
        add(table.schema().column(column).name(), keyText(), "a value is damaged: " + e);
      }
    }
  }

  private void check(IndexStore index, String name, Sum all) {
    Uniqueness uniqueness = new Uniqueness(index, name);
    Sum found = sum(name, by(index), uniqueness::row);
    if (found != null && !found.equals(all)) {
      long before = findings.count();
      name(name, byKey(), "the row is not found in the index", () -> isIn(index));
      name(name, by(index), "the index has a row that does not exist", this::isByKey);
      if (findings.count() == before) {
        add(name, null, "the index has rows=" + found.rows + " of=" + all.rows);
      }
    }
  }

  @FunctionalInterface
  private interface Condition {
    boolean holds();
  }

  private void name(String object, Cursor rows, String problem, Condition condition) {
    for (int named = 0; named < NAMED_MAX && next(rows); ) {
      if (!condition.holds()) {
        add(object, keyText(), problem);
        named++;
      }
    }
  }

  private boolean isByKey() {
    layout.keyOf(row, key);
    Outcome status = transaction.get(table, key, LockMode.READ, other);
    return status == Outcome.OK ? isSame() : check(status);
  }

  private boolean check(Outcome status) {
    if (status != Outcome.NOT_FOUND) {
      throw transaction.failure(status);
    }
    return false;
  }

  private boolean isSame() {
    return Arrays.equals(
        row.bytes,
        row.offset,
        row.offset + row.length,
        other.bytes,
        other.offset,
        other.offset + other.length);
  }

  private boolean isIn(IndexStore index) {
    if (index.isPrimary()) {
      layout.keyOf(row, entryKey);
    } else {
      index.encoder().buildWhole(row, entryKey);
    }
    RangeScan scan = transaction.newRangeScan();
    Outcome status = scan.open(range.closed(index, entryKey, entryKey).lockMode(LockMode.READ));
    if (status == Outcome.OK) {
      status = scan.next(other);
    }
    scan.close();
    return status == Outcome.OK ? isSame() : check(status);
  }

  private int build(IndexStore index) {
    if (!index.isPrimary()) {
      return index.encoder().build(row, entryKey);
    }
    layout.keyOf(row, entryKey);
    return entryKey.length;
  }

  private final class Uniqueness {
    private final IndexStore index;
    private final String name;
    private int prefixBefore = -1;
    private long rows;

    Uniqueness(IndexStore index, String name) {
      this.index = index;
      this.name = name;
    }

    void row() {
      int prefix = build(index);
      int order =
          Arrays.compareUnsigned(
              before.bytes, 0, before.length, entryKey.bytes, 0, entryKey.length);
      if (prefixBefore >= 0 && order >= 0) {
        add(name, keyText(), "the entries of the index are not in order");
      }
      boolean isSame =
          !index.isPrimary()
              && index.schema().unique()
              && prefix == prefixBefore
              && Arrays.equals(entryKey.bytes, 0, prefix, before.bytes, 0, prefix);
      if (isSame && !index.encoder().hasNull(row.bytes, row.offset)) {
        add(name, keyText(), "another row has the same value, which must be unique");
      }
      before.copyFrom(entryKey);
      prefixBefore = prefix;
      if (rows++ % SAMPLE == 0 && !isIn(index)) {
        add(name, keyText(), "the row is not found by its key");
      }
    }
  }

  private String keyText() {
    StringBuilder text = new StringBuilder();
    try {
      for (int column : table.schema().primaryKey()) {
        text.append(text.isEmpty() ? "" : ", ").append(value(column));
      }
    } catch (RuntimeException e) {
      text.append("...");
    }
    return text.toString();
  }

  private String value(int column) {
    ColumnType type = layout.type(column);
    if (!type.isLong()) {
      Object value = layout.getObject(row.bytes, row.offset, column);
      return value instanceof byte[] ? "X'...'" : String.valueOf(value).stripTrailing();
    }
    long raw = layout.getLong(row.bytes, row.offset, column);
    return switch (type.kind()) {
      case DATE, TIME, TIMESTAMP -> DatetimeText.format(type.kind(), raw);
      case DECIMAL -> String.valueOf(layout.getDecimal(row.bytes, row.offset, column));
      default -> Long.toString(raw);
    };
  }
}
