package org.nelumbo.planner.function;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlBasicFunction;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.type.InferTypes;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlOperandCountRanges;
import org.apache.calcite.sql.type.SqlOperandTypeChecker;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.nelumbo.executor.expr.BinaryFunctions;
import org.nelumbo.executor.expr.DatetimeFormats;
import org.nelumbo.executor.expr.DatetimeFunctions;
import org.nelumbo.executor.expr.DelimitedTextFunctions;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.IntegerFunctions;
import org.nelumbo.executor.expr.LibraryNumberFunctions;
import org.nelumbo.executor.expr.LibraryTextFunctions;
import org.nelumbo.executor.expr.NumericFunctions;
import org.nelumbo.executor.expr.QuotingFunctions;
import org.nelumbo.executor.expr.SoundexFunctions;
import org.nelumbo.executor.expr.TextFunctions;
import org.nelumbo.executor.expr.TextPatterns;
import org.nelumbo.planner.type.NelumboTypeFactory;
import org.nelumbo.types.ColumnType;

/** Functions beyond the standard, most of which PostgreSQL, H2 and MySQL share. */
public final class AddedFunctions {
  private static final SqlTypeFamily TEXT = SqlTypeFamily.CHARACTER;
  private static final SqlTypeFamily NUMBER = SqlTypeFamily.NUMERIC;
  private static final SqlTypeFamily WHOLE = SqlTypeFamily.INTEGER;

  private static final SqlReturnTypeInference TIMESTAMP =
      ReturnTypes.explicit(SqlTypeName.TIMESTAMP, 6)
          .andThen(org.apache.calcite.sql.type.SqlTypeTransforms.TO_NULLABLE);

  private static final SqlReturnTypeInference TIME =
      ReturnTypes.explicit(SqlTypeName.TIME, 6)
          .andThen(org.apache.calcite.sql.type.SqlTypeTransforms.TO_NULLABLE);

  private static final SqlReturnTypeInference BINARY =
      ReturnTypes.explicit(SqlTypeName.VARBINARY)
          .andThen(org.apache.calcite.sql.type.SqlTypeTransforms.TO_NULLABLE);

  private static final SqlReturnTypeInference UUID = ReturnTypes.explicit(SqlTypeName.UUID);

  private static final List<SqlOperator> CALCITES =
      List.of(
          SqlLibraryOperators.SUBSTR_POSTGRESQL,
          ConcatFunction.INSTANCE,
          SqlLibraryOperators.LEFT,
          SqlLibraryOperators.RIGHT,
          SqlLibraryOperators.NVL,
          SqlLibraryOperators.IFNULL,
          SqlLibraryOperators.GREATEST,
          SqlLibraryOperators.LEAST,
          SqlLibraryOperators.ILIKE,
          SqlLibraryOperators.NOT_ILIKE,
          SqlLibraryOperators.TRANSLATE3,
          SqlLibraryOperators.STRING_AGG,
          SumFunction.INSTANCE,
          AverageFunction.INSTANCE,
          ExtractFunction.INSTANCE);

  private static final Map<String, Code> CODES = new HashMap<>();

  /** Builds the expression of a call from its type and its operands. */
  @FunctionalInterface
  public interface Code {
    /** Returns an expression that computes the call. */
    Expression of(ColumnType type, List<Expression> operands);
  }

  /** ROUND and TRUNCATE, whose results have the requested number of decimals. */
  public static final SqlFunction ROUND = rounding("ROUND", NumericFunctions::round);

  public static final SqlFunction TRUNCATE = rounding("TRUNCATE", NumericFunctions::truncate);

  /** AT TIME ZONE, with the zone as the first operand. */
  public static final SqlFunction AT_ZONE =
      make(
          "TIMEZONE",
          (type, operands) -> DatetimeFunctions.atZone(operands.get(1), operands.get(0)),
          AddedFunctions::atZone,
          SqlFunctionCategory.TIMEDATE,
          2,
          TEXT,
          SqlTypeFamily.DATETIME);

  static final SqlFunction REGEXP_LIKE =
      truth("REGEXP_LIKE", TextPatterns::like, 2, TEXT, TEXT, TEXT);

