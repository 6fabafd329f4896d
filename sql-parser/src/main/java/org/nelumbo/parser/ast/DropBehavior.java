package org.nelumbo.parser.ast;

/** What a DROP does to things that depend on the dropped one. */
public enum DropBehavior {
  /** The statement did not say. */
  UNSPECIFIED,
  /** Drop them too. */
  CASCADE,
  /** Refuse to drop. */
  RESTRICT
}
