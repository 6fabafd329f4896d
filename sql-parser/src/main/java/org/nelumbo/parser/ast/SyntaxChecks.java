package org.nelumbo.parser.ast;

import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.parser.dialect.SqlSyntaxException;

/** Checks that cannot be expressed as productions of the grammar; called from its actions. */
public final class SyntaxChecks {
  private static final Set<String> STORAGE = Set.of("STORED", "VIRTUAL", "PERSISTENT", "PERSISTED");

  private static final Set<String> TEMPORARY = Set.of("LOCAL", "GLOBAL", "TEMPORARY", "TEMP");

  /** Storage options of MySQL's tables, which have no effect here. */
  private static final Set<String> STORAGE_OPTIONS =
      Set.of(
          "ENGINE",
          "CHARSET",
          "CHARACTER",
          "COLLATE",
          "ROW_FORMAT",
          "KEY_BLOCK_SIZE",
          "AVG_ROW_LENGTH",
          "MIN_ROWS",
          "MAX_ROWS",
          "STATS_PERSISTENT",
          "COMMENT",
          "AUTO_INCREMENT",
          "SEGMENT");

  /** Options of sequences in one word, as in Oracle and MariaDB. */
  private static final Set<String> SEQUENCE_WORDS =
      Set.of("NOCACHE", "NOCYCLE", "NOMINVALUE", "NOMAXVALUE", "NOORDER");

  private SyntaxChecks() {}

  /** Words for storage kinds of tables, which have no effect here. */
  private static final Set<String> KINDS_OF_TABLES = Set.of("UNLOGGED", "CACHED", "MEMORY");

  /** First words of statements that are not keywords. */
  private static final Set<String> FIRST_WORDS = Set.of("USE", "DISCARD", "VACUUM", "REINDEX");

  private static final Set<String> BEHIND_TABLE = Set.of(".", "ADD", "ALTER", "DROP", "RENAME");

  private static final Set<String> VACUUM_OPTIONS = Set.of("FULL", "ANALYZE", "VERBOSE", "FREEZE");

  /** Returns true if a token is a word, in any case. */
  public static boolean isWord(String image, String word) {
    return image.equalsIgnoreCase(word);
  }

  /** Returns true if a word before TABLE is a storage kind. */
  public static boolean isKindOfTable(String word) {
    return KINDS_OF_TABLES.contains(word.toUpperCase(Locale.ROOT));
  }

  /** Returns true if a word that is not a keyword begins a statement. */
  public static boolean beginsStatement(String word) {
    return FIRST_WORDS.contains(word.toUpperCase(Locale.ROOT));
  }

  /** Returns a statement without effect, in place of one that has no meaning in this database. */
  public static SqlNode nothing(SqlParserPos pos) {
    return SetProperty.names(pos, "UTF8");
  }

  /** Returns true if a token continues an ALTER TABLE after the name of the table. */
  public static boolean isBehindTable(String image) {
    return BEHIND_TABLE.contains(image.toUpperCase(Locale.ROOT));
  }

  /** Returns true if a word after VACUUM is an option, not a table. */
  public static boolean isVacuumOption(String word) {
    return VACUUM_OPTIONS.contains(word.toUpperCase(Locale.ROOT));
  }

  /** Returns the statement for DISCARD, which resets the session. */
  public static SqlNode discard(SqlParserPos pos, String what) {
    if (!what.equalsIgnoreCase("ALL")) {
      throw SqlSyntaxException.unsupported(
          pos, "write DISCARD ALL, or DROP TABLE for temporary tables");
    }
    return new SetProperty(pos, new SqlIdentifier("ALL", pos), List.of());
  }

