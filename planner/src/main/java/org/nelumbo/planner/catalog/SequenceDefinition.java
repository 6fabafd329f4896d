package org.nelumbo.planner.catalog;

import org.nelumbo.types.Kind;

/**
 * What the catalogue keeps about a sequence, but for its next number.
 *
 * @param kind the type of its numbers
 * @param start what it begins with, and RESTART means
 * @param comment of COMMENT ON; null if there is none
 * @param ownerTable id of the table that it goes with; 0 if there is none
 * @param ownerColumn name of the column that it goes with; null if there is none
 */
public record SequenceDefinition(
    int id,
    String schema,
    String name,
    Kind kind,
    long start,
    long increment,
    long least,
    long greatest,
    boolean cycle,
    String comment,
    int ownerTable,
    String ownerColumn) {
  /** A sequence that goes with no column. */
  public SequenceDefinition(
      int id,
      String schema,
      String name,
      Kind kind,
      long start,
      long increment,
      long least,
      long greatest,
      boolean cycle,
      String comment) {
    this(id, schema, name, kind, start, increment, least, greatest, cycle, comment, 0, null);
  }

  /** This sequence under another name. */
  public SequenceDefinition withName(String newName) {
    return new SequenceDefinition(
        id,
        schema,
        newName,
        kind,
        start,
        increment,
        least,
        greatest,
        cycle,
        comment,
        ownerTable,
        ownerColumn);
  }

  /** This sequence with another comment; null for none. */
  public SequenceDefinition withComment(String newComment) {
    return new SequenceDefinition(
        id,
        schema,
        name,
        kind,
        start,
        increment,
        least,
        greatest,
        cycle,
        newComment,
        ownerTable,
        ownerColumn);
  }

  /** This sequence as one that goes with a column; 0 and null for none. */
  public SequenceDefinition ownedBy(int table, String column) {
    return new SequenceDefinition(
        id, schema, name, kind, start, increment, least, greatest, cycle, comment, table, column);
  }
}
