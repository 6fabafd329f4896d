package org.nelumbo.clients.hibernate;

import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.query.sqm.produce.function.internal.PatternRenderer;
import org.hibernate.sql.ast.SqlAstTranslator;
import org.hibernate.sql.ast.SqlAstTranslatorFactory;
import org.hibernate.sql.ast.spi.AbstractSqlAstTranslator;
import org.hibernate.sql.ast.spi.StandardSqlAstTranslatorFactory;
import org.hibernate.sql.ast.tree.SqlAstNode;
import org.hibernate.sql.ast.tree.Statement;
import org.hibernate.sql.ast.tree.expression.FunctionExpression;
import org.hibernate.sql.ast.tree.expression.SelfRenderingExpression;
import org.hibernate.sql.ast.tree.insert.ConflictClause;
import org.hibernate.sql.ast.tree.select.QueryGroup;
import org.hibernate.sql.ast.tree.select.QueryPart;
import org.hibernate.sql.ast.tree.select.QuerySpec;
import org.hibernate.sql.exec.spi.JdbcOperation;

/**
 * Writes Hibernate's statements as SQL: what this database has, and others do not. Uses only what
 * Hibernate 6 and 7 have in common.
 */
final class SqlTranslator<T extends JdbcOperation> extends AbstractSqlAstTranslator<T> {
  private SqlTranslator(SessionFactoryImplementor factory, Statement statement) {
    super(factory, statement);
  }

  /** Makes translators. */
  public static SqlAstTranslatorFactory factory() {
    return new StandardSqlAstTranslatorFactory() {
      @Override
      protected <T extends JdbcOperation> SqlAstTranslator<T> buildTranslator(
          SessionFactoryImplementor factory, Statement statement) {
        return new SqlTranslator<>(factory, statement);
      }
    };
  }

  /** INSERT ... ON CONFLICT. */
  @Override
  protected void visitConflictClause(ConflictClause clause) {
    visitStandardConflictClause(clause);
  }

  @Override
  public void visitQuerySpec(QuerySpec query) {
    if (isPartial(query)) {
      emulateFetchOffsetWithWindowFunctions(query, true);
    } else {
      super.visitQuerySpec(query);
    }
  }

  @Override
  public void visitQueryGroup(QueryGroup group) {
    if (isPartial(group)) {
      emulateFetchOffsetWithWindowFunctions(group, true);
    } else {
      super.visitQueryGroup(group);
    }
  }

  @Override
  public void visitSelfRenderingExpression(SelfRenderingExpression expression) {
    FunctionExpression function = expression instanceof FunctionExpression each ? each : null;
    String pattern = function == null ? null : pattern(function);
    if (pattern != null) {
      new PatternRenderer(pattern).render(this, function.getArguments(), this);
    } else {
      super.visitSelfRenderingExpression(expression);
    }
  }

  /**
   * Returns the pattern of a function of dates and times; null if Hibernate's own is right. It is
   * chosen here, as the methods for it in the dialect take units, whose class is another one in
   * Hibernate 6.
   */
  private static String pattern(FunctionExpression function) {
    return switch (function.getFunctionName()) {
      case "timestampadd" ->
          switch (unit(function)) {
            case "nanosecond" -> "timestampadd(microsecond,(?2)/1000,?3)";
            case "native" -> "timestampadd(microsecond,?2,?3)";
            default -> "timestampadd(?1,?2,?3)";
          };
      case "timestampdiff" ->
          switch (unit(function)) {
            case "nanosecond" -> "(cast(timestampdiff(second,?2,?3) as bigint)*1000000000)";
            case "native" -> "(cast(timestampdiff(second,?2,?3) as bigint)*1000000)";
            default -> "timestampdiff(?1,?2,?3)";
          };
      // days of the week count from 1, which is Sunday; those of DOW from 0
      case "extract" -> unit(function).equals("day_of_week") ? "(extract(dow from ?2)+1)" : null;
      case null, default -> null;
    };
  }

  /** Returns the unit of time that is the first argument. */
  private static String unit(FunctionExpression function) {
    SqlAstNode unit = function.getArguments().getFirst();
    try {
      return unit.getClass().getMethod("getUnit").invoke(unit).toString();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("not a unit of time: " + unit, e);
    }
  }

  /** Whether so many percent are asked for, or all that are equal to the last row. */
  private boolean isPartial(QueryPart query) {
    return getQueryPartForRowNumbering() != query
        && useOffsetFetchClause(query)
        && !isRowsOnlyFetchClauseType(query);
  }
}
