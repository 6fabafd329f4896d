package org.nelumbo.planner.function;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.fun.SqlTrimFunction;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.parser.ast.TypeAliases;
import org.nelumbo.planner.type.SqlErrors;

/**
 * Rewrites functions of PostgreSQL, H2 and MySQL as equivalent expressions of the standard. Calls
 * are replaced before validation.
 */
public final class ReplacedFunctions {
  private static final SqlParserPos HERE = SqlParserPos.ZERO;

  /** Prefix of the units in the JDBC escapes TIMESTAMPADD and TIMESTAMPDIFF. */
  private static final String JDBC_UNIT = "SQL_TSI_";

  private static final String VERSION = "Nelumbo";

  private static final Map<String, Function<SqlCall, SqlNode>> RULES = new TreeMap<>();

  static {
    // the time
    for (String name : List.of("NOW", "GETDATE", "SYSDATE", "TRANSACTION_TIMESTAMP")) {
      RULES.put(
          name,
          call ->
              arguments(
                  call, 0, SqlStdOperatorTable.LOCALTIMESTAMP.createCall(at(call), micros())));
    }
    RULES.put(
        "CURDATE",
        call -> arguments(call, 0, SqlStdOperatorTable.CURRENT_DATE.createCall(at(call))));
    RULES.put(
        "CURTIME", call -> arguments(call, 0, SqlStdOperatorTable.LOCALTIME.createCall(at(call))));
    // fields of dates
    for (String field : List.of("DAY", "EPOCH", "ISO_DAY_OF_WEEK", "ISO_YEAR")) {
      RULES.put(
          field,
          call -> extract(call, field.replace("_DAY_OF_WEEK", "DOW").replace("_", ""), only(call)));
    }
    RULES.put(
        "DAYOFWEEK",
        call ->
            SqlStdOperatorTable.PLUS.createCall(
                at(call), extract(call, "DOW", only(call)), number(call, 1)));
    RULES.put("SECOND", ReplacedFunctions::wholeSecond);
    RULES.put("DATE_PART", call -> extract(call, unitName(call, 0), operand(call, 1, 2)));
    RULES.put("DATEPART", call -> extract(call, unitName(call, 0), operand(call, 1, 2)));
    RULES.put("EXTRACT", ReplacedFunctions::ofPlural);
    RULES.put("TIMESTAMPADD", call -> withUnit(call, SqlStdOperatorTable.TIMESTAMP_ADD));
    RULES.put("TIMESTAMPDIFF", call -> withUnit(call, SqlStdOperatorTable.TIMESTAMP_DIFF));
    RULES.put("DATE", call -> cast(call, only(call), SqlTypeName.DATE));
    RULES.put("DAY_OF_MONTH", call -> extract(call, "DAY", only(call)));
    RULES.put("DAY_OF_YEAR", call -> extract(call, "DOY", only(call)));
    RULES.put(
        "DAY_OF_WEEK",
        call ->
            SqlStdOperatorTable.PLUS.createCall(
                at(call), extract(call, "DOW", only(call)), number(call, 1)));
    RULES.put("DAYNAME", call -> toText(call, only(call), "FMDay"));
    RULES.put("MONTHNAME", call -> toText(call, only(call), "FMMonth"));
    RULES.put(
        "DATE_FORMAT",
        call -> toText(call, operand(call, 0, 2), DatePatterns.ofMysql(pattern(call))));
    RULES.put(
        "FORMATDATETIME",
        call -> toText(call, operand(call, 0, 2), DatePatterns.ofJava(pattern(call))));
    RULES.put("STR_TO_DATE", call -> ofText(call, DatePatterns.ofMysql(pattern(call))));
    RULES.put("PARSEDATETIME", call -> ofText(call, DatePatterns.ofJava(pattern(call))));
    RULES.put(
        "UNIX_TIMESTAMP",
        call ->
            cast(
                call,
                SqlStdOperatorTable.FLOOR.createCall(
                    at(call), extract(call, "EPOCH", instant(call, onlyOrNow(call)))),
                SqlTypeName.BIGINT));
    RULES.put("FROM_UNIXTIME", ReplacedFunctions::fromSeconds);
    RULES.put("MAKE_TIMESTAMP", ReplacedFunctions::makeTimestamp);
    RULES.put("MAKE_INTERVAL", ReplacedDateFunctions::makeInterval);
    RULES.put("DATE_BIN", ReplacedDateFunctions::bin);
    RULES.put("ISFINITE", ReplacedDateFunctions::isFinite);
    RULES.put("JUSTIFY_HOURS", call -> only(call));
    RULES.put("LAST_DAY", ReplacedFunctions::lastDay);
    RULES.put("DATE_TRUNC", ReplacedFunctions::truncate);
    RULES.put(
        "DATEADD", call -> add(call, unit(call, 0), operand(call, 1, 3), operand(call, 2, 3)));
    RULES.put(
        "ADD_MONTHS", call -> add(call, TimeUnit.MONTH, operand(call, 1, 2), operand(call, 0, 2)));
    RULES.put("DATEDIFF", ReplacedFunctions::boundaries);
    RULES.put(
        "DATE_ADD",
        call ->
            SqlStdOperatorTable.PLUS.createCall(
                at(call), operand(call, 0, 2), operand(call, 1, 2)));
    RULES.put(
        "DATE_SUB",
        call ->
            SqlStdOperatorTable.MINUS.createCall(
                at(call), operand(call, 0, 2), operand(call, 1, 2)));
    // text
    rename("LCASE", SqlStdOperatorTable.LOWER);
    rename("UCASE", SqlStdOperatorTable.UPPER);
    rename("LEN", SqlStdOperatorTable.CHAR_LENGTH);
    rename("MID", SqlStdOperatorTable.SUBSTRING);
    RULES.put("BTRIM", call -> trim(call));
    for (String name : List.of("LOCATE", "CHARINDEX")) {
      RULES.put(
          name, call -> SqlStdOperatorTable.POSITION.createCall(at(call), call.getOperandList()));
    }
    for (String name : List.of("INSTR", "STRPOS")) {
      RULES.put(name, ReplacedFunctions::swapped);
    }
    rename("CHAR", AddedFunctions.CHR);
    RULES.put(
        "TO_CHAR",
        call -> call.operandCount() == 1 ? cast(call, only(call), SqlTypeName.VARCHAR) : null);
    RULES.put(
        "RAWTOHEX",
        call ->
            AddedFunctions.ENCODE.createCall(
                at(call), only(call), SqlLiteral.createCharString("hex", at(call))));
    RULES.put("CONVERT", ReplacedFunctions::converted);
    RULES.put("SUBSTRING", ReplacedFunctions::matched);
    rename("ROW", SqlStdOperatorTable.ROW);
    RULES.put("PG_GET_SERIAL_SEQUENCE", ReplacedFunctions::numbersOf);
    RULES.put("STRCMP", ReplacedFunctions::compared);
    // numbers
    rename("POW", SqlStdOperatorTable.POWER);
    rename("TRUNC", AddedFunctions.TRUNCATE);
    RULES.put("RAND", call -> arguments(call, 0, AddedFunctions.RANDOM.createCall(at(call))));
    RULES.put("LOG", ReplacedFunctions::logarithm);
    RULES.put("LOG2", call -> logarithm(call, number(call, 2), only(call)));
    RULES.put(
        "SQUARE",
        call -> SqlStdOperatorTable.POWER.createCall(at(call), only(call), number(call, 2)));
    RULES.put(
        "DIV",
        call ->
            AddedFunctions.TRUNCATE.createCall(
                at(call),
                SqlStdOperatorTable.DIVIDE.createCall(
                    at(call), operand(call, 0, 2), operand(call, 1, 2))));
    RULES.put(
        "TRIM_SCALE",
        call ->
            SqlStdOperatorTable.CAST.createCall(
                at(call),
                only(call),
                new SqlDataTypeSpec(TypeAliases.numeric(at(call)), at(call))));
    rename("UUID", AddedFunctions.RANDOM_UUID);
    rename("PG_BACKEND_PID", AddedFunctions.SESSION_ID);
    rename("CONNECTION_ID", AddedFunctions.SESSION_ID);
    RULES.put(
        "VERSION", call -> arguments(call, 0, SqlLiteral.createCharString(VERSION, at(call))));
    // choice
    RULES.put("FIELD", ReplacedFunctions::place);
    RULES.put("ELT", ReplacedFunctions::chosen);
    for (String name : List.of("IF", "IIF", "CASEWHEN")) {
      RULES.put(
          name,
          call -> choice(call, operand(call, 0, 3), operand(call, 1, 3), operand(call, 2, 3)));
    }
    RULES.put("DECODE", ReplacedFunctions::decode);
    RULES.put(
        "NVL2",
        call ->
            choice(
                call,
                SqlStdOperatorTable.IS_NOT_NULL.createCall(at(call), operand(call, 0, 3)),
                operand(call, 1, 3),
                operand(call, 2, 3)));
    RULES.put(
        "ISNULL",
        call ->
            CoalesceFunction.INSTANCE.createCall(
                at(call), operand(call, 0, 2), operand(call, 1, 2)));
    // aggregates
    for (String name : List.of("BOOL_AND", "EVERY", "LOGICAL_AND")) {
      rename(name, SqlStdOperatorTable.MIN);
    }
    for (String name : List.of("BOOL_OR", "LOGICAL_OR")) {
      rename(name, SqlStdOperatorTable.MAX);
    }
    for (String name : List.of("LISTAGG", "STRING_AGG")) {
      RULES.put(name, ReplacedFunctions::joined);
    }
    RULES.put("GROUP_CONCAT", ReplacedFunctions::joinedWithCommas);
    RULES.put("MEDIAN", call -> OrderedFunction.median(call, only(call)));
    for (String name : OrderedFunction.names()) {
      RULES.put(name, OrderedFunction::alone);
    }
  }

