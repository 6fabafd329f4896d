package org.nelumbo.executor.op.aggregate;

/** The groups of rows of one partition that are sorted alike, numbered in their order. */
final class PeerGroups {
  /** Of each row: its group. */
  private int[] numbers = new int[0];

  /** Of each group: its first row. */
  private int[] starts = new int[0];

  private int groups;
  private int rows;

  /**
   * Numbers the groups.
   *
   * @param firstPeers of each row the first that is sorted as it is
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

  /** The first row of the group so far behind that of a row; all rows if there is none. */
  long first(int row, long distance) {
    long group = numbers[row] + distance;
    return group < 0 ? 0 : group >= groups ? rows : starts[(int) group];
  }

  /** The last row of the group so far behind that of a row; -1 if that is before all. */
  long last(int row, long distance) {
    return numbers[row] + distance < 0 ? -1 : first(row, distance + 1) - 1;
  }
}
