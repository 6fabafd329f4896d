package org.nelumbo.jdbc.result;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.nelumbo.database.Database;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.jdbc.value.SqlExceptions;
import org.nelumbo.parser.TableQuery;
import org.nelumbo.planner.catalog.TableInfo;
import org.nelumbo.session.ResultColumn;

/**
 * Changes of rows through a result set: the new values set so far, and the statements that write
 * them. A row is identified by its primary key, so the query must select it. Used by one thread at
 * a time.
 */
final class RowChanges {
  private final Connection connection;
  private final String table;

  /** The quoted column name in the table for each column of the result; null for an expression. */
  private final String[] names;

  private final int[] keys;

  private final Object[] values;
  private final boolean[] given;
  private boolean inserting;

  private RowChanges(Connection connection, String table, String[] names, int[] keys) {
    this.connection = connection;
    this.table = table;
    this.names = names;
    this.keys = keys;
    this.values = new Object[names.length];
    this.given = new boolean[names.length];
  }

  /** A result with access to its raw values. */
  interface RawRows {
    /** Returns the raw values of all remaining rows. */
    List<Object[]> rawRows();
  }

  /** Values of the current row by column index from 0. */
  interface CurrentRow {
    Object value(int column) throws SQLException;
  }

  /**
   * Creates the changes for the rows of a query.
   *
   * @throws SQLException 0A000 if its rows cannot be changed
   */
  static RowChanges of(Connection connection, String sql, List<ResultColumn> columns)
      throws SQLException {
    TableInfo table = table(connection, sql, columns);
    if (table == null) {
      throw refused("the query has to read one table, without joins, grouping and DISTINCT");
    }
    String[] names = new String[columns.size()];
    List<Integer> keys = new ArrayList<>();
    for (int i = 0; i < names.length; i++) {
      ResultColumn column = columns.get(i);
      if (isOf(column, table)) {
        names[i] = quoted(column.name());
      }
    }
    for (String key : table.primaryKey()) {
      int column = Arrays.asList(names).indexOf(quoted(key));
      if (column < 0) {
        throw refused("column " + key + " of the primary key has to be selected, too");
      }
      keys.add(column);
    }
    if (keys.isEmpty()) {
      throw refused("the table has no primary key");
    }
    return new RowChanges(
        connection,
        quoted(table.schema()) + "." + quoted(table.name()),
        names,
        keys.stream().mapToInt(Integer::intValue).toArray());
  }

  /** Returns null if the rows do not identify rows of one table. */
  private static TableInfo table(Connection connection, String sql, List<ResultColumn> columns)
      throws SQLException {
    List<String> name = TableQuery.tableOf(sql);
    if (name == null) {
      return null;
    }
    String schema = name.size() > 1 ? name.get(name.size() - 2) : connection.getSchema();
    TableInfo table = connection.unwrap(Database.class).catalog().table(schema, name.getLast());
    boolean shown = table != null && columns.stream().anyMatch(column -> isOf(column, table));
    return shown && table.type().equals("TABLE") ? table : null;
  }

  private static boolean isOf(ResultColumn column, TableInfo table) {
    return column.table().equals(table.name()) && column.schema().equals(table.schema());
  }

  private static SQLException refused(String why) {
    return SqlExceptions.of(
        ErrorCode.UNSUPPORTED, "changing rows through this result set is not supported: " + why);
  }

  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /** Stores a new value of a column, numbered from 0. */
  void set(int column, Object value) throws SQLException {
    if (column < 0 || column >= names.length) {
      throw SqlExceptions.of(
          ErrorCode.BAD_INDEX,
          "there is no column " + (column + 1) + "; the result has " + names.length);
    }
    if (names[column] == null) {
      throw refused("column " + (column + 1) + " is an expression");
    }
    values[column] = value;
    given[column] = true;
  }

  /** Discards the new values. */
  void clear() {
    Arrays.fill(values, null);
    Arrays.fill(given, false);
  }

