package org.nelumbo.parser.ast;

/** The treatment of what depends on a dropped object. */
public enum DropBehavior {
  /** The statement did not say. */
  UNSPECIFIED,
  /** Drop them too. */
  CASCADE,
  /** Refuse to drop. */
  RESTRICT
}
