package org.nelumbo.parser.ast;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlTypeNameSpec;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.nelumbo.parser.dialect.SqlSyntaxException;

/** Type names of other databases that are not keywords of the grammar. */
public final class TypeAliases {
  /** Precision of Oracle's {@code NUMBER(*, s)}. */
  public static final int MOST_DIGITS = 38;

  private static final int REAL_BITS = 24;
  private static final int DOUBLE_BITS = 53;

  private static final Set<String> NAMES =
      Set.of(
          ("BOOL,INT2,INT4,INT8,MEDIUMINT,FLOAT4,FLOAT8,NVARCHAR,NVARCHAR2,VARCHAR2,"
                  + "LONGVARCHAR,LONGNVARCHAR,LONGTEXT,MEDIUMTEXT,TINYTEXT,NTEXT,LONGVARBINARY,"
                  + "LONGBLOB,MEDIUMBLOB,TINYBLOB,IMAGE,SIGNED,REGCLASS,SERIAL,SERIAL2,SERIAL4,SERIAL8,SMALLSERIAL,BIGSERIAL,"
                  + "TIMESTAMPTZ,TIMETZ,DATETIME2,SMALLDATETIME,UNIQUEIDENTIFIER,BPCHAR")
              .split(","));

  private static final Map<String, SqlTypeName> WHOLE =
      Map.of(
          "TINYINT", SqlTypeName.TINYINT,
          "SMALLINT", SqlTypeName.SMALLINT,
          "INT2", SqlTypeName.SMALLINT,
          "INT", SqlTypeName.INTEGER,
          "INTEGER", SqlTypeName.INTEGER,
          "INT4", SqlTypeName.INTEGER,
          "MEDIUMINT", SqlTypeName.INTEGER,
          "BIGINT", SqlTypeName.BIGINT,
          "INT8", SqlTypeName.BIGINT);

  private TypeAliases() {}

  /** Returns a length in bytes or characters, such as 1K, 2M or 1G. */
  public static int length(SqlParserPos pos, String text) {
    int digits = text.length() - 1;
    int shift = " KMG".indexOf(Character.toUpperCase(text.charAt(digits)));
    boolean isNumber = digits < 10 && text.chars().limit(digits).allMatch(Character::isDigit);
    if (shift < 1 || !isNumber) {
      throw SqlSyntaxException.at(
          pos, "'" + text + "' is not a length; write a number, or 1K, 1M, 1G");
    }
    return (int)
        Math.min(Integer.MAX_VALUE, Long.parseLong(text.substring(0, digits)) << 10 * shift);
  }

  /** Returns true for a unit of the length of a string. */
  public static boolean isUnitOfLength(String word) {
    return word.equalsIgnoreCase("CHAR") || word.equalsIgnoreCase("BYTE");
  }

  /** Returns true if a word that is not a keyword names a type. */
  public static boolean contains(String word) {
    return NAMES.contains(word.toUpperCase(Locale.ROOT));
  }

  /**
   * Returns the type with a name.
   *
   * @param length the length in parentheses; -1 if there is none
   */
  public static SqlBasicTypeNameSpec type(String name, int length, SqlParserPos pos) {
    return switch (name.toUpperCase(Locale.ROOT)) {
      case "BOOL" -> plain(SqlTypeName.BOOLEAN, name, length, pos);
      case "INT2" -> plain(SqlTypeName.SMALLINT, name, length, pos);
      case "INT4", "MEDIUMINT" -> plain(SqlTypeName.INTEGER, name, length, pos);
      case "INT8" -> plain(SqlTypeName.BIGINT, name, length, pos);
      case "FLOAT4" -> plain(SqlTypeName.REAL, name, length, pos);
      case "FLOAT8" -> plain(SqlTypeName.DOUBLE, name, length, pos);
      case "NVARCHAR", "NVARCHAR2", "VARCHAR2" ->
          new SqlBasicTypeNameSpec(SqlTypeName.VARCHAR, length, pos);
      case "TIMESTAMPTZ" ->
          new SqlBasicTypeNameSpec(SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE, length, pos);
      case "TIMETZ" -> new SqlBasicTypeNameSpec(SqlTypeName.TIME_TZ, length, pos);
      case "DATETIME2", "SMALLDATETIME" ->
          new SqlBasicTypeNameSpec(SqlTypeName.TIMESTAMP, length, pos);
      case "UNIQUEIDENTIFIER" -> plain(SqlTypeName.UUID, name, length, pos);
      case "BPCHAR" -> new SqlBasicTypeNameSpec(SqlTypeName.CHAR, length, pos);
      case "SERIAL2", "SMALLSERIAL" -> serial(SqlTypeName.SMALLINT, name, length, pos);
      case "SERIAL", "SERIAL4" -> serial(SqlTypeName.INTEGER, name, length, pos);
      case "SERIAL8", "BIGSERIAL" -> serial(SqlTypeName.BIGINT, name, length, pos);
      case "SIGNED" -> plain(SqlTypeName.BIGINT, name, length, pos);
      case "LONGVARBINARY", "LONGBLOB", "MEDIUMBLOB", "TINYBLOB", "IMAGE" ->
          LongTypeName.bytes(length, pos);
      default -> LongTypeName.text(length, pos);
    };
  }