  static final SqlFunction REGEXP_SUBSTR =
      make(
          "REGEXP_SUBSTR",
          TextPatterns::find,
          ReturnTypes.VARCHAR_FORCE_NULLABLE,
          SqlFunctionCategory.STRING,
          2,
          TEXT,
          TEXT,
          WHOLE,
          WHOLE);

  static final SqlFunction RANDOM = volatileFunction("RANDOM", ReturnTypes.DOUBLE);

  static final SqlFunction RANDOM_UUID = volatileFunction("RANDOM_UUID", UUID);

  static final SqlFunction CHR = text("CHR", LibraryTextFunctions::character, 1, WHOLE);

  static final SqlFunction ENCODE =
      text("ENCODE", BinaryFunctions::encode, 2, SqlTypeFamily.BINARY, TEXT);

  static final SqlFunction TO_CHAR =
      text("TO_CHAR", DatetimeFormats::toText, 2, SqlTypeFamily.ANY, TEXT);

  static final SqlFunction TO_DATE =
      make(
          "TO_DATE",
          DatetimeFormats::toDate,
          ReturnTypes.DATE_NULLABLE,
          SqlFunctionCategory.TIMEDATE,
          2,
          TEXT,
          TEXT);

  static final SqlFunction TO_TIMESTAMP =
      make(
          "TO_TIMESTAMP",
          DatetimeFormats::toTimestamp,
          TIMESTAMP,
          SqlFunctionCategory.TIMEDATE,
          2,
          TEXT,
          TEXT);

  static final SqlFunction MAKE_DATE =
      make(
          "MAKE_DATE",
          DatetimeFunctions::makeDate,
          ReturnTypes.DATE_NULLABLE,
          SqlFunctionCategory.TIMEDATE,
          3,
          WHOLE,
          WHOLE,
          WHOLE);

  static final SqlFunction MAKE_TIME =
      make(
          "MAKE_TIME",
          DatetimeFunctions::makeTime,
          TIME,
          SqlFunctionCategory.TIMEDATE,
          3,
          WHOLE,
          WHOLE,
          NUMBER);

  /** DATE_BIN: an interval, a timestamp, and the origin of the intervals. */
  static final SqlFunction DATE_BIN =
      make(
          "DATE_BIN",
          DatetimeFunctions::bin,
          AddedFunctions::bin,
          SqlFunctionCategory.TIMEDATE,
          3,
          SqlTypeFamily.INTERVAL_DAY_TIME,
          SqlTypeFamily.DATETIME,
          SqlTypeFamily.DATETIME);

  static final SqlFunction SESSION_ID =
      ofSession("SESSION_ID", ReturnTypes.BIGINT, OperandTypes.NILADIC);

  /** Bit shifts to the left and to the right. */
  static final SqlFunction SHIFT_LEFT = shift("LSHIFT", 1);

  static final SqlFunction SHIFT_RIGHT = shift("RSHIFT", -1);

  private static final List<SqlOperator> ALL = define();

  private AddedFunctions() {}

  private static SqlFunction shift(String name, int direction) {
    return make(
        name,
        (type, operands) -> IntegerFunctions.shift(name, direction, type, operands),
        ReturnTypes.ARG0_NULLABLE,
        SqlFunctionCategory.NUMERIC,
        2,
        WHOLE,
        WHOLE);
  }

  /** Code of a function with an optional second operand. */
  @FunctionalInterface
  private interface Rounding {
    Expression of(ColumnType type, Expression value, Expression digits);
  }

  private static SqlFunction rounding(String name, Rounding code) {
    return make(
        name,
        (type, operands) ->
            code.of(type, operands.get(0), operands.size() > 1 ? operands.get(1) : null),
        AddedFunctions::rounded,
        SqlFunctionCategory.NUMERIC,
        1,
        NUMBER,
        SqlTypeFamily.INTEGER);
  }

  private static RelDataType rounded(SqlOperatorBinding binding) {
    RelDataType type = ReturnTypes.ARG0_NULLABLE.inferReturnType(binding);
    boolean counted = binding.getOperandCount() > 1;
    if (type.getSqlTypeName() != SqlTypeName.DECIMAL
        || counted && !binding.isOperandLiteral(1, false)) {
      return type;
    }
    long wanted = counted ? binding.getOperandLiteralValue(1, Long.class) : 0;
    int scale = Math.clamp(wanted, 0, type.getScale());
    int precision = Math.max(1, type.getPrecision() - type.getScale() + scale);
    boolean grows = scale < type.getScale() && precision < 38;
    return binding
        .getTypeFactory()
        .createTypeWithNullability(
            binding
                .getTypeFactory()
                .createSqlType(SqlTypeName.DECIMAL, grows ? precision + 1 : precision, scale),
            type.isNullable());
  }

