package org.nelumbo.parser.ast;

import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * TEXT and BYTEA: VARCHAR and VARBINARY of the maximum length.
 *
 * <p>The precision is {@link Integer#MAX_VALUE}, which a type system reduces to its own maximum.
 */
public final class LongTypeName extends SqlBasicTypeNameSpec {
  private final String written;

  private LongTypeName(String written, SqlTypeName type, SqlParserPos pos) {
    super(type, Integer.MAX_VALUE, pos);
    this.written = written;
  }

  /** Creates TEXT or CLOB, or VARCHAR(n) if a length is given. */
  public static SqlBasicTypeNameSpec text(int length, SqlParserPos pos) {
    return length < 0
        ? new LongTypeName("TEXT", SqlTypeName.VARCHAR, pos)
        : new SqlBasicTypeNameSpec(SqlTypeName.VARCHAR, length, pos);
  }

  /** Creates BYTEA or BLOB, or VARBINARY(n) if a length is given. */
  public static SqlBasicTypeNameSpec bytes(int length, SqlParserPos pos) {
    return length < 0
        ? new LongTypeName("BYTEA", SqlTypeName.VARBINARY, pos)
        : new SqlBasicTypeNameSpec(SqlTypeName.VARBINARY, length, pos);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword(written);
  }
}
