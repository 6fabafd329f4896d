package org.nelumbo.planner.type;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Functions, types, columns and tables of other databases that are not supported, with
 * alternatives.
 */
final class UnsupportedNames {
  private static final String NO_JSON = "there is no JSON; keep it as VARCHAR";
  private static final String NO_ARRAYS = "there are no arrays; ";

  private static final List<Rule> FUNCTIONS = new ArrayList<>();
  private static final List<Rule> TYPES = new ArrayList<>();
  private static final List<Rule> TABLES = new ArrayList<>();
  private static final List<Rule> COLUMNS = new ArrayList<>();

  static {
    function("ARRAY_AGG", NO_ARRAYS + "use STRING_AGG, or read the rows");
    function("REGEXP_MATCH(ES)?", NO_ARRAYS + "use REGEXP_SUBSTR");
    function("(STRING_TO|REGEXP_SPLIT_TO)_(ARRAY|TABLE)", NO_ARRAYS + "use SPLIT_PART");
    function("(ARRAY|TRIM_ARRAY|CARDINALITY|UNNEST).*", NO_ARRAYS + "keep the values in a table");
    function("(ROW_TO|TO|ARRAY_TO)?_?JSONB?(_.*)?", NO_JSON);
    function("XML.*", "there is no XML; keep it as VARCHAR");
    function("PG_(TRY_)?ADVISORY.*|GET_LOCK|RELEASE_LOCK", "lock a row: SELECT ... FOR UPDATE");
    function("(TO|PLAINTO|PHRASETO)_TS(VECTOR|QUERY)|TS_.*|MATCH", "use LIKE, or REGEXP_LIKE");
    function("PG_SLEEP.*|SLEEP|BENCHMARK", "wait in the program");
    function(
        "JUSTIFY_(DAYS|INTERVAL)",
        "an interval has months, or days and a time, not both; leave it out");
    function(
        "AGE",
        "an interval has months, or days and a time, not both; write a - b, (a - b) MONTH or"
            + " EXTRACT(YEAR FROM AGE(a, b))");
    function("FOUND_ROWS", "use COUNT(*) OVER ()");
    function("ROW_COUNT", "use the result of executeUpdate");
    function("PG_SIZE_PRETTY", "divide the number of bytes by 1048576.0 for megabytes");
    function(
        "PG_(CANCEL|TERMINATE)_BACKEND",
        "cancel a statement in the program that runs it (Statement.cancel), or give it a time"
            + " limit; SYS.SESSIONS shows what runs");
    function("PG_.*_SIZE", "SYS.MEMORY shows the bytes of each table and index");
    function("PG_.*|HAS_.*_PRIVILEGE|OBJ_DESCRIPTION|COL_DESCRIPTION", "use INFORMATION_SCHEMA");
    type("JSONB?", NO_JSON);
    type("XML", "there is no XML; keep it as VARCHAR");
    type(
        "VARCHAR_IGNORECASE|CITEXT", "use VARCHAR, and compare LOWER(c), which an index may be on");
    type("MONEY|SMALLMONEY", "use DECIMAL(19, 2)");
    type("INET|CIDR|MACADDR8?|TSVECTOR|TSQUERY", "keep it as VARCHAR");
    type("GEOMETRY|POINT|LINE|LSEG|BOX|PATH|POLYGON|CIRCLE", "keep coordinates as DOUBLE");
    type("INT4RANGE|INT8RANGE|NUMRANGE|TSRANGE|TSTZRANGE|DATERANGE", "use two columns");
    type("ROWVERSION|TIMETZ", "use TIMESTAMP");
    column("SYSDATE|SYSTIMESTAMP|GETDATE", "use LOCALTIMESTAMP, or CURRENT_DATE");
    column("ROWNUM", "use LIMIT, or ROW_NUMBER() OVER (ORDER BY ...)");
    column("LEVEL|PRIOR|CONNECT_BY_ROOT", "use WITH RECURSIVE");
    column("ROWID|CTID|OID|XMIN|_ROWID_", "give the table a primary key");
    TABLES.add(
        new Rule(Pattern.compile("PG_(?!TEMP).*"), "use INFORMATION_SCHEMA, or the views of SYS"));
    TABLES.add(
        new Rule(
            Pattern.compile("MYSQL|PERFORMANCE_SCHEMA|SQLITE_(MASTER|SCHEMA)"),
            "use INFORMATION_SCHEMA, or the views of SYS"));
  }

  private record Rule(Pattern names, String advice) {}

  private UnsupportedNames() {}

  private static void function(String names, String advice) {
    FUNCTIONS.add(new Rule(Pattern.compile(names), advice));
  }

  private static void type(String names, String advice) {
    TYPES.add(new Rule(Pattern.compile(names), advice));
  }

  /** Returns the alternative to a function, or null if there is none. */
  static String ofFunction(String name) {
    return advice(FUNCTIONS, name);
  }

  /** Returns the alternative to a type, or null if there is none. */
  static String ofType(String name) {
    return advice(TYPES, name);
  }

  private static void column(String names, String advice) {
    COLUMNS.add(new Rule(Pattern.compile(names), advice));
  }

  /** Returns the alternative to a pseudo-column, or null if there is none. */
  static String ofColumn(String name) {
    return advice(COLUMNS, name);
  }

  /** Returns the alternative to a table or schema, or null if there is none. */
  static String ofTable(String name) {
    return advice(TABLES, name);
  }

  private static String advice(List<Rule> rules, String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    for (Rule rule : rules) {
      if (rule.names.matcher(upper).matches()) {
        return rule.advice;
      }
    }
    return null;
  }
}
