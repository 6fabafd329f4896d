package org.nelumbo.planner.frontend;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.prepare.Prepare.PreparingTable;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.util.SqlShuttle;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.parser.SqlParsing;
import org.nelumbo.parser.ast.ChosenRows;
import org.nelumbo.parser.ast.InsertDefaults;
import org.nelumbo.parser.ast.OverridingInsert;
import org.nelumbo.planner.catalog.ViewEntry;
import org.nelumbo.planner.schema.CatalogView;
import org.nelumbo.planner.schema.NelumboCatalogReader;
import org.nelumbo.planner.type.SqlErrors;

/**
 * A view that is the target of a change. If its query reads columns of one table, with or without a
 * condition, the change is rewritten as one of that table: columns get their names in the table,
 * and UPDATE and DELETE are restricted to the rows of the view. All other views are not updatable.
 */
final class ChangedView {
  private final ViewEntry view;
  private final SqlIdentifier place;

  private final SqlIdentifier table;

  /** Names of the view's columns, and their names in the table. */
  private final Map<String, String> columns = new LinkedHashMap<>();

  private final SqlNode condition;

  private ChangedView(ViewEntry view, SqlIdentifier place) {
    this.view = view;
    this.place = place;
    SqlNode query = SqlParsing.parseStatement(view.text());
    if (!(query instanceof SqlSelect select) || !isPlain(select)) {
      throw refused("its query does more than read rows of one table");
    }
    this.table = source(select.getFrom());
    for (int i = 0; i < view.columns().size(); i++) {
      SqlNode item = select.getSelectList().get(i);
      SqlNode plain = item.getKind() == SqlKind.AS ? ((SqlCall) item).operand(0) : item;
      if (!(plain instanceof SqlIdentifier column)
          || columns.containsValue(column.names.getLast())) {
        throw refused(
            "its column " + view.columns().get(i).name() + " is computed, or occurs twice");
      }
      columns.put(view.columns().get(i).name(), column.names.getLast());
    }
    this.condition = select.getWhere();
    if (condition != null && hasQuery(condition)) {
      throw refused("its WHERE has a subquery");
    }
  }

  /** Rewrites a change of a view as a change of its table; returns other statements unchanged. */
  static SqlNode resolve(SqlNode change, NelumboCatalogReader reader) {
    SqlNode resolved = change;
    for (ChangedView target; (target = of(resolved, reader)) != null; ) {
      resolved = target.rewritten(resolved, reader);
    }
    return resolved;
  }

  /**
   * Rewrites the RETURNING clause of a change of a view in terms of its table.
   *
   * @param change the original statement
   */
  static SqlNodeList resolve(SqlNodeList returned, SqlNode change, NelumboCatalogReader reader) {
    SqlNodeList items = returned;
    SqlNode resolved = change;
    for (ChangedView target; (target = of(resolved, reader)) != null; ) {
      items = target.returned(items);
      resolved = target.rewritten(resolved, reader);
    }
    return items;
  }

  /** Returns null if the target is a table, or for another kind of change. */
  private static ChangedView of(SqlNode change, NelumboCatalogReader reader) {
    SqlNode name =
        switch (change) {
          case SqlInsert insert -> insert.getTargetTable();
          case SqlUpdate update -> update.getTargetTable();
          case SqlDelete delete -> delete.getTargetTable();
          case InsertDefaults insert -> insert.table();
          default -> null;
        };
    if (!(name instanceof SqlIdentifier target)) {
      return null;
    }
    PreparingTable found = reader.getTable(target.names);
    CatalogView view = found == null ? null : found.unwrap(CatalogView.class);
    return view == null ? null : new ChangedView(view.view(), target);
  }

  private NelumboException refused(String why) {
    return SqlErrors.at(
        ErrorCode.UNSUPPORTED,
        "view " + view.name() + " cannot be changed: " + why + "; change the tables it reads",
        place.getParserPosition());
  }

  private static boolean isPlain(SqlSelect select) {
    return !select.isDistinct()
        && select.getGroup() == null
        && select.getHaving() == null
        && select.getQualify() == null
        && select.getFetch() == null
        && select.getOffset() == null
        && (select.getWindowList() == null || select.getWindowList().isEmpty())
        && select.getFrom() != null;
  }

  private SqlIdentifier source(SqlNode from) {
    SqlNode named = from.getKind() == SqlKind.AS ? ((SqlCall) from).operand(0) : from;
    boolean renamed = from.getKind() == SqlKind.AS && ((SqlCall) from).operandCount() > 2;
    if (!(named instanceof SqlIdentifier name) || renamed) {
      throw refused("its query does more than read rows of one table");
    }
    List<String> names = name.isSimple() ? List.of(view.path(), name.getSimple()) : name.names;
    return new SqlIdentifier(names, place.getParserPosition());
  }

  private static boolean hasQuery(SqlNode expression) {
    boolean[] found = {false};
    expression.accept(
        new SqlBasicVisitor<Void>() {
          @Override
          public Void visit(SqlCall call) {
            found[0] |= call.isA(SqlKind.QUERY);
            return super.visit(call);
          }
        });
    return found[0];
  }

