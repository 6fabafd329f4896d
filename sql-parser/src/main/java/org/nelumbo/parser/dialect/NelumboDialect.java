package org.nelumbo.parser.dialect;

import org.apache.calcite.avatica.util.Casing;
import org.apache.calcite.sql.SqlDialect;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.dialect.AnsiSqlDialect;

/**
 * The dialect in which trees are written as SQL: names have double quotes only if they need them,
 * strings are written literally.
 */
public final class NelumboDialect extends AnsiSqlDialect {
  private static final Context CONTEXT =
      SqlDialect.EMPTY_CONTEXT
          .withDatabaseProduct(DatabaseProduct.UNKNOWN)
          .withDatabaseProductName("Nelumbo")
          .withIdentifierQuoteString("\"")
          .withUnquotedCasing(Casing.TO_UPPER)
          .withQuotedCasing(Casing.UNCHANGED)
          .withConformance(NelumboConformance.INSTANCE);

  /** The only instance. */
  public static final NelumboDialect INSTANCE = new NelumboDialect();

  private NelumboDialect() {
    super(CONTEXT);
  }

  @Override
  public StringBuilder quoteIdentifier(StringBuilder out, String name) {
    if (Identifiers.isPlain(name)) {
      return out.append(name);
    }
    return out.append('"').append(name.replace("\"", "\"\"")).append('"');
  }

  @Override
  public void quoteStringLiteral(StringBuilder out, String charset, String value) {
    out.append('\'').append(value.replace("'", "''")).append('\'');
  }

  @Override
  public boolean supportsCharSet() {
    return false;
  }

  /**
   * Writes LIMIT and OFFSET, or the standard form if a parameter of OFFSET comes before one of
   * LIMIT.
   */
  @Override
  public void unparseOffsetFetch(SqlWriter writer, SqlNode offset, SqlNode fetch) {
    boolean offsetFirst =
        offset instanceof SqlDynamicParam first
            && fetch instanceof SqlDynamicParam second
            && first.getIndex() < second.getIndex();
    if (offsetFirst) {
      super.unparseOffsetFetch(writer, offset, fetch);
    } else {
      unparseFetchUsingLimit(writer, offset, fetch);
    }
  }
}
