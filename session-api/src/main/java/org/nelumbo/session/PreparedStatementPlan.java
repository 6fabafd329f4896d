package org.nelumbo.session;

import java.util.List;

/**
 * A prepared statement: its kind, the columns of its result and its parameters. Immutable, and
 * shared by all sessions through the plan cache, so preparing a known text costs one lookup. A plan
 * made before a schema change is planned again when it runs; the caller notices only if an object
 * that it names no longer exists (42S02, 42S22) or if its result has changed.
 */
public interface PreparedStatementPlan {
  /** Returns the SQL text. */
  String sql();

  /** Returns the kind of the statement. */
  StatementKind kind();

  /** Returns the columns of the result; empty if the statement returns no rows. */
  List<ResultColumn> columns();

  /** Returns the parameter markers in order of their appearance. */
  List<ParameterInfo> parameters();

  /**
   * Returns, for an INSERT, the columns of the target table in table order; each of them can be
   * requested as a generated key. Empty for other statements. {@link ResultColumn#identity} marks
   * the columns that the engine generates; if there is none, callers use {@link
   * #primaryKeyColumns}.
   */
  List<ResultColumn> generatedKeyColumns();

  /**
   * Returns, for an INSERT, the positions of the target's primary key columns in {@link
   * #generatedKeyColumns}; empty for other statements.
   */
  int[] primaryKeyColumns();
}
