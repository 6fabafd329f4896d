package org.nelumbo.parser.ast;

/** The treatment of objects that depend on a dropped object. */
public enum DropBehavior {
  /** Not specified in the statement. */
  UNSPECIFIED,
  /** Drops them as well. */
  CASCADE,
  /** Rejects the statement if there are any. */
  RESTRICT
}