  private static RelDataType atZone(SqlOperatorBinding binding) {
    RelDataType given = binding.getOperandType(1);
    boolean isInstant = given.getSqlTypeName() == SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE;
    int precision = given.getSqlTypeName() == SqlTypeName.DATE ? 6 : given.getPrecision();
    return binding
        .getTypeFactory()
        .createTypeWithNullability(
            binding
                .getTypeFactory()
                .createSqlType(
                    isInstant ? SqlTypeName.TIMESTAMP : SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE,
                    precision),
            given.isNullable() || binding.getOperandType(0).isNullable());
  }

  /** Returns a timestamp, or an instant if one of the two operands is. */
  private static RelDataType bin(SqlOperatorBinding binding) {
    List<RelDataType> types = binding.collectOperandTypes();
    RelDataType common = binding.getTypeFactory().leastRestrictive(types.subList(1, 3));
    RelDataType type =
        common == null || common.getSqlTypeName() == SqlTypeName.DATE
            ? binding.getTypeFactory().createSqlType(SqlTypeName.TIMESTAMP, 6)
            : common;
    return binding
        .getTypeFactory()
        .createTypeWithNullability(type, types.stream().anyMatch(RelDataType::isNullable));
  }

  private static RelDataType numeric(SqlOperatorBinding binding) {
    return binding
        .getTypeFactory()
        .createTypeWithNullability(
            NelumboTypeFactory.numeric(binding.getTypeFactory()),
            binding.collectOperandTypes().stream().anyMatch(RelDataType::isNullable));
  }

  /** Returns true if a function is Nelumbo's own, so that Calcite has no convertlet for it. */
  public static boolean isOwn(SqlOperator operator) {
    return operator instanceof SqlBasicFunction && CODES.containsKey(operator.getName());
  }

  /**
   * Returns the expression of a call of one of these functions; null if the function is another
   * one, whose code depends on more than the types and operands of the call.
   */
  public static Expression expression(String name, ColumnType type, List<Expression> operands) {
    Code code = CODES.get(name);
    return code == null ? null : code.of(type, operands);
  }

  static List<SqlOperator> all() {
    return ALL;
  }

