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
 * Translates Hibernate's statements to the SQL of this database, where it differs from other
 * databases. Uses only types that Hibernate 6 and 7 have in common.
 */
final class SqlTranslator<T extends JdbcOperation> extends AbstractSqlAstTranslator<T> {
  private SqlTranslator(SessionFactoryImplementor factory, Statement statement) {
    super(factory, statement);
  }

  /** Returns a factory of translators. */
  public static SqlAstTranslatorFactory factory() {
    return new StandardSqlAstTranslatorFactory() {
      @Override
      protected <T extends JdbcOperation> SqlAstTranslator<T> buildTranslator(
          SessionFactoryImplementor factory, Statement statement) {
        return new SqlTranslator<>(factory, statement);
      }
    };
  }

  /** Writes INSERT ... ON CONFLICT. */
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
   * Returns the pattern of a function of dates and times, or null if Hibernate's own is right. It
   * is selected here, because the corresponding methods of the dialect take a unit, whose class
   * differs in Hibernate 6.
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
      // Days of the week count from 1 for Sunday; DOW counts from 0.
      case "extract" -> unit(function).equals("day_of_week") ? "(extract(dow from ?2)+1)" : null;
      case null, default -> null;
    };
  }

  private static String unit(FunctionExpression function) {
    SqlAstNode unit = function.getArguments().getFirst();
    try {
      return unit.getClass().getMethod("getUnit").invoke(unit).toString();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("not a unit of time: " + unit, e);
    }
  }

  /** Returns true if the fetch clause is a percentage, or includes all ties of the last row. */
  private boolean isPartial(QueryPart query) {
    return getQueryPartForRowNumbering() != query
        && useOffsetFetchClause(query)
        && !isRowsOnlyFetchClauseType(query);
  }
}
