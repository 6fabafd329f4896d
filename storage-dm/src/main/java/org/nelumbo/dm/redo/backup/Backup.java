package org.nelumbo.dm.redo.backup;

/**
 * A backup: what a database was at a moment.
 *
 * @param number of the backup in its directory; later ones have larger numbers
 * @param first number of the one that has all rows, and that it builds upon with those between
 * @param database id of the database
 * @param timestamp of the moment
 * @param bytes of its file
 */
public record Backup(long number, long first, long database, long timestamp, long bytes) {
  private static final String PREFIX = "backup-";
  private static final int DIGITS = 16;

  /** Whether it has all rows, rather than what has changed since the one before. */
  public boolean isFull() {
    return first == number;
  }

  /** Name of its file. */
  public String name() {
    return name(number);
  }

  static String name(long number) {
    return PREFIX + String.format("%0" + DIGITS + "x", number);
  }

  /** Number of the backup in a file of that name; less than 0 if there is none in it. */
  static long number(String name) {
    return name.matches(PREFIX + "[0-9a-f]{" + DIGITS + "}")
        ? Long.parseUnsignedLong(name.substring(PREFIX.length()), 16)
        : -1;
  }
}
