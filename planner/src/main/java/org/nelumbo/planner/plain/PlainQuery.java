package org.nelumbo.planner.plain;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.logical.LogicalSort;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rel.type.RelDataTypeFieldImpl;
import org.apache.calcite.rel.type.RelRecordType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.util.ImmutableNullableList;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.convert.ConvertedStatement;
import org.nelumbo.planner.schema.CatalogTable;
import org.nelumbo.planner.schema.NelumboCatalogReader;
import org.nelumbo.planner.validate.DerivedColumnNames;
import org.nelumbo.planner.validate.ParameterTypes;

/**
 * The fast path for simple queries: over tables that FROM names, without subqueries, and with
 * {@link PlainExpressions} only. The relational tree is built from the syntax tree without
 * Calcite's validator and converter, which take several times as long. The tree is the same. If
 * that is not certain, or if the query has an error, no tree is returned and Calcite handles the
 * query.
 */
public final class PlainQuery {
  private final RexBuilder rex;
  private final PlainTables tables;
  private final PlainExpressions expressions;
  private final PlainParameters parameters;
  private final List<RexNode> columns = new ArrayList<>();
  private final List<String> names = new ArrayList<>();
  private final List<List<String>> origins = new ArrayList<>();

  private PlainQuery(RexBuilder rex, PlainTables tables, ParameterTypes types) {
    this.rex = rex;
    this.tables = tables;
    this.parameters = new PlainParameters(types);
    this.expressions = new PlainExpressions(tables, rex, parameters);
  }

  /** Creates the cluster that the nodes of a relational tree share. */
  @FunctionalInterface
  public interface Clusters {
    RelOptCluster create(RexBuilder rex);
  }

  /** The clauses of a query. */
  private record Clauses(SqlSelect select, SqlNodeList order, PlainTables tables) {
    /** Returns null if a clause is not supported. */
    static Clauses of(SqlNode statement, NelumboCatalogReader reader) {
      SqlNode query = statement;
      SqlNodeList order = SqlNodeList.EMPTY;
      if (statement instanceof SqlOrderBy ordered
          && ordered.offset == null
          && ordered.fetch == null) {
        query = ordered.query;
        order = ordered.orderList;
      }
      if (!(query instanceof SqlSelect select) || !isPlain(select)) {
        return null;
      }
      PlainTables tables = PlainTables.of(select.getFrom(), reader);
      return tables == null ? null : new Clauses(select, order, tables);
    }

    boolean groups() {
      return select.getGroup() != null
          || select.getHaving() != null
          || PlainAggregates.areIn(select.getSelectList());
    }

    boolean areOfOneTable() {
      return tables.sources().size() == 1 && !select.isDistinct() && !groups();
    }
  }

  /**
   * Converts a query of one table without groups. The syntax tree is not changed.
   *
   * @param parameters receives the types of the query's parameters
   * @param parameterCount number of parameters of the statement
   * @return null if the query is not supported
   */
  public static TableQuery convertTable(
      SqlNode statement,
      NelumboCatalogReader reader,
      RexBuilder rex,
      ParameterTypes parameters,
      int parameterCount) {
    Clauses clauses = Clauses.of(statement, reader);
    if (clauses == null || !clauses.areOfOneTable()) {
      return null;
    }
    PlainQuery plain = new PlainQuery(rex, clauses.tables, parameters);
    RexNode condition = plain.expressions.where(clauses.select.getWhere());
    if (condition == null || !plain.list(clauses.select.getSelectList(), false)) {
      return null;
    }
    RelCollation collation = plain.collation(clauses.order);
    if (collation == null || !plain.parameters.record(rex.getTypeFactory(), parameterCount)) {
      return null;
    }
    PlainTables.Source source = clauses.tables.sources().getFirst();
    return new TableQuery(
        (TableEntry) source.table().unwrap(CatalogTable.class).relation(),
        condition,
        plain.columns,
        collation,
        plain.fields(),
        plain.origins,
        parameters.toList(parameterCount));
  }