  private ReplacedFunctions() {}

  /** Returns the names, in alphabetical order. */
  static Set<String> names() {
    return new TreeSet<>(RULES.keySet());
  }

  /** Returns the equivalent of a call, or null if it is not replaced. */
  public static SqlNode replacement(SqlCall call) {
    Function<SqlCall, SqlNode> rule =
        RULES.get(call.getOperator().getName().toUpperCase(Locale.ROOT));
    return rule == null ? null : rule.apply(call);
  }

  private static void rename(String name, SqlOperator operator) {
    RULES.put(
        name,
        call -> operator.createCall(call.getFunctionQuantifier(), at(call), call.getOperandList()));
  }

  private static SqlParserPos at(SqlCall call) {
    return call.getParserPosition();
  }

  private static SqlNode arguments(SqlCall call, int count, SqlNode result) {
    check(call, call.operandCount() == count, count);
    return result;
  }

  private static void check(SqlCall call, boolean right, int count) {
    if (!right) {
      throw SqlErrors.at(
          ErrorCode.INVALID_STATEMENT,
          call.getOperator().getName()
              + " takes "
              + count
              + (count == 1 ? " argument" : " arguments"),
          at(call));
    }
  }

  private static SqlNode only(SqlCall call) {
    return operand(call, 0, 1);
  }