  private SqlNode rewritten(SqlNode change, NelumboCatalogReader reader) {
    SqlParserPos pos = change.getParserPosition();
    return switch (change) {
      case SqlInsert insert ->
          new OverridingInsert(
              pos,
              SqlNodeList.EMPTY,
              table,
              insert.getSource(),
              named(insert.getTargetColumnList()),
              OverridingInsert.overriding(insert));
      case SqlUpdate update -> {
        SqlIdentifier alias = called(update.getAlias());
        Names names = new Names(alias.getSimple(), hidden(reader));
        yield new SqlUpdate(
            pos,
            table,
            named(update.getTargetColumnList()),
            (SqlNodeList) update.getSourceExpressionList().accept(names),
            rows(update.getCondition(), names, alias.getSimple()),
            null,
            alias);
      }
      case SqlDelete delete -> {
        SqlIdentifier alias = called(delete.getAlias());
        Names names = new Names(alias.getSimple(), hidden(reader));
        yield new SqlDelete(
            pos, table, rows(delete.getCondition(), names, alias.getSimple()), null, alias);
      }
      case InsertDefaults _ -> new InsertDefaults(pos, table);
      default -> throw new IllegalStateException("not a change of a view: " + change.getKind());
    };
  }

  private SqlIdentifier called(SqlIdentifier aliasOrNull) {
    return aliasOrNull != null
        ? aliasOrNull
        : new SqlIdentifier(view.name(), place.getParserPosition());
  }

  private Set<String> hidden(NelumboCatalogReader reader) {
    PreparingTable found = reader.getTable(table.names);
    Set<String> hidden =
        found == null ? new TreeSet<>() : new TreeSet<>(found.getRowType().getFieldNames());
    hidden.removeAll(columns.keySet());
    return hidden;
  }

  private SqlNodeList named(SqlNodeList written) {
    SqlNodeList list =
        new SqlNodeList(written == null ? place.getParserPosition() : written.getParserPosition());
    if (written == null) {
      columns.values().forEach(name -> list.add(new SqlIdentifier(name, list.getParserPosition())));
      return list;
    }
    for (SqlNode each : written) {
      SqlIdentifier column = (SqlIdentifier) each;
      String name = columns.get(column.names.getLast());
      if (name == null) {
        throw noColumn(column);
      }
      list.add(new SqlIdentifier(name, column.getParserPosition()));
    }
    return list;
  }

  private NelumboException noColumn(SqlIdentifier column) {
    return SqlErrors.at(
        ErrorCode.NO_SUCH_COLUMN,
        "Column '" + column + "' not found in view '" + view.name() + "'",
        column.getParserPosition());
  }

  private SqlNode rows(SqlNode wanted, Names names, String alias) {
    SqlNode own =
        condition == null
            ? null
            : condition.accept(
                new SqlShuttle() {
                  @Override
                  public SqlNode visit(SqlIdentifier name) {
                    return new SqlIdentifier(
                        List.of(alias, name.names.getLast()), place.getParserPosition());
                  }
                });
    if (ChosenRows.isChosen(wanted)) {
      throw refused("LIMIT chooses rows of tables");
    }
    SqlNode others = wanted == null ? null : wanted.accept(names);
    if (own == null || others == null) {
      return own == null ? others : own;
    }
    return SqlStdOperatorTable.AND.createCall(wanted.getParserPosition(), own, others);
  }

  private SqlNodeList returned(SqlNodeList items) {
    Names names = new Names(null, Set.of());
    List<SqlNode> shown = new ArrayList<>();
    for (SqlNode item : items) {
      if (item instanceof SqlIdentifier name && name.isStar()) {
        columns.forEach((own, other) -> shown.add(as(other, own, item.getParserPosition())));
      } else if (item instanceof SqlIdentifier name) {
        SqlIdentifier column = (SqlIdentifier) name.accept(names);
        shown.add(as(column.names.getLast(), name.names.getLast(), item.getParserPosition()));
      } else {
        shown.add(item.accept(names));
      }
    }
    return new SqlNodeList(shown, items.getParserPosition());
  }

  private static SqlNode as(String column, String label, SqlParserPos pos) {
    return SqlStdOperatorTable.AS.createCall(
        pos, new SqlIdentifier(column, pos), new SqlIdentifier(label, pos));
  }

  private final class Names extends SqlShuttle {
    /** Null if columns are not qualified. */
    private final String alias;

    private final Set<String> hidden;

    Names(String alias, Set<String> hidden) {
      this.alias = alias;
      this.hidden = hidden;
    }

    @Override
    public SqlNode visit(SqlCall call) {
      if (call.isA(SqlKind.QUERY)) {
        boolean same = columns.entrySet().stream().allMatch(e -> e.getKey().equals(e.getValue()));
        if (!same) {
          throw refused("its columns have other names than those of the table");
        }
        return call; // its names have the same meaning as beside the view
      }
      if (call instanceof SqlBasicCall && call.getKind() == SqlKind.AS) {
        SqlBasicCall named = (SqlBasicCall) call.clone(call.getParserPosition());
        named.setOperand(0, named.operand(0).accept(this));
        return named;
      }
      return super.visit(call);
    }

    @Override
    public SqlNode visit(SqlIdentifier name) {
      String column = name.names.getLast();
      String own = columns.get(column);
      boolean ofView =
          name.isSimple() || alias == null || name.names.get(name.names.size() - 2).equals(alias);
      if (!ofView || name.isStar()) {
        return name;
      } else if (own == null) {
        if (hidden.contains(column)) {
          throw noColumn(name);
        }
        return name;
      }
      return new SqlIdentifier(
          alias == null ? List.of(own) : List.of(alias, own), name.getParserPosition());
    }
  }
}
