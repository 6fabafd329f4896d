package org.nelumbo.parser.ast;

import java.math.BigInteger;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.parser.dialect.SqlSyntaxException;

/** Checks that the grammar cannot say in productions; called from its actions. */
public final class SyntaxChecks {
  private SyntaxChecks() {}

  /** A table needs columns with types, unless a query gives them. */
  public static void tableElements(SqlIdentifier table, SqlNodeList elements, SqlNode query) {
    if (elements == null && query == null) {
      throw SqlSyntaxException.at(
          table.getParserPosition(),
          "table " + table + " has no columns; list them in parentheses after its name");
    }
    if (query != null) {
      return;
    }
    for (SqlNode element : elements) {
      if (element instanceof SqlIdentifier) {
        throw SqlSyntaxException.at(
            element.getParserPosition(), "column " + element + " has no type");
      }
    }
  }

  /** An identity column must move. */
  public static void increment(SqlParserPos pos, long increment) {
    if (increment == 0) {
      throw SqlSyntaxException.at(pos, "an identity column cannot have INCREMENT BY 0");
    }
  }

  /** The value of an integer literal with its sign. */
  public static long parseLong(SqlParserPos pos, boolean negative, String digits) {
    BigInteger value = new BigInteger(digits);
    value = negative ? value.negate() : value;
    if (value.bitLength() > 63) {
      throw SqlSyntaxException.at(pos, "the number " + value + " is out of the range of BIGINT");
    }
    return value.longValue();
  }
}