  private static SqlNode operand(SqlCall call, int index, int count) {
    check(call, call.operandCount() == count, count);
    return call.operand(index);
  }

  private static SqlNode number(SqlCall call, int value) {
    return SqlLiteral.createExactNumeric(Integer.toString(value), at(call));
  }

  private static SqlNode micros() {
    return SqlLiteral.createExactNumeric("6", HERE);
  }

  private static SqlNode cast(SqlCall call, SqlNode operand, SqlTypeName type) {
    return SqlStdOperatorTable.CAST.createCall(
        at(call), operand, new SqlDataTypeSpec(new SqlBasicTypeNameSpec(type, at(call)), at(call)));
  }

  /** The result may be longer than the argument, whose type Calcite would use. */
  private static SqlNode joined(SqlCall call) {
    if (call.operandCount() == 0 || isAnyText(call.operand(0))) {
      return null;
    }
    List<SqlNode> operands = new ArrayList<>(call.getOperandList());
    operands.set(0, cast(call, operands.getFirst(), SqlTypeName.VARCHAR));
    return call.getOperator().createCall(call.getFunctionQuantifier(), at(call), operands);
  }

  /** The separator is a comma unless a SEPARATOR is given. */
  private static SqlNode joinedWithCommas(SqlCall call) {
    SqlNode separator = SqlLiteral.createCharString(",", at(call));
    List<SqlNode> operands = new ArrayList<>(call.getOperandList());
    if (!operands.isEmpty() && operands.getLast().getKind() == SqlKind.SEPARATOR) {
      separator = ((SqlCall) operands.removeLast()).operand(0);
    }
    List<SqlNode> orders = new ArrayList<>();
    while (operands.size() > 1 && operands.getLast() instanceof SqlNodeList) {
      orders.add(operands.removeLast());
    }
    check(call, operands.size() == 1, 1);
    operands.set(0, cast(call, operands.getFirst(), SqlTypeName.VARCHAR));
    operands.add(separator);
    operands.addAll(orders.reversed());
    return SqlLibraryOperators.STRING_AGG.createCall(
        call.getFunctionQuantifier(), at(call), operands);
  }