  private static List<SqlOperator> define() {
    List<SqlOperator> all = new ArrayList<>(CALCITES);
    all.addAll(PairFunction.all());
    all.addAll(VarianceFunction.ALL);
    all.addAll(OrderedFunction.all());
    all.add(ROUND);
    all.add(TRUNCATE);
    for (String name : List.of("LPAD", "RPAD")) {
      all.add(
          text(
              name,
              (type, operands) -> LibraryTextFunctions.pad(name.equals("LPAD"), type, operands),
              2,
              TEXT,
              WHOLE,
              TEXT));
    }
    for (String name : List.of("LTRIM", "RTRIM")) {
      all.add(
          make(
              name,
              (type, operands) -> trim(name, type, operands),
              ReturnTypes.ARG0_NULLABLE_VARYING,
              SqlFunctionCategory.STRING,
              1,
              TEXT,
              TEXT));
    }
    all.add(ENCODE);
    all.add(
        make("DECODE", BinaryFunctions::decode, BINARY, SqlFunctionCategory.STRING, 2, TEXT, TEXT));
    all.add(text("REPEAT", LibraryTextFunctions::repeat, 2, TEXT, WHOLE));
    all.add(text("REVERSE", LibraryTextFunctions::reverse, 1, TEXT));
    all.add(text("SPACE", LibraryTextFunctions::space, 1, WHOLE));
    all.add(CHR);
    all.add(text("SPLIT_PART", LibraryTextFunctions::splitPart, 3, TEXT, TEXT, WHOLE));
    all.add(text("MD5", BinaryFunctions::md5, 1, TEXT));
    for (String name : List.of("SHA224", "SHA256", "SHA384", "SHA512")) {
      all.add(
          ofTextOrBytes(
              name,
              (type, operands) ->
                  BinaryFunctions.digest(name, "SHA-" + name.substring(3), type, operands),
              BINARY));
    }
    all.add(
        ofTextOrBytes(
            "LENGTH",
            (type, operands) -> TextFunctions.charLength(type, operands.getFirst()),
            ReturnTypes.INTEGER_NULLABLE));
    all.add(
        ofTextOrBytes(
            "OCTET_LENGTH",
            (type, operands) -> TextFunctions.octetLength(type, operands.getFirst()),
            ReturnTypes.INTEGER_NULLABLE));
    all.add(text("HEX", BinaryFunctions::hex, 1, SqlTypeFamily.ANY));
    all.add(whole("FIND_IN_SET", DelimitedTextFunctions::find, 2, TEXT, TEXT));
    all.add(text("SUBSTRING_INDEX", DelimitedTextFunctions::before, 3, TEXT, TEXT, WHOLE));
    all.add(text("SOUNDEX", SoundexFunctions::code, 1, TEXT));
    all.add(whole("DIFFERENCE", SoundexFunctions::likeness, 2, TEXT, TEXT));
    all.add(text("TO_HEX", LibraryTextFunctions::hex, 1, WHOLE));
    all.add(
        SqlBasicFunction.create(
                "CONCAT_WS",
                ReturnTypes.VARCHAR.andThen(
                    org.apache.calcite.sql.type.SqlTypeTransforms.ARG0_NULLABLE),
                OperandTypes.variadic(SqlOperandCountRanges.from(2)),
                SqlFunctionCategory.STRING)
            .withOperandTypeInference(InferTypes.VARCHAR_1024));
    all.add(whole("BIT_LENGTH", LibraryTextFunctions::bitLength, 1, TEXT));
    all.add(
        truth(
            "STARTS_WITH",
            (type, operands) -> LibraryTextFunctions.affix(true, type, operands),
            2,
            TEXT,
            TEXT));
    all.add(
        truth(
            "ENDS_WITH",
            (type, operands) -> LibraryTextFunctions.affix(false, type, operands),
            2,
            TEXT,
            TEXT));
    // patterns
    all.add(REGEXP_LIKE);
    all.add(text("REGEXP_REPLACE", TextPatterns::replace, 3, TEXT, TEXT, TEXT, TEXT));
    all.add(REGEXP_SUBSTR);
    all.add(text("QUOTE_LITERAL", QuotingFunctions::literal, 1, TEXT));
    all.add(text("STRINGDECODE", QuotingFunctions::decode, 1, TEXT));
    all.add(text("QUOTE_IDENT", QuotingFunctions::name, 1, TEXT));
    all.add(text("NORMALIZE", LibraryTextFunctions::normalize, 1, TEXT));
    all.add(
        SqlBasicFunction.create(
                "FORMAT",
                ReturnTypes.VARCHAR_NULLABLE,
                OperandTypes.variadic(SqlOperandCountRanges.from(1)),
                SqlFunctionCategory.STRING)
            .withOperandTypeInference(InferTypes.VARCHAR_1024));
    all.add(whole("REGEXP_INSTR", TextPatterns::place, 2, TEXT, TEXT, WHOLE, WHOLE));
    all.add(whole("REGEXP_COUNT", TextPatterns::count, 2, TEXT, TEXT));
    // numbers
    for (String name : List.of("GCD", "LCM")) {
      all.add(
          bigint(
              name,
              (type, operands) -> IntegerFunctions.ofTwo(name, type, operands),
              WHOLE,
              WHOLE));
    }
    all.add(
        whole(
            "WIDTH_BUCKET", LibraryNumberFunctions::widthBucket, 4, NUMBER, NUMBER, NUMBER, WHOLE));
    all.add(whole("SCALE", LibraryNumberFunctions::scale, 1, SqlTypeFamily.EXACT_NUMERIC));
    all.add(
        make(
            "TO_NUMBER",
            LibraryNumberFunctions::toNumber,
            AddedFunctions::numeric,
            SqlFunctionCategory.NUMERIC,
            2,
            TEXT,
            TEXT));
    all.add(SHIFT_LEFT);
    all.add(SHIFT_RIGHT);
    all.add(bigint("FACTORIAL", IntegerFunctions::factorial, WHOLE));
    all.add(floating("SINH", Math::sinh));
    all.add(floating("COSH", Math::cosh));
    all.add(floating("TANH", Math::tanh));
    all.add(RANDOM);
    all.add(volatileFunction("GEN_RANDOM_UUID", UUID));
    all.add(RANDOM_UUID);
    // the session
    all.add(SESSION_ID);
    all.add(ofSession("CURRVAL", ReturnTypes.BIGINT, OperandTypes.CHARACTER));
    all.add(ofSession("LASTVAL", ReturnTypes.BIGINT, OperandTypes.NILADIC));
    all.add(
        ofSession(
            "SETVAL",
            ReturnTypes.BIGINT_NULLABLE,
            OperandTypes.family(TEXT, WHOLE)
                .or(OperandTypes.family(TEXT, WHOLE, SqlTypeFamily.BOOLEAN))));
    all.add(ofSession("CURRENT_DATABASE", ReturnTypes.VARCHAR, OperandTypes.NILADIC));
    all.add(
        ofSession(
            "SET_CONFIG",
            ReturnTypes.VARCHAR_NULLABLE,
            OperandTypes.family(TEXT, TEXT, SqlTypeFamily.BOOLEAN)));
    all.add(ofSession("CURRENT_SETTING", ReturnTypes.VARCHAR_NULLABLE, OperandTypes.CHARACTER));
    // dates
    all.add(MAKE_DATE);
    all.add(MAKE_TIME);
    all.add(DATE_BIN);
    all.add(TO_CHAR);
    all.add(AT_ZONE);
    all.add(TO_DATE);
    all.add(TO_TIMESTAMP);
    return List.copyOf(all);
  }

