package org.nelumbo.simulation.cluster;

import java.util.Set;
import org.nelumbo.simulation.config.Settings;

/**
 * The form of table T where it is made through SQL, and how often that form changes.
 *
 * @param every mean virtual time between schema changes, nanoseconds; 0: none
 * @param changes which of them
 * @param filler rows that no workload looks at; so many that a copy of the table takes several
 *     transactions, or 0
 * @param key how ID is declared
 * @param child whether each row has one of table C that refers to it, with the same VAL
 */
public record SchemaOptions(
    long every, Set<SchemaChange> changes, int filler, Key key, boolean child) {
  /** How the column that identifies rows is declared. */
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

  /** A table whose form stays. */
  public static final SchemaOptions NONE = new SchemaOptions(0, Set.of(), 0, Key.PRIMARY, false);

  /** What the keys of a scenario that begin with {@code schema.} say. */
  static SchemaOptions of(Settings settings) {
    return new SchemaOptions(
        settings.nanos("schema.every", "0ns"),
        settings.choices("schema.changes", SchemaChange.class),
        settings.integer("schema.filler", 0),
        settings.choice("schema.key", Key.class, Key.PRIMARY),
        settings.flag("schema.child", false));
  }

  /** Whether statements run beside the workload that change the form of the table. */
  public boolean isChanging() {
    return every > 0;
  }
}