  private static boolean isAnyText(SqlNode node) {
    return node.getKind() == SqlKind.CAST
        && ((SqlCall) node).operand(1) instanceof SqlDataTypeSpec type
        && type.getTypeNameSpec() instanceof SqlBasicTypeNameSpec basic
        && basic.getTypeName().getSimple().equals("VARCHAR")
        && basic.getPrecision() < 0;
  }

  private static String unitName(SqlCall call, int index) {
    SqlNode unit = index < call.operandCount() ? call.operand(index) : null;
    String name =
        switch (unit) {
          case SqlIntervalQualifier qualifier -> qualifier.timeUnitRange.name();
          case SqlIdentifier word when word.isSimple() -> word.getSimple();
          case SqlCharStringLiteral text -> text.getValueAs(String.class);
          case null, default ->
              throw SqlErrors.at(
                  ErrorCode.INVALID_STATEMENT,
                  "the unit of "
                      + call.getOperator().getName()
                      + " has to be a word or a text literal",
                  at(call));
        };
    return unitName(name);
  }

  private static String unitName(String name) {
    String plain = name.strip().toUpperCase(Locale.ROOT);
    if (plain.startsWith(JDBC_UNIT)) {
      plain = plain.substring(JDBC_UNIT.length());
    }
    return switch (plain) {
      case "FRAC_SECOND" -> "MICROSECOND";
      case "YY", "YYYY", "YEARS" -> "YEAR";
      case "QQ", "QUARTERS" -> "QUARTER";
      case "MM", "MON", "MONTHS" -> "MONTH";
      case "WK", "WW", "WEEKS" -> "WEEK";
      case "DD", "D", "DAYS", "DAYOFMONTH" -> "DAY";
      case "HH", "HOURS" -> "HOUR";
      case "MI", "N", "MINUTES" -> "MINUTE";
      case "SS", "S", "SECONDS" -> "SECOND";
      case "MS", "MILLISECONDS" -> "MILLISECOND";
      case "US", "MICROSECONDS" -> "MICROSECOND";
      default -> plain;
    };
  }

  private static TimeUnit unit(SqlCall call, int index) {
    String name = unitName(call, index);
    try {
      return TimeUnit.valueOf(name);
    } catch (IllegalArgumentException e) {
      throw SqlErrors.at(ErrorCode.BAD_PARAMETER, "there is no time unit " + name, at(call));
    }
  }

  private static SqlIntervalQualifier qualifier(SqlCall call, TimeUnit unit) {
    return new SqlIntervalQualifier(unit, null, at(call));
  }

  private static SqlNode extract(SqlCall call, String field, SqlNode operand) {
    SqlNode ofAge = ReplacedDateFunctions.ofAge(call, field, operand);
    if (ofAge != null) {
      return ofAge;
    }
    TimeUnit unit;
    try {
      unit = TimeUnit.valueOf(field);
    } catch (IllegalArgumentException e) {
      throw SqlErrors.at(ErrorCode.BAD_PARAMETER, "dates have no field " + field, at(call));
    }
    return ExtractFunction.INSTANCE.createCall(at(call), qualifier(call, unit), operand);
  }

