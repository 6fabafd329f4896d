package org.nelumbo.dm.redo;

/** The durability level: when a commit is acknowledged. */
public enum Durability {
  /** When its entries are on the disk. */
  COMMIT,

  /** At once; it is on the disk after one interval at most. */
  INTERVAL,

  /** At once; the file system writes it at any later time. */
  NONE
}