  /** Returns a query of one value. */
  public static SqlNode queryOf(SqlParserPos pos, SqlNode value) {
    return new SqlSelect(
        pos,
        null,
        SqlNodeList.of(value),
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  /** Returns an INSERT of one row whose values are written beside the names of their columns. */
  public static SqlInsert insertRow(
      SqlParserPos pos, SqlIdentifier table, List<SqlNode> columns, List<SqlNode> values) {
    SqlNode row = SqlStdOperatorTable.ROW.createCall(pos, values);
    return new SqlInsert(
        pos,
        SqlNodeList.EMPTY,
        table,
        SqlStdOperatorTable.VALUES.createCall(pos, row),
        new SqlNodeList(columns, pos));
  }

  /** Returns true if two words begin ENGINE = x, DEFAULT CHARSET = x, or a similar option. */
  public static boolean isStorageOption(String first, String second) {
    String word = first.equalsIgnoreCase("DEFAULT") ? second : first;
    return STORAGE_OPTIONS.contains(word.toUpperCase(Locale.ROOT));
  }

  /** Returns true for an option of a sequence in one word, as in Oracle and MariaDB. */
  public static boolean isSequenceWord(String word) {
    return SEQUENCE_WORDS.contains(word.toUpperCase(Locale.ROOT));
  }

  /** Sets an option of a sequence that is one word; only NOCYCLE has an effect. */
  public static void sequenceWord(String word, SequenceOptions options) {
    if (isWord(word, "NOCYCLE")) {
      options.setCycle(false);
    }
  }

  /** Returns true for the user that owns all schemas of an H2 database without other users. */
  public static boolean isOnlyUser(String image) {
    return isWord(image, "SA") || isWord(image, "\"SA\"");
  }

  /** Returns true if two tokens are one bit of MySQL, {@code b'0'} or {@code b'1'}. */
  public static boolean isBit(String prefix, String digits) {
    return isWord(prefix, "B") && (digits.equals("'0'") || digits.equals("'1'"));
  }

  /** Returns the boolean value of one bit. */
  public static SqlNode bit(SqlParserPos pos, String digits) {
    return SqlLiteral.createBoolean(digits.equals("'1'"), pos);
  }

  /** Returns the elements of a table whose identity column continues with a number. */
  public static SqlNodeList startingAt(SqlNodeList elements, long next) {
    SqlNodeList changed = new SqlNodeList(elements.getParserPosition());
    for (SqlNode element : elements) {
      changed.add(
          element instanceof ColumnDefinition column && column.identity() != null
              ? column.startingAt(next)
              : element);
    }
    return changed;
  }

  /** Checks that a table has columns with types, unless a query defines them. */
  public static void tableElements(SqlIdentifier table, SqlNodeList elements, SqlNode query) {
    if (elements == null && query == null) {
      throw SqlSyntaxException.at(
          table.getParserPosition(),
          "table " + table + " has no columns; list them in parentheses after its name");
    }
    if (query != null) {
      checkQueried(elements);
      return;
    }
    for (SqlNode element : elements) {
      if (element instanceof SqlIdentifier) {
        throw SqlSyntaxException.at(
            element.getParserPosition(), "column " + element + " has no type");
      }
    }
  }

  private static void checkQueried(SqlNodeList elements) {
    boolean named = false;
    boolean typed = false;
    for (SqlNode element : elements == null ? SqlNodeList.EMPTY : elements) {
      named |= element instanceof SqlIdentifier;
      typed |= element instanceof ColumnDefinition;
      if (named && typed) {
        throw SqlSyntaxException.at(
            element.getParserPosition(), "give all columns types, or none of them");
      }
    }
  }

  /** Returns an identity column, which uses only the start and the increment of the options. */
  public static Identity identity(SqlParserPos pos, boolean always, SequenceOptions options) {
    if (Boolean.TRUE.equals(options.cycle())) {
      throw SqlSyntaxException.at(
          pos, "an identity column cannot have CYCLE; use a sequence as its DEFAULT");
    }
    long increment = options.increment() == null ? 1 : options.increment();
    Long least = increment > 0 ? options.least() : options.greatest();
    Long first = options.restart() != null ? options.restart() : options.start();
    long start = first != null ? first : least != null ? least : 1;
    return new Identity(pos, always, start, increment);
  }

  /** Checks that a token is a certain word that is not a keyword elsewhere. */
  public static void word(SqlParserPos pos, String found, String wanted) {
    if (!found.equalsIgnoreCase(wanted)) {
      throw SqlSyntaxException.at(pos, "unexpected '" + found + "'; expected " + wanted);
    }
  }

  /**
   * Returns true if a word after the expression of a generated column is a storage kind. In every
   * case the column is computed when the row is written; the difference is not observable.
   */
  public static boolean isStorage(String word) {
    return STORAGE.contains(word.toUpperCase(Locale.ROOT));
  }

  /** Returns true if a word after CREATE begins the definition of a temporary table. */
  public static boolean isTemporary(String word) {
    return TEMPORARY.contains(word.toUpperCase(Locale.ROOT));
  }

  /** Checks that ON COMMIT is used for temporary tables only. */
  public static void onCommit(SqlParserPos pos, boolean temporary) {
    if (!temporary) {
      throw SqlSyntaxException.at(pos, "ON COMMIT is for temporary tables");
    }
  }

  /** Returns true if TOP and a number begin here, rather than a column with this name. */
  public static boolean isTop(String first, String second, String third) {
    return isWord(first, "TOP") && isCount(second.equals("(") ? third : second);
  }

  private static boolean isCount(String image) {
    return image.equals("?") || !image.isEmpty() && image.chars().allMatch(Character::isDigit);
  }

  /** Returns the condition of an UPDATE or DELETE with ORDER BY and LIMIT. */
  public static SqlNode chosenRows(
      SqlParserPos pos,
      SqlIdentifier table,
      SqlIdentifier alias,
      SqlNode condition,
      SqlNodeList order,
      SqlNode count,
      SqlNode other) {
    if (other != null) {
      throw SqlSyntaxException.unsupported(
          pos, "LIMIT chooses rows of one table; name them: WHERE id IN (SELECT ... LIMIT ...)");
    }
    return count == null
        ? condition // without LIMIT all rows are changed, in any order
        : ChosenRows.condition(pos, table, alias, condition, order, count);
  }

  /**
   * Returns the changes of ALTER TABLE MODIFY: everything that is not given is as in a new column.
   */
  public static List<TableChange> modified(SqlParserPos pos, ColumnDefinition column) {
    if (column.identity() != null
        || column.generation() != null
        || !column.constraints().isEmpty()) {
      throw SqlSyntaxException.unsupported(
          pos, "MODIFY and CHANGE take a type, NOT NULL and DEFAULT; use ALTER COLUMN for others");
    }
    SqlIdentifier name = column.name();
    SqlNode value = column.defaultValue();
    return List.of(
        new AlterColumn(pos, name, AlterColumn.Action.SET_TYPE, column.type(), null),
        new AlterColumn(
            pos,
            name,
            column.isNotNull() ? AlterColumn.Action.SET_NOT_NULL : AlterColumn.Action.DROP_NOT_NULL,
            null,
            null),
        new AlterColumn(
            pos,
            name,
            value == null ? AlterColumn.Action.DROP_DEFAULT : AlterColumn.Action.SET_DEFAULT,
            null,
            value));
  }

  /** Returns true for the keyword CONCURRENTLY, which may also be the name of an index. */
  public static boolean isConcurrently(String word, String next) {
    return word.equalsIgnoreCase("CONCURRENTLY") && !next.equalsIgnoreCase("ON");
  }

  /** Checks that a generated column is ALWAYS. */
  public static void generated(SqlParserPos pos, boolean always) {
    if (!always) {
      throw SqlSyntaxException.at(
          pos, "BY DEFAULT AS is for IDENTITY; write GENERATED ALWAYS AS (...), or DEFAULT");
    }
  }

  /** Returns the value of an integer literal with its sign. */
  public static long parseLong(SqlParserPos pos, boolean negative, String digits) {
    BigInteger value = new BigInteger(digits);
    value = negative ? value.negate() : value;
    if (value.bitLength() > 63) {
      throw SqlSyntaxException.at(pos, "the number " + value + " is out of the range of BIGINT");
    }
    return value.longValue();
  }

  /** Adds the individual assignments of {@code SET (a, b) = (1, 2)} or {@code = (SELECT ...)}. */
  public static void assignRow(
      List<SqlNode> targets, SqlNodeList row, List<SqlNode> columns, List<SqlNode> values) {
    columns.addAll(targets);
    if (row.size() == targets.size()) {
      row.forEach(values::add);
      return;
    }
    List<SqlNode> items =
        row.size() == 1 && row.get(0) instanceof SqlSelect select ? select.getSelectList() : row;
    if (items.size() != targets.size()) {
      throw SqlSyntaxException.at(
          row.getParserPosition(),
          "SET gives " + targets.size() + " columns " + items.size() + " values");
    }
    for (int i = 0; i < targets.size(); i++) {
      SqlSelect one = (SqlSelect) row.get(0).accept(new CopyingShuttle());
      one.setSelectList(SqlNodeList.of(one.getSelectList().get(i)));
      values.add(one);
    }
  }

  /** Checks that matching rows are updated or deleted, and others are inserted. */
  public static void mergeAction(SqlParserPos pos, boolean matched, MergeClause.Action action) {
    boolean inserts = action == MergeClause.Action.INSERT;
    if (action != MergeClause.Action.NOTHING && matched == inserts) {
      throw SqlSyntaxException.at(
          pos,
          matched
              ? "WHEN MATCHED takes UPDATE, DELETE or DO NOTHING, not INSERT"
              : "WHEN NOT MATCHED takes INSERT or DO NOTHING, not " + action);
    }
  }
}