  /** Rewrites EXTRACT(DAYS FROM ...) as EXTRACT(DAY FROM ...), and EXTRACT from AGE. */
  private static SqlNode ofPlural(SqlCall call) {
    if (call.operandCount() != 2 || !(call.operand(0) instanceof SqlIntervalQualifier field)) {
      return null;
    } else if (field.timeFrameName == null) {
      return ReplacedDateFunctions.ofAge(call, field.timeUnitRange.name(), call.operand(1));
    }
    String name = unitName(field.timeFrameName);
    return name.equals(field.timeFrameName.toUpperCase(Locale.ROOT))
        ? null
        : extract(call, name, call.operand(1));
  }

  private static SqlNode withUnit(SqlCall call, SqlOperator operator) {
    if (call.operandCount() != 3
        || !(call.operand(0) instanceof SqlIntervalQualifier unit)
        || unit.timeFrameName == null) {
      return null;
    }
    String name = unitName(unit.timeFrameName);
    try {
      return operator.createCall(
          at(call), qualifier(call, TimeUnit.valueOf(name)), call.operand(1), call.operand(2));
    } catch (IllegalArgumentException e) {
      throw SqlErrors.at(ErrorCode.BAD_PARAMETER, "there is no time unit " + name, at(call));
    }
  }

  private static SqlNode wholeSecond(SqlCall call) {
    SqlNode second = extract(call, "SECOND", only(call));
    return cast(call, SqlStdOperatorTable.FLOOR.createCall(at(call), second), SqlTypeName.INTEGER);
  }

  private static SqlNode floor(SqlCall call, SqlNode operand, TimeUnit unit) {
    return SqlStdOperatorTable.FLOOR.createCall(at(call), operand, qualifier(call, unit));
  }

  private static SqlNode add(SqlCall call, TimeUnit unit, SqlNode count, SqlNode datetime) {
    return SqlStdOperatorTable.TIMESTAMP_ADD.createCall(
        at(call), qualifier(call, unit), count, datetime);
  }

  private static SqlNode lastDay(SqlCall call) {
    SqlNode first = floor(call, cast(call, only(call), SqlTypeName.DATE), TimeUnit.MONTH);
    SqlNode next = add(call, TimeUnit.MONTH, number(call, 1), first);
    return add(call, TimeUnit.DAY, number(call, -1), next);
  }

  /** The unit comes first as a string, or last as a word. Weeks begin on Mondays. */
  private static SqlNode truncate(SqlCall call) {
    check(call, call.operandCount() == 2, 2);
    boolean unitLast = call.operand(1) instanceof SqlIntervalQualifier;
    TimeUnit unit = unit(call, unitLast ? 1 : 0);
    SqlNode operand = call.operand(unitLast ? 0 : 1);
    return floor(call, operand, unit == TimeUnit.WEEK ? TimeUnit.ISODOW : unit);
  }

  /** With two arguments, returns the days from the second date to the first. */
  private static SqlNode boundaries(SqlCall call) {
    if (call.operandCount() == 2) {
      return SqlStdOperatorTable.TIMESTAMP_DIFF.createCall(
          at(call),
          qualifier(call, TimeUnit.DAY),
          cast(call, call.operand(1), SqlTypeName.DATE),
          cast(call, call.operand(0), SqlTypeName.DATE));
    }
    SqlNode from = operand(call, 1, 3);
    SqlNode to = operand(call, 2, 3);
    TimeUnit unit = unit(call, 0);
    return SqlStdOperatorTable.TIMESTAMP_DIFF.createCall(
        at(call), qualifier(call, unit), floor(call, from, unit), floor(call, to, unit));
  }

  private static SqlNode trim(SqlCall call) {
    return SqlStdOperatorTable.TRIM.createCall(
        at(call),
        SqlTrimFunction.Flag.BOTH.symbol(at(call)),
        call.operandCount() == 2 ? call.operand(1) : SqlLiteral.createCharString(" ", at(call)),
        operand(call, 0, call.operandCount() == 2 ? 2 : 1));
  }