  private static SqlBasicTypeNameSpec plain(
      SqlTypeName type, String name, int length, SqlParserPos pos) {
    checkNoLength(name, length, pos);
    return new SqlBasicTypeNameSpec(type, pos);
  }

  private static SqlBasicTypeNameSpec serial(
      SqlTypeName type, String name, int length, SqlParserPos pos) {
    checkNoLength(name, length, pos);
    return new SerialTypeName(type, pos);
  }

  private static void checkNoLength(String name, int length, SqlParserPos pos) {
    if (length >= 0) {
      throw SqlSyntaxException.at(
          pos, "type " + name.toUpperCase(Locale.ROOT) + " has no length; leave it out");
    }
  }

  /** Returns true if a word names an integer type, which may have a width in MySQL: INT(11). */
  public static boolean isWhole(String word) {
    return WHOLE.containsKey(word.toUpperCase(Locale.ROOT));
  }

  /** Returns an integer type; its display width, as in INT(11), is ignored. */
  public static SqlBasicTypeNameSpec whole(String name, SqlParserPos pos) {
    return new SqlBasicTypeNameSpec(WHOLE.get(name.toUpperCase(Locale.ROOT)), pos);
  }

  /** Returns an unsigned integer type, as in INT(11) UNSIGNED; only columns can have it. */
  public static SqlBasicTypeNameSpec unsigned(SqlBasicTypeNameSpec type, SqlParserPos pos) {
    SqlTypeName unsigned =
        switch (SqlTypeName.get(type.getTypeName().getSimple())) {
          case TINYINT -> SqlTypeName.UTINYINT;
          case SMALLINT -> SqlTypeName.USMALLINT;
          case INTEGER -> SqlTypeName.UINTEGER;
          default -> SqlTypeName.UBIGINT;
        };
    return new SqlBasicTypeNameSpec(unsigned, pos);
  }

  /**
   * Returns the signed type that holds all values of an unsigned one, or the widest one; null for
   * other types.
   */
  static SqlBasicTypeNameSpec signed(SqlTypeNameSpec type) {
    SqlTypeName name =
        type instanceof SqlBasicTypeNameSpec
            ? SqlTypeName.get(type.getTypeName().getSimple())
            : null;
    SqlTypeName wider =
        switch (name) {
          case UTINYINT -> SqlTypeName.SMALLINT;
          case USMALLINT -> SqlTypeName.INTEGER;
          case UINTEGER, UBIGINT -> SqlTypeName.BIGINT;
          case null, default -> null;
        };
    return wider == null ? null : new SqlBasicTypeNameSpec(wider, type.getParserPos());
  }

  /**
   * Returns the type for NUMBER of Oracle.
   *
   * @param precision -1 for none
   * @param scale -1 for none
   */
  public static SqlBasicTypeNameSpec number(int precision, int scale, SqlParserPos pos) {
    return precision < 0
        ? numeric(pos)
        : new SqlBasicTypeNameSpec(SqlTypeName.DECIMAL, precision, scale, pos);
  }

  /**
   * Returns the type for BIT, which is a boolean in H2, MySQL and SQL Server.
   *
   * @param length the length in parentheses; -1 if there is none
   */
  public static SqlBasicTypeNameSpec bit(int length, SqlParserPos pos) {
    if (length >= 0 && length != 1) {
      throw SqlSyntaxException.unsupported(
          pos, "there are no strings of bits; use BOOLEAN for one, BINARY(n) for more");
    }
    return new SqlBasicTypeNameSpec(SqlTypeName.BOOLEAN, pos);
  }

  /**
   * Returns NUMERIC or DECIMAL without bounds: its precision exceeds that of the type system, which
   * treats it as unbounded.
   */
  public static SqlBasicTypeNameSpec numeric(SqlParserPos pos) {
    return new NumericTypeName(pos);
  }

  /**
   * Returns the type for FLOAT(p), which has at least p binary digits.
   *
   * @param bits the precision; -1 if there is none
   */
  public static SqlBasicTypeNameSpec floating(int bits, SqlParserPos pos) {
    if (bits == 0 || bits > DOUBLE_BITS) {
      throw SqlSyntaxException.at(
          pos, "FLOAT(" + bits + ") has a precision out of range; write 1 to " + DOUBLE_BITS);
    }
    SqlTypeName type =
        bits < 0 ? SqlTypeName.FLOAT : bits <= REAL_BITS ? SqlTypeName.REAL : SqlTypeName.DOUBLE;
    return new SqlBasicTypeNameSpec(type, pos);
  }
}
