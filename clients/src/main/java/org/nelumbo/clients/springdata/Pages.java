package org.nelumbo.clients.springdata;

import org.springframework.data.relational.core.dialect.LimitClause;

/** LIMIT and OFFSET. */
final class Pages implements LimitClause {
  static final Pages INSTANCE = new Pages();

  private Pages() {}

  @Override
  public String getLimit(long limit) {
    return "LIMIT " + limit;
  }

  @Override
  public String getOffset(long offset) {
    return "OFFSET " + offset;
  }

  @Override
  public String getLimitOffset(long limit, long offset) {
    return getLimit(limit) + " " + getOffset(offset);
  }

  @Override
  public Position getClausePosition() {
    return Position.AFTER_ORDER_BY;
  }
}
