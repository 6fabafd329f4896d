package org.nelumbo.clients.hibernate;

import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.sql.ast.SqlAstTranslator;
import org.hibernate.sql.ast.SqlAstTranslatorFactory;
import org.hibernate.sql.ast.spi.AbstractSqlAstTranslator;
import org.hibernate.sql.ast.spi.StandardSqlAstTranslatorFactory;
import org.hibernate.sql.ast.tree.Statement;
import org.hibernate.sql.ast.tree.insert.ConflictClause;
import org.hibernate.sql.ast.tree.select.QueryGroup;
import org.hibernate.sql.ast.tree.select.QueryPart;
import org.hibernate.sql.ast.tree.select.QuerySpec;
import org.hibernate.sql.exec.spi.JdbcOperation;

/**
 * Writes Hibernate's statements as SQL: what this database has, and others do not. Uses only what
 * Hibernate 6 and 7 have in common.
 */
public final class SqlTranslator<T extends JdbcOperation> extends AbstractSqlAstTranslator<T> {
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

  /** Whether so many percent are asked for, or all that are equal to the last row. */
  private boolean isPartial(QueryPart query) {
    return getQueryPartForRowNumbering() != query
        && useOffsetFetchClause(query)
        && !isRowsOnlyFetchClauseType(query);
  }
}
