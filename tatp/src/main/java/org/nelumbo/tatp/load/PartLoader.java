package org.nelumbo.tatp.load;

import java.sql.Connection;
import java.sql.SQLException;
import org.nelumbo.benchmark.LoadProgress;
import org.nelumbo.benchmark.data.RandomValues;
import org.nelumbo.benchmark.database.Dialect;
import org.nelumbo.benchmark.load.BatchInsert;
import org.nelumbo.tatp.terminal.Subscribers;

/**
 * Loads a range of subscribers: first their rows, then the rows that refer to them, because foreign
 * keys are checked.
 */
final class PartLoader {
  private static final int TYPES = 4;
  private static final int ACTIVE_PERCENT = 85;
  private static final int HEX_MAX = 15;
  private static final int BYTE_MAX = 255;

  private final Connection connection;
  private final Dialect dialect;
  private final LoadProgress progress;
  private final RandomValues random;

  PartLoader(Connection connection, Dialect dialect, LoadProgress progress, RandomValues random) {
    this.connection = connection;
    this.dialect = dialect;
    this.progress = progress;
    this.random = random;
  }

  /** Loads the subscribers from {@code first} to {@code last}, both inclusive. */
  Loaded load(int first, int last) throws SQLException {
    loadSubscribers(first, last);
    long accessInfos = loadAccessInfos(first, last);
    int[][] facilities = new int[last - first + 1][];
    long facilitiesCount = loadFacilities(first, facilities);
    long forwardings = loadForwardings(first, facilities);
    return new Loaded(last - first + 1L, accessInfos, facilitiesCount, forwardings);
  }

  private BatchInsert into(String table, int columns) throws SQLException {
    return new BatchInsert(connection, dialect, progress, table, columns);
  }

  private void loadSubscribers(int first, int last) throws SQLException {
    try (BatchInsert insert = into("subscriber", 34)) {
      for (int subscriber = first; subscriber <= last; subscriber++) {
        Object[] row = new Object[34];
        row[0] = subscriber;
        row[1] = Subscribers.telephoneNumber(subscriber);
        fill(row, 2, 1);
        fill(row, 12, HEX_MAX);
        fill(row, 22, BYTE_MAX);
        row[32] = random.uniform(1, Integer.MAX_VALUE - 1);
        row[33] = random.uniform(1, Integer.MAX_VALUE - 1);
        insert.add(row);
      }
    }
  }

  /** Fills ten columns with numbers from 0 to {@code highest}. */
  private void fill(Object[] row, int from, int highest) {
    for (int i = from; i < from + 10; i++) {
      row[i] = random.uniform(0, highest);
    }
  }

  private long loadAccessInfos(int first, int last) throws SQLException {
    long count = 0;
    try (BatchInsert insert = into("access_info", 6)) {
      for (int subscriber = first; subscriber <= last; subscriber++) {
        for (int type : someTypes()) {
          int data1 = random.uniform(0, BYTE_MAX);
          int data2 = random.uniform(0, BYTE_MAX);
          insert.add(subscriber, type, data1, data2, random.letters(3), random.letters(5));
          count++;
        }
      }
    }
    return count;
  }

  /** Draws one to four different types; each count is equally frequent. */
  private int[] someTypes() {
    return java.util.Arrays.copyOf(random.permutation(TYPES), random.uniform(1, TYPES));
  }

  private long loadFacilities(int first, int[][] types) throws SQLException {
    long count = 0;
    try (BatchInsert insert = into("special_facility", 6)) {
      for (int i = 0; i < types.length; i++) {
        types[i] = someTypes();
        for (int type : types[i]) {
          int active = random.percent(ACTIVE_PERCENT) ? 1 : 0;
          int control = random.uniform(0, BYTE_MAX);
          int data = random.uniform(0, BYTE_MAX);
          insert.add(first + i, type, active, control, data, random.letters(5));
          count++;
        }
      }
    }
    return count;
  }

  /** Loads zero to three forwardings for each facility; each count is equally frequent. */
  private long loadForwardings(int first, int[][] types) throws SQLException {
    long count = 0;
    try (BatchInsert insert = into("call_forwarding", 5)) {
      for (int i = 0; i < types.length; i++) {
        for (int type : types[i]) {
          int[] starts = random.permutation(3);
          int forwardings = random.uniform(0, 3);
          for (int j = 0; j < forwardings; j++) {
            int start = 8 * (starts[j] - 1);
            insert.add(first + i, type, start, start + random.uniform(1, 8), random.digits(15));
            count++;
          }
        }
      }
    }
    return count;
  }
}
