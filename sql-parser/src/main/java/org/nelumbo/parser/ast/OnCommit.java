package org.nelumbo.parser.ast;

/** Actions on a temporary table when a transaction commits. */
public enum OnCommit {
  PRESERVE_ROWS,
  DELETE_ROWS,
  DROP
}
