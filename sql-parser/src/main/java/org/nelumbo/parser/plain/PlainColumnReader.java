package org.nelumbo.parser.plain;

import java.util.Map;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.nelumbo.parser.ast.ColumnBuilder;
import org.nelumbo.parser.ast.ColumnDefinition;
import org.nelumbo.parser.ast.Constraint;
import org.nelumbo.parser.ast.Identity;
import org.nelumbo.parser.ast.LongTypeName;
import org.nelumbo.parser.ast.TypeAliases;

/** Parses the columns of CREATE TABLE. Null means that a column is not supported. */
final class PlainColumnReader {
  /** Types without a length. */
  private static final Map<String, SqlTypeName> SIMPLE =
      Map.of(
          "BOOLEAN", SqlTypeName.BOOLEAN,
          "TINYINT", SqlTypeName.TINYINT,
          "SMALLINT", SqlTypeName.SMALLINT,
          "INT", SqlTypeName.INTEGER,
          "INTEGER", SqlTypeName.INTEGER,
          "BIGINT", SqlTypeName.BIGINT,
          "REAL", SqlTypeName.REAL,
          "DOUBLE", SqlTypeName.DOUBLE,
          "DATE", SqlTypeName.DATE,
          "UUID", SqlTypeName.UUID);

  /** Types with an optional length or precision. */
  private static final Map<String, SqlTypeName> WITH_LENGTH =
      Map.of(
          "VARCHAR", SqlTypeName.VARCHAR,
          "CHAR", SqlTypeName.CHAR,
          "VARBINARY", SqlTypeName.VARBINARY,
          "TIME", SqlTypeName.TIME,
          "TIMESTAMP", SqlTypeName.TIMESTAMP);

  /** Longest length in digits; longer ones may be out of range. */
  private static final int LENGTH_DIGITS = 8;

  private final PlainTokens tokens;
  private final PlainExpressionReader expressions;
  private final PlainSchemaReader constraints;

  PlainColumnReader(
      PlainTokens tokens, PlainExpressionReader expressions, PlainSchemaReader constraints) {
    this.tokens = tokens;
    this.expressions = expressions;
    this.constraints = constraints;
  }

  /** Parses a column with its clauses. */
  ColumnDefinition column() {
    SqlIdentifier name = tokens.isWord("KEY") ? null : expressions.simpleName(); // KEY (column)
    SqlParserPos position = tokens.position();
    SqlBasicTypeNameSpec type = name == null ? null : type(position);
    if (type == null) {
      return null;
    }
    ColumnBuilder column = new ColumnBuilder(name, new SqlDataTypeSpec(type, type.getParserPos()));
    return clauses(column)
        ? column.build(name.getParserPosition().plus(tokens.positionBefore()))
        : null;
  }

  private SqlBasicTypeNameSpec type(SqlParserPos begin) {
    String word = tokens.word();
    if (word == null) {
      return null;
    }
    tokens.next();
    SqlTypeName simple = SIMPLE.get(word);
    if (simple != null) {
      boolean isDouble = simple == SqlTypeName.DOUBLE && tokens.skipWord("PRECISION");
      SqlParserPos position = isDouble ? begin.plus(tokens.positionBefore()) : begin;
      return new SqlBasicTypeNameSpec(simple, position);
    }
    SqlTypeName withLength = WITH_LENGTH.get(word);
    if (withLength != null) {
      int length = tokens.is(PlainToken.OPEN) ? length() : -1;
      return length >= -1 && (length < 0 || tokens.skip(PlainToken.CLOSE))
          ? new SqlBasicTypeNameSpec(withLength, length, begin.plus(tokens.positionBefore()))
          : null;
    }
    return switch (word) {
      case "DECIMAL", "NUMERIC" -> decimal(begin);
      case "TEXT", "CLOB" -> LongTypeName.text(-1, begin);
      case "BLOB", "BYTEA" -> LongTypeName.bytes(-1, begin);
      default -> null;
    };
  }

  private SqlBasicTypeNameSpec decimal(SqlParserPos begin) {
    if (!tokens.is(PlainToken.OPEN)) {
      return TypeAliases.numeric(begin);
    }
    int precision = length();
    int scale = precision >= 0 && tokens.is(PlainToken.COMMA) ? length() : -1;
    boolean isScaled = scale >= 0;
    if (precision < 0 || scale < -1 || !tokens.skip(PlainToken.CLOSE)) {
      return null;
    }
    SqlParserPos position = begin.plus(tokens.positionBefore());
    return isScaled
        ? new SqlBasicTypeNameSpec(SqlTypeName.DECIMAL, precision, scale, position)
        : new SqlBasicTypeNameSpec(SqlTypeName.DECIMAL, precision, position);
  }

  /** Parses a number after the current token; returns -2 if it is not supported. */
  private int length() {
    tokens.next();
    String digits = tokens.is(PlainToken.NUMBER) ? tokens.image() : "";
    if (digits.isEmpty() || digits.length() > LENGTH_DIGITS || digits.indexOf('.') >= 0) {
      return -2;
    }
    tokens.next();
    return Integer.parseInt(digits);
  }

  /** Parses the clauses of a column up to a comma or parenthesis. */
  private boolean clauses(ColumnBuilder column) {
    boolean isNullable = false; // true if NULL or NOT NULL has been read
    boolean hasValue = false; // true if DEFAULT or an identity has been read
    while (!tokens.is(PlainToken.COMMA) && !tokens.is(PlainToken.CLOSE)) {
      SqlParserPos begin = tokens.position();
      if (tokens.is(PlainToken.DEFAULT) || tokens.isWord("GENERATED")) {
        if (hasValue || !(tokens.is(PlainToken.DEFAULT) ? value(column) : identity(column))) {
          return false;
        }
        hasValue = true;
      } else if (tokens.is(PlainToken.NOT) || tokens.is(PlainToken.NULL)) {
        boolean isNot = tokens.skip(PlainToken.NOT);
        if (isNullable || !tokens.skip(PlainToken.NULL)) {
          return false;
        }
        column.nullable(begin.plus(tokens.positionBefore()), !isNot);
        isNullable = true;
      } else {
        Constraint constraint = constraints.constraint(column.nameOnly());
        if (constraint == null) {
          return false;
        }
        column.constraint(constraint);
      }
    }
    return true;
  }

  private boolean value(ColumnBuilder column) {
    SqlParserPos begin = tokens.position();
    tokens.next();
    SqlNode value = expressions.constant();
    if (value != null) {
      column.defaultValue(begin.plus(tokens.positionBefore()), value);
    }
    return value != null;
  }

  private boolean identity(ColumnBuilder column) {
    SqlParserPos begin = tokens.position();
    tokens.next();
    boolean always = tokens.skipWord("ALWAYS");
    boolean isIdentity =
        (always || tokens.skip(PlainToken.BY) && tokens.skip(PlainToken.DEFAULT))
            && tokens.skip(PlainToken.AS)
            && tokens.skipWord("IDENTITY");
    if (isIdentity) {
      column.identity(new Identity(begin.plus(tokens.positionBefore()), always, 1, 1));
    }
    return isIdentity;
  }
}