  private static SqlNode swapped(SqlCall call) {
    check(call, call.operandCount() == 2 || call.operandCount() == 3, 2);
    List<SqlNode> operands = new java.util.ArrayList<>(call.getOperandList());
    operands.add(0, operands.remove(1));
    return SqlStdOperatorTable.POSITION.createCall(at(call), operands);
  }

  private static SqlNode logarithm(SqlCall call) {
    return call.operandCount() == 1
        ? SqlStdOperatorTable.LOG10.createCall(at(call), call.<SqlNode>operand(0))
        : logarithm(call, operand(call, 0, 2), operand(call, 1, 2));
  }

  private static SqlNode logarithm(SqlCall call, SqlNode base, SqlNode operand) {
    return SqlStdOperatorTable.DIVIDE.createCall(
        at(call),
        SqlStdOperatorTable.LN.createCall(at(call), operand),
        SqlStdOperatorTable.LN.createCall(at(call), base));
  }

  /** With two strings it is another function. */
  private static SqlNode decode(SqlCall call) {
    if (call.operandCount() < 3) {
      return null;
    }
    SqlNodeList conditions = new SqlNodeList(at(call));
    SqlNodeList results = new SqlNodeList(at(call));
    int i = 1;
    for (; i + 1 < call.operandCount(); i += 2) {
      conditions.add(
          SqlStdOperatorTable.IS_NOT_DISTINCT_FROM.createCall(
              at(call), call.operand(0), call.operand(i)));
      results.add(call.operand(i + 1));
    }
    SqlNode otherwise = i < call.operandCount() ? call.operand(i) : SqlLiteral.createNull(at(call));
    return new SqlCase(at(call), null, conditions, results, otherwise);
  }

  private static SqlNode place(SqlCall call) {
    check(call, call.operandCount() > 1, 2);
    SqlNodeList conditions = new SqlNodeList(at(call));
    SqlNodeList places = new SqlNodeList(at(call));
    for (int i = 1; i < call.operandCount(); i++) {
      conditions.add(
          SqlStdOperatorTable.EQUALS.createCall(at(call), call.operand(0), call.operand(i)));
      places.add(number(call, i));
    }
    return new SqlCase(at(call), null, conditions, places, number(call, 0));
  }

  private static SqlNode chosen(SqlCall call) {
    check(call, call.operandCount() > 1, 2);
    SqlNodeList conditions = new SqlNodeList(at(call));
    SqlNodeList results = new SqlNodeList(at(call));
    for (int i = 1; i < call.operandCount(); i++) {
      conditions.add(
          SqlStdOperatorTable.EQUALS.createCall(at(call), call.operand(0), number(call, i)));
      results.add(call.operand(i));
    }
    return new SqlCase(at(call), null, conditions, results, SqlLiteral.createNull(at(call)));
  }

  /** Returns null if the call names a character set. */
  private static SqlNode converted(SqlCall call) {
    if (call.operandCount() != 2 || !(call.operand(1) instanceof SqlIdentifier name)) {
      return null;
    }
    SqlTypeName type =
        switch (name.names.getLast()) {
          case "SIGNED", "BIGINT" -> SqlTypeName.BIGINT;
          case "INTEGER", "INT" -> SqlTypeName.INTEGER;
          case "SMALLINT" -> SqlTypeName.SMALLINT;
          case "DOUBLE" -> SqlTypeName.DOUBLE;
          case "REAL" -> SqlTypeName.REAL;
          case "BOOLEAN" -> SqlTypeName.BOOLEAN;
          case "CHAR", "VARCHAR" -> SqlTypeName.VARCHAR;
          case "DATE" -> SqlTypeName.DATE;
          case "TIME" -> SqlTypeName.TIME;
          case "TIMESTAMP", "DATETIME" -> SqlTypeName.TIMESTAMP;
          default -> null;
        };
    return type == null ? null : cast(call, call.operand(0), type);
  }

  /**
   * Rewrites SUBSTRING(a FROM 'pattern') of PostgreSQL as the matching substring; returns null for
   * other calls.
   */
  private static SqlNode matched(SqlCall call) {
    boolean isPattern =
        call.operandCount() == 2
            && call.operand(1) instanceof SqlCharStringLiteral text
            && text.getValueAs(String.class).indexOf('(') < 0; // else the result would be the group
    return isPattern
        ? AddedFunctions.REGEXP_SUBSTR.createCall(at(call), call.getOperandList())
        : null;
  }

