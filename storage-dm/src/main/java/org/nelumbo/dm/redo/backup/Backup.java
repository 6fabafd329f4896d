package org.nelumbo.dm.redo.backup;

/**
 * A backup: the state of a database at a timestamp.
 *
 * @param number number of the backup in its directory; later ones have larger numbers
 * @param first number of the full backup on which it builds, together with the backups between
 * @param database id of the database
 * @param timestamp timestamp of the state
 * @param bytes size of its file
 */
public record Backup(long number, long first, long database, long timestamp, long bytes) {
  private static final String PREFIX = "backup-";
  private static final int DIGITS = 16;

  /** Returns true for a full backup, false for the changes since the previous one. */
  public boolean isFull() {
    return first == number;
  }

  /** Returns the name of its file. */
  public String name() {
    return name(number);
  }

  static String name(long number) {
    return PREFIX + String.format("%0" + DIGITS + "x", number);
  }

  /** Returns the number of the backup with a file name; negative for other files. */
  static long number(String name) {
    return name.matches(PREFIX + "[0-9a-f]{" + DIGITS + "}")
        ? Long.parseUnsignedLong(name.substring(PREFIX.length()), 16)
        : -1;
  }
}
