package org.nelumbo.simulation.cluster;

import java.util.Set;
import org.nelumbo.simulation.config.Settings;

/**
 * The definition of table T when it is created through SQL, and how often it changes.
 *
 * @param every mean virtual time between schema changes, nanoseconds; 0: none
 * @param changes the changes to draw from
 * @param filler number of rows that no workload reads, large enough that a copy of the table takes
 *     several transactions; or 0
 * @param key declaration of ID
 * @param child whether each row has a child in table C that refers to it, with the same VAL
 */
public record SchemaOptions(
    long every, Set<SchemaChange> changes, int filler, Key key, boolean child) {
  /** Declaration of the column that identifies rows. */
  public enum Key {
    /** The primary key. */
    PRIMARY("BIGINT PRIMARY KEY"),
    /** A unique column; the primary key is the hidden one. */
    UNIQUE("BIGINT NOT NULL UNIQUE");

    final String definition;

    Key(String definition) {
      this.definition = definition;
    }
  }

  /** A table whose definition does not change. */
  public static final SchemaOptions NONE = new SchemaOptions(0, Set.of(), 0, Key.PRIMARY, false);

  /** Reads the options from the keys of a scenario that begin with {@code schema.}. */
  static SchemaOptions of(Settings settings) {
    return new SchemaOptions(
        settings.nanos("schema.every", "0ns"),
        settings.choices("schema.changes", SchemaChange.class),
        settings.integer("schema.filler", 0),
        settings.choice("schema.key", Key.class, Key.PRIMARY),
        settings.flag("schema.child", false));
  }

  /**
   * Returns true if statements that change the table definition run concurrently with the workload.
   */
  public boolean isChanging() {
    return every > 0;
  }
}
