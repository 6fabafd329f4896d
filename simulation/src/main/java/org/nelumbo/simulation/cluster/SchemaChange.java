package org.nelumbo.simulation.cluster;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.nelumbo.error.ErrorCode;

/** The changes of table T's definition that run concurrently with its clients. */
public enum SchemaChange {
  /** Copies some of the rows; a row that violates the new constraint undoes the change. */
  REFUSE_NULL(
      Effect.NONE, ErrorCode.NOT_NULL_VIOLATION, "ALTER TABLE T ALTER COLUMN MORE SET NOT NULL"),
  /** Copies the rows. */
  ADD_COLUMN(
      Effect.NONE, ErrorCode.COLUMN_EXISTS, "ALTER TABLE T ADD COLUMN EXTRA BIGINT DEFAULT 1"),
  /** Copies the rows. */
  DROP_COLUMN(Effect.NONE, ErrorCode.NO_SUCH_COLUMN, "ALTER TABLE T DROP COLUMN EXTRA"),
  CREATE_INDEX(Effect.NONE, ErrorCode.INDEX_EXISTS, "CREATE INDEX T_VAL ON T (VAL, TXT)"),
  DROP_INDEX(Effect.NONE, ErrorCode.NO_SUCH_INDEX, "DROP INDEX T_VAL"),
  CREATE_UNIQUE_INDEX(
      Effect.NONE, ErrorCode.INDEX_EXISTS, "CREATE UNIQUE INDEX T_UNIQUE ON T (VAL, ID)"),
  DROP_UNIQUE_INDEX(Effect.NONE, ErrorCode.NO_SUCH_INDEX, "DROP INDEX T_UNIQUE"),
  ALLOW_NULL(Effect.NONE, null, "ALTER TABLE T ALTER COLUMN MORE DROP NOT NULL"),
  /** Creates an index on the table whose rows refer to those of T. */
  CREATE_CHILD_INDEX(Effect.CHILD, ErrorCode.INDEX_EXISTS, "CREATE INDEX C_VAL ON C (VAL)"),
  DROP_CHILD_INDEX(Effect.CHILD, ErrorCode.NO_SUCH_INDEX, "DROP INDEX C_VAL"),
  ANALYZE(Effect.NONE, null, "ANALYZE TABLE T"),
  TRUNCATE(Effect.EMPTIES, null, "TRUNCATE TABLE T"),
  /** Drops the table, and creates it again with its indexes unless another compute node did. */
  RECREATE(Effect.EMPTIES, ErrorCode.OBJECT_EXISTS);

  private enum Effect {
    NONE,
    /** Keeps all rows, and changes the table that refers to this one. */
    CHILD,
    EMPTIES
  }

  /** Errors of changes that conflict with transactions or meet a full pool. */
  private static final Set<ErrorCode> IN_THE_WAY =
      EnumSet.of(
          ErrorCode.LOCK_NOT_AVAILABLE,
          ErrorCode.SERIALIZATION_FAILURE,
          ErrorCode.OUT_OF_MEMORY,
          ErrorCode.POOL_FULL,
          ErrorCode.NO_SUCH_TABLE);

  private final Effect effect;
  private final ErrorCode refusal;

  @SuppressWarnings("ImmutableEnumChecker") // the list is immutable
  private final List<String> statements;

  SchemaChange(Effect effect, ErrorCode refusal, String... statements) {
    this.effect = effect;
    this.refusal = refusal;
    this.statements = List.of(statements);
  }

  /** Returns true if the change applies to such a table: referenced rows are not removed. */
  public boolean fits(SchemaOptions options) {
    return options.child() ? effect != Effect.EMPTIES : effect != Effect.CHILD;
  }

  /** Returns true if the change removes all rows. */
  public boolean empties() {
    return effect == Effect.EMPTIES;
  }

  /**
   * Returns the statements of the change; {@code definition} contains those that create the table.
   */
  List<String> statements(List<String> definition) {
    if (this != RECREATE) {
      return statements;
    }
    List<String> all = new ArrayList<>();
    all.add("DROP TABLE IF EXISTS T");
    all.addAll(definition);
    return all;
  }

  /** Returns true if the change may fail with this error without a defect. */
  boolean allows(ErrorCode code) {
    return code == refusal || IN_THE_WAY.contains(code);
  }
}
