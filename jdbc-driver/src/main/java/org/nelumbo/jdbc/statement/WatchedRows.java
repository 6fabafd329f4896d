package org.nelumbo.jdbc.statement;

import org.nelumbo.session.Rows;

/** Rows whose reading is watched: each step to the next row is a request. */
record WatchedRows(Rows rows, RequestWatchdog watchdog) implements Rows {
  @Override
  public boolean next() {
    watchdog.begin();
    try {
      return rows.next();
    } finally {
      watchdog.end();
    }
  }

  @Override
  public void reserve(long bytes) {
    rows.reserve(bytes);
  }

  @Override
  public boolean isNull(int column) {
    return rows.isNull(column);
  }

  @Override
  public long longAt(int column) {
    return rows.longAt(column);
  }

  @Override
  public Object objectAt(int column) {
    return rows.objectAt(column);
  }
}