  private static SqlFunction floating(String name, DoubleUnaryOperator code) {
    return make(
        name,
        (type, operands) -> NumericFunctions.floating(name, type, code, operands.getFirst()),
        ReturnTypes.DOUBLE_NULLABLE,
        SqlFunctionCategory.NUMERIC,
        1,
        NUMBER);
  }

  private static Expression trim(String name, ColumnType type, List<Expression> operands) {
    boolean left = name.equals("LTRIM");
    Expression characters = operands.size() > 1 ? operands.get(1) : null;
    return TextFunctions.trim(type, left, !left, characters, operands.getFirst());
  }

  private static SqlFunction text(String name, Code code, int required, SqlTypeFamily... families) {
    return make(
        name, code, ReturnTypes.VARCHAR_NULLABLE, SqlFunctionCategory.STRING, required, families);
  }

  private static SqlFunction whole(
      String name, Code code, int required, SqlTypeFamily... families) {
    return make(
        name, code, ReturnTypes.INTEGER_NULLABLE, SqlFunctionCategory.NUMERIC, required, families);
  }

  private static SqlFunction bigint(String name, Code code, SqlTypeFamily... families) {
    return make(
        name,
        code,
        ReturnTypes.BIGINT_NULLABLE,
        SqlFunctionCategory.NUMERIC,
        families.length,
        families);
  }

  private static SqlFunction ofTextOrBytes(String name, Code code, SqlReturnTypeInference type) {
    CODES.put(name, code);
    return SqlBasicFunction.create(
        name, type, OperandTypes.CHARACTER.or(OperandTypes.BINARY), SqlFunctionCategory.STRING);
  }

  private static SqlFunction truth(
      String name, Code code, int required, SqlTypeFamily... families) {
    return make(
        name, code, ReturnTypes.BOOLEAN_NULLABLE, SqlFunctionCategory.STRING, required, families);
  }

  private static SqlFunction make(
      String name,
      Code code,
      SqlReturnTypeInference type,
      SqlFunctionCategory category,
      int required,
      SqlTypeFamily... families) {
    CODES.put(name, code);
    return SqlBasicFunction.create(
        name,
        type,
        OperandTypes.family(Arrays.asList(families), operand -> operand >= required),
        category);
  }

  private static SqlFunction ofSession(
      String name, SqlReturnTypeInference type, SqlOperandTypeChecker operands) {
    return SqlBasicFunction.create(name, type, operands, SqlFunctionCategory.SYSTEM)
        .withDeterministic(false)
        .withDynamic(true);
  }

  private static SqlFunction volatileFunction(String name, SqlReturnTypeInference type) {
    return SqlBasicFunction.create(name, type, OperandTypes.NILADIC, SqlFunctionCategory.SYSTEM)
        .withDeterministic(false)
        .withDynamic(true);
  }
}
