package org.nelumbo.session;

import java.util.List;

/**
 * A prepared statement: what it is, what it returns and what it takes. Immutable and shared by all
 * sessions through the plan cache, so preparing a known text costs one look-up. A plan that was
 * made before a schema change is planned again when it runs; the caller notices only if an object
 * it names is gone (42S02, 42S22) or its result changed.
 */
public interface PreparedStatementPlan {
  String sql();

  StatementKind kind();

  /** Columns of the result; empty if the statement returns no rows. */
  List<ResultColumn> columns();

  /** Parameter markers in order of their appearance. */
  List<ParameterInfo> parameters();

  /**
   * For an INSERT, the target's columns in table order, any of which may be asked for as generated
   * keys; empty for other statements. {@link ResultColumn#identity} tells those the engine fills
   * in; without any, callers take {@link #primaryKeyColumns}.
   */
  List<ResultColumn> generatedKeyColumns();

  /**
   * For an INSERT, positions in {@link #generatedKeyColumns} of the target's primary key columns;
   * else empty.
   */
  int[] primaryKeyColumns();
}
