package org.nelumbo.parser.ast;

/** The strength with which a locking query locks the rows it returns. */
public enum LockStrength {
  /** FOR UPDATE: no other transaction may read under a lock or write. */
  UPDATE,
  /** FOR SHARE: no other transaction may write. */
  SHARE
}