  /** Returns true if the new values belong to the insert row. */
  boolean inserting() {
    return inserting;
  }

  void setInserting(boolean on) {
    inserting = on;
    clear();
  }

  private List<Integer> givenColumns() {
    List<Integer> columns = new ArrayList<>();
    for (int i = 0; i < given.length; i++) {
      if (given[i]) {
        columns.add(i);
      }
    }
    return columns;
  }

  private String list(List<Integer> columns, String after, String between) {
    return String.join(between, columns.stream().map(i -> names[i] + after).toList());
  }

  private String whereKey() {
    return " WHERE " + list(Arrays.stream(keys).boxed().toList(), " = ?", " AND ");
  }

  private List<Integer> shown() {
    List<Integer> columns = new ArrayList<>();
    for (int i = 0; i < names.length; i++) {
      if (names[i] != null) {
        columns.add(i);
      }
    }
    return columns;
  }

  private String returning() {
    return " RETURNING " + list(shown(), "", ", ");
  }

  /**
   * Writes the new values into the current row.
   *
   * @return the raw values of the row after the update; null for expressions
   */
  Object[] update(CurrentRow row) throws SQLException {
    List<Integer> columns = givenColumns();
    if (columns.isEmpty()) {
      return read(row);
    }
    String sql = "UPDATE " + table + " SET " + list(columns, " = ?", ", ") + whereKey();
    try (PreparedStatement statement = connection.prepareStatement(sql + returning())) {
      setKey(statement, setGiven(statement, columns), row);
      return only(statement);
    }
  }

  /** Inserts a row with the new values; returns its raw values like {@link #update}. */
  Object[] insert() throws SQLException {
    List<Integer> columns = givenColumns();
    String what =
        columns.isEmpty()
            ? " DEFAULT VALUES"
            : " ("
                + list(columns, "", ", ")
                + ") VALUES ("
                + "?, ".repeat(columns.size() - 1)
                + "?)";
    String sql = "INSERT INTO " + table + what + returning();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      setGiven(statement, columns);
      return only(statement);
    }
  }

  /** Reads the current row from the table; returns its raw values like {@link #update}. */
  Object[] read(CurrentRow row) throws SQLException {
    String sql = "SELECT " + list(shown(), "", ", ") + " FROM " + table + whereKey();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      setKey(statement, 1, row);
      return only(statement);
    }
  }

  void delete(CurrentRow row) throws SQLException {
    String sql = "DELETE FROM " + table + whereKey();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      setKey(statement, 1, row);
      if (statement.executeUpdate() == 0) {
        throw gone();
      }
    }
  }

  private int setGiven(PreparedStatement statement, List<Integer> columns) throws SQLException {
    int next = 1;
    for (int column : columns) {
      statement.setObject(next++, values[column]);
    }
    return next;
  }

  private void setKey(PreparedStatement statement, int first, CurrentRow row) throws SQLException {
    int next = first;
    for (int key : keys) {
      statement.setObject(next++, row.value(key));
    }
  }

  private Object[] only(PreparedStatement statement) throws SQLException {
    try (ResultSet result = statement.executeQuery()) {
      List<Object[]> rows = ((RawRows) result).rawRows();
      if (rows.isEmpty()) {
        throw gone();
      }
      Object[] row = new Object[names.length];
      int next = 0;
      for (int column : shown()) {
        row[column] = rows.getFirst()[next++];
      }
      return row;
    }
  }

  /** Copies the values of expressions, which were not read again. */
  void keepExpressions(Object[] from, Object[] to) {
    for (int i = 0; i < names.length; i++) {
      if (names[i] == null) {
        to[i] = from[i];
      }
    }
  }

  private static SQLException gone() {
    return SqlExceptions.of(
        ErrorCode.INVALID_CURSOR, "the row no longer exists, or its key has changed");
  }
}