  /**
   * Returns the name by which CURRVAL and related functions refer to the numbers of an identity
   * column.
   */
  private static SqlNode numbersOf(SqlCall call) {
    if (!(operand(call, 0, 2) instanceof SqlCharStringLiteral table)
        || !(operand(call, 1, 2) instanceof SqlCharStringLiteral column)) {
      throw SqlErrors.at(
          ErrorCode.UNSUPPORTED,
          "PG_GET_SERIAL_SEQUENCE takes the names of a table and a column as literals",
          at(call));
    }
    String name = table.getValueAs(String.class) + "_" + column.getValueAs(String.class) + "_seq";
    return SqlLiteral.createCharString(name, at(call));
  }

  private static SqlNode compared(SqlCall call) {
    SqlNode left = operand(call, 0, 2);
    SqlNode right = operand(call, 1, 2);
    SqlNodeList conditions =
        SqlNodeList.of(
            SqlStdOperatorTable.LESS_THAN.createCall(at(call), left, right),
            SqlStdOperatorTable.EQUALS.createCall(at(call), left, right),
            SqlStdOperatorTable.GREATER_THAN.createCall(at(call), left, right));
    SqlNodeList results = SqlNodeList.of(number(call, -1), number(call, 0), number(call, 1));
    return new SqlCase(at(call), null, conditions, results, SqlLiteral.createNull(at(call)));
  }

  /** A literal, because it determines the result type. */
  private static String pattern(SqlCall call) {
    if (!(operand(call, 1, 2) instanceof SqlCharStringLiteral text)) {
      throw SqlErrors.at(
          ErrorCode.UNSUPPORTED,
          "the pattern of "
              + call.getOperator().getName()
              + " has to be a text literal; TO_CHAR, TO_DATE and TO_TIMESTAMP take any text",
          at(call));
    }
    return text.getValueAs(String.class);
  }

  private static SqlNode toText(SqlCall call, SqlNode datetime, String pattern) {
    return AddedFunctions.TO_CHAR.createCall(
        at(call), datetime, SqlLiteral.createCharString(pattern, at(call)));
  }

  private static SqlNode ofText(SqlCall call, String pattern) {
    SqlOperator operator =
        DatePatterns.hasTime(pattern) ? AddedFunctions.TO_TIMESTAMP : AddedFunctions.TO_DATE;
    return operator.createCall(
        at(call), operand(call, 0, 2), SqlLiteral.createCharString(pattern, at(call)));
  }

  private static SqlNode onlyOrNow(SqlCall call) {
    return call.operandCount() == 0
        ? SqlStdOperatorTable.CURRENT_TIMESTAMP.createCall(at(call), micros())
        : only(call);
  }

  private static SqlNode instant(SqlCall call, SqlNode operand) {
    return cast(call, operand, SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE);
  }

  /**
   * Rewrites FROM_UNIXTIME: the timestamp in the session's zone of a number of seconds since 1970.
   */
  private static SqlNode fromSeconds(SqlCall call) {
    SqlNode start = instant(call, SqlLiteral.createCharString("1970-01-01 00:00:00+00", at(call)));
    return cast(call, add(call, TimeUnit.SECOND, only(call), start), SqlTypeName.TIMESTAMP);
  }

  private static SqlNode makeTimestamp(SqlCall call) {
    check(call, call.operandCount() == 6, 6);
    List<SqlNode> operands = call.getOperandList();
    return SqlStdOperatorTable.PLUS.createCall(
        at(call),
        AddedFunctions.MAKE_DATE.createCall(at(call), operands.subList(0, 3)),
        AddedFunctions.MAKE_TIME.createCall(at(call), operands.subList(3, 6)));
  }

  private static SqlNode choice(SqlCall call, SqlNode condition, SqlNode yes, SqlNode no) {
    return new SqlCase(at(call), null, SqlNodeList.of(condition), SqlNodeList.of(yes), no);
  }
}
