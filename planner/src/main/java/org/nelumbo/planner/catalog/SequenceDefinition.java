package org.nelumbo.planner.catalog;

import org.nelumbo.types.Kind;

/**
 * The definition of a sequence in the catalog, without its next number.
 *
 * @param kind the type of its numbers
 * @param start the first number, also after RESTART
 * @param comment the text of COMMENT ON; null if there is none
 * @param ownerTable id of the table that owns the sequence; 0 if there is none
 * @param ownerColumn name of the column that owns the sequence; null if there is none
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
  /** Creates the definition of a sequence without an owner. */
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

  /** Returns this definition with another name. */
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

  /** Returns this definition with another comment; null for none. */
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

  /** Returns this definition with another owner; 0 and null for none. */
  public SequenceDefinition ownedBy(int table, String column) {
    return new SequenceDefinition(
        id, schema, name, kind, start, increment, least, greatest, cycle, comment, table, column);
  }
}
