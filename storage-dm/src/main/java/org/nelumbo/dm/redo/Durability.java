package org.nelumbo.dm.redo;

/** When a commit is acknowledged. */
public enum Durability {
  /** When its entries are on the disk. */
  COMMIT,

  /** At once; it is on the disk after an interval at most. */
  INTERVAL,

  /** At once; the file system writes it when it likes. */
  NONE
}