  /**
   * Converts a query to a relational tree. The syntax tree is not changed.
   *
   * @param parameters receives the types of the query's parameters
   * @param parameterCount number of parameters of the statement
   * @return null if the query is not supported
   */
  public static ConvertedStatement convert(
      SqlNode statement,
      NelumboCatalogReader reader,
      RexBuilder rex,
      Clusters clusters,
      ParameterTypes parameters,
      int parameterCount) {
    Clauses clauses = Clauses.of(statement, reader);
    if (clauses == null) {
      return null;
    }
    PlainQuery plain = new PlainQuery(rex, clauses.tables, parameters);
    RelRoot root = plain.root(clauses, clusters);
    if (root == null || !plain.parameters.record(rex.getTypeFactory(), parameterCount)) {
      return null;
    }
    return new ConvertedStatement(
        root,
        parameters.toList(parameterCount),
        ImmutableNullableList.copyOf(plain.origins),
        root.validatedRowType,
        List.of(),
        false);
  }

  private static boolean isPlain(SqlSelect select) {
    return select.getWindowList().isEmpty()
        && select.getQualify() == null
        && !select.hasHints()
        && select.getFetch() == null
        && select.getOffset() == null
        && (select.getOrderList() == null || select.getOrderList().isEmpty());
  }

  private RelRoot root(Clauses clauses, Clusters clusters) {
    SqlSelect select = clauses.select;
    RexNode condition = expressions.anyWhere(select.getWhere());
    if (condition == null) {
      return null;
    }
    List<RexNode> joins = joinConditions();
    if (joins == null) {
      return null;
    }
    PlainTree tree = new PlainTree(clusters.create(rex), tables, joins);
    if (!condition.isAlwaysTrue()) {
      tree.filter(condition);
    }
    boolean groups = clauses.groups();
    if (groups && !aggregate(select, tree) || !list(select.getSelectList(), groups)) {
      return null;
    }
    if (select.getHaving() != null && Set.copyOf(names).size() < names.size()) {
      return null; // a name in HAVING may be ambiguous; the validator reports it
    }
    if (groups) {
      tree.projectOthers(columns);
    } else {
      tree.project(columns, names);
    }
    if (select.isDistinct()) {
      if (new HashSet<>(columns).size() < columns.size()) {
        return null;
      }
      tree.distinct();
    }
    RelNode result = tree.node();
    RelDataType row = rowType(result);
    RelCollation collation = collation(clauses.order);
    if (collation == null) {
      return null;
    }
    if (!collation.getFieldCollations().isEmpty()) {
      result = LogicalSort.create(result, collation, null, null);
    }
    return RelRoot.of(result, row, SqlKind.SELECT).withCollation(collation);
  }

  /**
   * Returns for each table the condition of its join, or null instead of a condition if there is
   * none.
   *
   * @return null if a condition is not supported
   */
  private List<RexNode> joinConditions() {
    List<RexNode> conditions = new ArrayList<>();
    for (PlainTables.Source each : tables.sources()) {
      RexNode condition = each.condition() == null ? null : expressions.on(each.condition());
      boolean isScoped =
          condition != null && RelOptUtil.InputFinder.bits(condition).length() <= each.end();
      if (each.condition() != null && !isScoped) {
        return null;
      }
      conditions.add(condition);
    }
    return conditions;
  }

  private boolean aggregate(SqlSelect select, PlainTree tree) {
    PlainAggregates aggregates =
        new PlainAggregates(rex, new PlainExpressions(tables, rex, parameters));
    if (select.getGroup() != null && !aggregates.group(select.getGroup(), tables)
        || !aggregates.collect(select.getSelectList())
        || !aggregates.collect(select.getHaving())) {
      return false;
    }
    aggregates.build(tree);
    expressions.setGrouped(aggregates);
    if (select.getHaving() != null) {
      RexNode condition = expressions.condition(select.getHaving());
      if (condition == null) {
        return false;
      }
      tree.having(condition);
    }
    return true;
  }

