package org.nelumbo.planner.plain;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.prepare.Prepare.PreparingTable;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.schema.CatalogTable;
import org.nelumbo.planner.schema.NelumboCatalogReader;

/** The tables of a FROM that only names tables, and the resolution of column names. */
final class PlainTables {
  /** Maximum number of tables; queries over more tables are left to Calcite. */
  private static final int MOST_TABLES = 64;

  /**
   * A table in FROM.
   *
   * @param alias qualifier of its columns
   * @param first position of its first column in a row of all tables
   * @param condition condition of its join to the tables before it; null if there is none
   */
  record Source(
      String alias, CatalogTable table, List<String> qualifiedName, int first, SqlNode condition) {
    RelDataType rowType() {
      return table.rowType();
    }

    int end() {
      return first + rowType().getFieldCount();
    }
  }

  private final NelumboCatalogReader reader;
  private final List<Source> sources = new ArrayList<>();

  private int width;

  private PlainTables(NelumboCatalogReader reader) {
    this.reader = reader;
  }

  /** Returns the tables of FROM, or null if it contains anything else. */
  static PlainTables of(SqlNode from, NelumboCatalogReader reader) {
    PlainTables tables = new PlainTables(reader);
    return from == null || tables.add(from, null) ? tables : null;
  }

  /** Returns the table of a change, or null if it is not supported. */
  static PlainTables of(
      SqlIdentifier name, SqlIdentifier aliasOrNull, NelumboCatalogReader reader) {
    PlainTables tables = new PlainTables(reader);
    String alias = aliasOrNull == null ? name.names.getLast() : aliasOrNull.getSimple();
    return tables.add(name, alias, null) ? tables : null;
  }

  private boolean add(SqlNode from, SqlNode condition) {
    return switch (from) {
      case SqlIdentifier name -> add(name, name.names.getLast(), condition);
      case SqlJoin join -> condition == null && add(join);
      case SqlCall call
          when call.getKind() == SqlKind.AS
              && call.operandCount() == 2
              && call.operand(0) instanceof SqlIdentifier name ->
          add(name, ((SqlIdentifier) call.operand(1)).getSimple(), condition);
      default -> false;
    };
  }

  private boolean add(SqlJoin join) {
    boolean isPlain =
        switch (join.getJoinType()) {
          case COMMA, CROSS -> join.getConditionType() == JoinConditionType.NONE;
          case INNER -> join.getConditionType() == JoinConditionType.ON;
          default -> false;
        };
    return isPlain
        && !join.isNatural()
        && !(join.getRight() instanceof SqlJoin)
        && add(join.getLeft(), null)
        && add(join.getRight(), join.getCondition());
  }

  private boolean add(SqlIdentifier name, String alias, SqlNode condition) {
    PreparingTable found = reader.getTable(name.names);
    CatalogTable table = found == null ? null : found.unwrap(CatalogTable.class);
    boolean plain =
        table != null
            && table.relation() instanceof TableEntry
            && sources.size() < MOST_TABLES
            && sources.stream().noneMatch(each -> each.alias.equals(alias));
    if (plain) {
      sources.add(new Source(alias, table, found.getQualifiedName(), width, condition));
      width += table.rowType().getFieldCount();
    }
    return plain;
  }

  List<Source> sources() {
    return sources;
  }

  /** Returns true if rows may be duplicates because a table has no key. */
  boolean mayRepeatRows() {
    return sources.stream().anyMatch(each -> each.table.keys().isEmpty());
  }

  /** Returns the number of columns in a row of all tables. */
  int width() {
    return width;
  }

  /**
   * Returns the position of the column with a name, or -1 if the name is not supported or unknown.
   */
  int column(SqlIdentifier name) {
    if (name.isStar() || name.names.size() > 2) {
      return -1;
    }
    String column = name.names.getLast();
    String alias = name.names.size() == 2 ? name.names.getFirst() : null;
    int found = -1;
    for (Source each : sources) {
      if (alias == null || each.alias.equals(alias)) {
        RelDataTypeField field = each.rowType().getField(column, true, false);
        if (field != null && found >= 0) {
          return -1; // ambiguous
        } else if (field != null) {
          found = each.first + field.getIndex();
        }
      }
    }
    return found;
  }

  /** Returns the table of a column. */
  Source sourceOf(int column) {
    Source found = sources.getFirst();
    for (Source each : sources) {
      found = each.first <= column ? each : found;
    }
    return found;
  }

  RelDataTypeField field(int column) {
    Source source = sourceOf(column);
    return source.rowType().getFieldList().get(column - source.first);
  }

  /** Returns the ordinal of an assigned column, or -1 if it is unknown or qualified. */
  static int column(CatalogTable table, SqlNode name) {
    if (!(name instanceof SqlIdentifier id) || !id.isSimple()) {
      return -1;
    }
    RelDataTypeField field = table.rowType().getField(id.getSimple(), true, false);
    return field == null ? -1 : field.getIndex();
  }

  /** Returns the table that qualifies a star, or null if there is none. */
  Source named(String alias) {
    return sources.stream().filter(each -> each.alias.equals(alias)).findFirst().orElse(null);
  }
}
