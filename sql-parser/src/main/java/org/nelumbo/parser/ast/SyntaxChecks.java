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

/** Checks that the grammar cannot say in productions; called from its actions. */
public final class SyntaxChecks {
  private static final Set<String> STORAGE = Set.of("STORED", "VIRTUAL", "PERSISTENT", "PERSISTED");

  private static final Set<String> TEMPORARY = Set.of("LOCAL", "GLOBAL", "TEMPORARY", "TEMP");

  /** Where and how MySQL keeps a table; without meaning here. */
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

  /** Options of sequences in one word, as Oracle and MariaDB write them. */
  private static final Set<String> SEQUENCE_WORDS =
      Set.of("NOCACHE", "NOCYCLE", "NOMINVALUE", "NOMAXVALUE", "NOORDER");

  private SyntaxChecks() {}

  /** Words that say where and how a table is kept; without meaning here. */
  private static final Set<String> KINDS_OF_TABLES = Set.of("UNLOGGED", "CACHED", "MEMORY");

  /** First words of statements that are no keywords. */
  private static final Set<String> FIRST_WORDS = Set.of("USE", "DISCARD", "VACUUM", "REINDEX");

  private static final Set<String> BEHIND_TABLE = Set.of(".", "ADD", "ALTER", "DROP", "RENAME");

  private static final Set<String> VACUUM_OPTIONS = Set.of("FULL", "ANALYZE", "VERBOSE", "FREEZE");

  /** Whether a token is a word, however it is written. */
  public static boolean isWord(String image, String word) {
    return image.equalsIgnoreCase(word);
  }

  /** Whether a word before TABLE says how it is kept. */
  public static boolean isKindOfTable(String word) {
    return KINDS_OF_TABLES.contains(word.toUpperCase(Locale.ROOT));
  }

  /** Whether a word that is no keyword begins a statement. */
  public static boolean beginsStatement(String word) {
    return FIRST_WORDS.contains(word.toUpperCase(Locale.ROOT));
  }

  /** Returns a statement that changes nothing, for one that says nothing to this database. */
  public static SqlNode nothing(SqlParserPos pos) {
    return SetProperty.names(pos, "UTF8");
  }

  /** Whether a token goes on an ALTER TABLE behind the name of the table. */
  public static boolean isBehindTable(String image) {
    return BEHIND_TABLE.contains(image.toUpperCase(Locale.ROOT));
  }

  /** Whether a word behind VACUUM is no table. */
  public static boolean isVacuumOption(String word) {
    return VACUUM_OPTIONS.contains(word.toUpperCase(Locale.ROOT));
  }

  /** DISCARD: the session is as a new one. */
  public static SqlNode discard(SqlParserPos pos, String what) {
    if (!what.equalsIgnoreCase("ALL")) {
      throw SqlSyntaxException.unsupported(
          pos, "write DISCARD ALL, or DROP TABLE for temporary tables");
    }
    return new SetProperty(pos, new SqlIdentifier("ALL", pos), List.of());
  }

  /** A query of one value. */
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

  /** An INSERT of one row whose values stand beside the names of their columns. */
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

  /** Whether two words begin ENGINE = x, DEFAULT CHARSET = x, and the like. */
  public static boolean isStorageOption(String first, String second) {
    String word = first.equalsIgnoreCase("DEFAULT") ? second : first;
    return STORAGE_OPTIONS.contains(word.toUpperCase(Locale.ROOT));
  }

  /** Returns true for an option of a sequence that Oracle and MariaDB write as one word. */
  public static boolean isSequenceWord(String word) {
    return SEQUENCE_WORDS.contains(word.toUpperCase(Locale.ROOT));
  }

  /** Sets an option of a sequence that is one word; only NOCYCLE has a meaning. */
  public static void sequenceWord(String word, SequenceOptions options) {
    if (isWord(word, "NOCYCLE")) {
      options.setCycle(false);
    }
  }

  /** Returns true for the user that owns all schemas of an H2 database without other users. */
  public static boolean isOnlyUser(String image) {
    return isWord(image, "SA") || isWord(image, "\"SA\"");
  }

  /** Returns true if two tokens are one bit as MySQL writes it, {@code b'0'} or {@code b'1'}. */
  public static boolean isBit(String prefix, String digits) {
    return isWord(prefix, "B") && (digits.equals("'0'") || digits.equals("'1'"));
  }

  /** Returns the truth value of one bit. */
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

  /** A table needs columns with types, unless a query gives them. */
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

  /** The columns of a query have types all, or none. */
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

  /** An identity column; it knows only where it starts, and the increment. */
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

  /** A word that is no keyword elsewhere. */
  public static void word(SqlParserPos pos, String found, String wanted) {
    if (!found.equalsIgnoreCase(wanted)) {
      throw SqlSyntaxException.at(pos, "unexpected '" + found + "'; expected " + wanted);
    }
  }

  /**
   * Whether a word after the expression of a generated column says when it is computed. It is when
   * a row is written, whatever is said: nobody can tell the difference.
   */
  public static boolean isStorage(String word) {
    return STORAGE.contains(word.toUpperCase(Locale.ROOT));
  }

  /** Whether a word after CREATE begins the definition of a temporary table. */
  public static boolean isTemporary(String word) {
    return TEMPORARY.contains(word.toUpperCase(Locale.ROOT));
  }

  /** Only temporary tables end with a transaction. */
  public static void onCommit(SqlParserPos pos, boolean temporary) {
    if (!temporary) {
      throw SqlSyntaxException.at(pos, "ON COMMIT is for temporary tables");
    }
  }

  /** Whether TOP and a number begin here, and not a column of that name. */
  public static boolean isTop(String first, String second, String third) {
    return isWord(first, "TOP") && isCount(second.equals("(") ? third : second);
  }

  private static boolean isCount(String image) {
    return image.equals("?") || !image.isEmpty() && image.chars().allMatch(Character::isDigit);
  }

  /** The condition of UPDATE or DELETE with ORDER BY and LIMIT. */
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
        ? condition // whatever the order, all of the rows are changed
        : ChosenRows.condition(pos, table, alias, condition, order, count);
  }

  /** What ALTER TABLE MODIFY makes of a column: all that is not said is as in a new one. */
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

  /** Whether CONCURRENTLY is said, which may also be the name of an index. */
  public static boolean isConcurrently(String word, String next) {
    return word.equalsIgnoreCase("CONCURRENTLY") && !next.equalsIgnoreCase("ON");
  }

  /** Only ALWAYS computes a column. */
  public static void generated(SqlParserPos pos, boolean always) {
    if (!always) {
      throw SqlSyntaxException.at(
          pos, "BY DEFAULT AS is for IDENTITY; write GENERATED ALWAYS AS (...), or DEFAULT");
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

  /** The assignments that {@code SET (a, b) = (1, 2)} or {@code = (SELECT ...)} stands for. */
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

  /** Rows that match are updated or deleted, others inserted. */
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
