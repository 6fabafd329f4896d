package org.nelumbo.planner.session;

import java.util.ArrayList;
import java.util.List;
import org.nelumbo.planner.Rows;

/**
 * Rows kept in memory: generated keys, explanations, and what is left of a result when its
 * transaction ends.
 */
final class BufferedRows implements Rows {
  private final List<Object[]> rows;
  private int position = -1;

  /**
   * Rows.
   *
   * @param rows of each row its raw values, Long for long types, null for NULL
   */
  BufferedRows(List<Object[]> rows) {
    this.rows = rows;
  }

  /** Text, a line a row. */
  static BufferedRows ofLines(String text) {
    List<Object[]> rows = new ArrayList<>();
    text.lines().forEach(line -> rows.add(new Object[] {line}));
    return new BufferedRows(rows);
  }

  @Override
  public boolean next() {
    if (position < rows.size()) {
      position++;
    }
    return position < rows.size();
  }

  @Override
  public boolean isNull(int column) {
    return rows.get(position)[column] == null;
  }

  @Override
  public long longAt(int column) {
    return (Long) rows.get(position)[column];
  }

  @Override
  public Object objectAt(int column) {
    return rows.get(position)[column];
  }
}