  private boolean list(SqlNodeList items, boolean groups) {
    Set<String> texts = new HashSet<>();
    for (SqlNode item : items) {
      if (item instanceof SqlIdentifier name && name.isStar()) {
        if (groups || !star(name)) {
          return false;
        }
      } else if (item.getKind() == SqlKind.AS) {
        SqlCall named = (SqlCall) item;
        if (named.operandCount() != 2 || !add(named.operand(0))) {
          return false;
        }
        names.add(((SqlIdentifier) named.operand(1)).getSimple());
      } else if (!add(item)) {
        return false;
      } else if (item instanceof SqlIdentifier name) {
        names.add(name.names.getLast());
      } else {
        String text = DerivedColumnNames.text(item);
        if (!texts.add(text)) {
          return false;
        }
        names.add(text);
      }
    }
    return true;
  }

  private boolean add(SqlNode item) {
    RexNode column = expressions.convert(item);
    if (column == null) {
      return false;
    }
    int origin = item instanceof SqlIdentifier id ? tables.column(id) : -1;
    columns.add(column);
    origins.add(origin < 0 ? null : origin(origin));
    return true;
  }

  private List<String> origin(int column) {
    List<String> origin = new ArrayList<>(tables.sourceOf(column).table().getQualifiedName());
    origin.add(tables.field(column).getName());
    return origin;
  }

  private boolean star(SqlIdentifier star) {
    if (star.names.size() > 2 || tables.sources().isEmpty()) {
      return false;
    }
    int first = 0;
    int last = tables.width();
    if (star.names.size() == 2) {
      PlainTables.Source source = tables.named(star.names.getFirst());
      if (source == null) {
        return false;
      }
      first = source.first();
      last = first + source.rowType().getFieldCount();
    }
    for (int i = first; i < last; i++) {
      RelDataTypeField field = tables.field(i);
      columns.add(rex.makeInputRef(field.getType(), i));
      names.add(field.getName());
      origins.add(origin(i));
    }
    return true;
  }

  private List<RelDataTypeField> fields() {
    List<RelDataTypeField> fields = new ArrayList<>(names.size());
    for (int i = 0; i < names.size(); i++) {
      fields.add(new RelDataTypeFieldImpl(names.get(i), i, columns.get(i).getType()));
    }
    return fields;
  }

  private RelDataType rowType(RelNode result) {
    List<RelDataTypeField> fields = new ArrayList<>(names.size());
    for (int i = 0; i < names.size(); i++) {
      RelDataType type = result.getRowType().getFieldList().get(i).getType();
      fields.add(new RelDataTypeFieldImpl(names.get(i), i, type));
    }
    return new RelRecordType(fields);
  }

  private RelCollation collation(SqlNodeList order) {
    List<RelFieldCollation> fields = new ArrayList<>();
    for (SqlNode item : order) {
      boolean descending = item.getKind() == SqlKind.DESCENDING;
      int column = ordered(descending ? ((SqlCall) item).operand(0) : item);
      if (column < 0) {
        return null;
      }
      fields.add(
          new RelFieldCollation(
              column,
              descending
                  ? RelFieldCollation.Direction.DESCENDING
                  : RelFieldCollation.Direction.ASCENDING,
              descending
                  ? RelFieldCollation.NullDirection.LAST
                  : RelFieldCollation.NullDirection.FIRST));
    }
    return RelCollations.of(fields);
  }

  /** Returns -1 if the item refers to no column, or the reference may be ambiguous. */
  private int ordered(SqlNode item) {
    int column = -1;
    if (item instanceof SqlNumericLiteral number && number.isInteger()) {
      int ordinal = number.bigDecimalValue().intValue();
      column = ordinal <= columns.size() ? ordinal - 1 : -1;
    } else if (item instanceof SqlIdentifier name && name.isSimple()) {
      column = names.indexOf(name.getSimple());
      boolean isAmbiguous = column >= 0 && tables.column(name) >= 0 && origins.get(column) == null;
      boolean isTwice = names.lastIndexOf(name.getSimple()) > column;
      column = isAmbiguous || isTwice ? -1 : column;
    }
    boolean isFirst = column >= 0 && columns.indexOf(columns.get(column)) == column;
    return isFirst ? column : -1;
  }
}
