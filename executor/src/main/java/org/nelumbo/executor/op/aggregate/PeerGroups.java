package org.nelumbo.executor.op.aggregate;

/** The peer groups of a partition, numbered in order. Rows with equal sort keys are peers. */
final class PeerGroups {
  /** Group of each row. */
  private int[] numbers = new int[0];

  /** First row of each group. */
  private int[] starts = new int[0];

  private int groups;
  private int rows;

  /**
   * Numbers the groups.
   *
   * @param firstPeers first peer of each row
   */
  void find(int[] firstPeers, int rowCount) {
    rows = rowCount;
    groups = 0;
    if (numbers.length < rowCount) {
      starts = new int[firstPeers.length];
      numbers = new int[firstPeers.length];
    }
    for (int i = 0; i < rowCount; i++) {
      if (firstPeers[i] == i) {
        starts[groups++] = i;
      }
      numbers[i] = groups - 1;
    }
  }

  /**
   * Returns the first row of the group {@code distance} groups after the row's group; the number of
   * rows if there is no such group, or 0 if it would be before the first.
   */
  long first(int row, long distance) {
    long group = numbers[row] + distance;
    return group < 0 ? 0 : group >= groups ? rows : starts[(int) group];
  }

  /**
   * Returns the last row of the group {@code distance} groups after the row's group; -1 if it would
   * be before the first.
   */
  long last(int row, long distance) {
    return numbers[row] + distance < 0 ? -1 : first(row, distance + 1) - 1;
  }
}
