package org.nelumbo.clients.springdata;

import org.springframework.data.relational.core.dialect.LockClause;
import org.springframework.data.relational.core.sql.LockOptions;

/** FOR UPDATE and FOR SHARE, after ORDER BY and LIMIT. */
final class RowLocks implements LockClause {
  static final RowLocks INSTANCE = new RowLocks();

  private RowLocks() {}

  @Override
  public String getLock(LockOptions options) {
    return switch (options.getLockMode()) {
      case PESSIMISTIC_WRITE -> "FOR UPDATE";
      case PESSIMISTIC_READ -> "FOR SHARE";
    };
  }

  @Override
  public Position getClausePosition() {
    return Position.AFTER_ORDER_BY;
  }
}
