package org.nelumbo.planner.plain;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
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
import org.apache.calcite.rex.RexSimplify;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.util.ImmutableNullableList;
import org.nelumbo.planner.convert.ConvertedStatement;
import org.nelumbo.planner.literal.ParameterizedLiteral;
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
  private final PlainTree tree;
  private final PlainTables tables;
  private final PlainExpressions expressions;
  private final SortedMap<Integer, ParameterizedLiteral> lifted = new TreeMap<>();
  private final List<RexNode> columns = new ArrayList<>();
  private final List<String> names = new ArrayList<>();
  private final List<List<String>> origins = new ArrayList<>();

  private PlainQuery(RelOptCluster cluster, PlainTables tables) {
    this.rex = cluster.getRexBuilder();
    this.tree = new PlainTree(cluster, tables);
    this.tables = tables;
    this.expressions = new PlainExpressions(tables, rex, lifted);
  }

  /** Creates the cluster that the nodes of a relational tree share. */
  @FunctionalInterface
  public interface Clusters {
    RelOptCluster create();
  }

  /**
   * Converts a query to a relational tree. The syntax tree is not changed.
   *
   * @param parameters receives the types of the query's parameterized literals
   * @param parameterCount number of parameters of the statement
   * @return null if the query is not supported
   */
  public static ConvertedStatement convert(
      SqlNode statement,
      NelumboCatalogReader reader,
      Clusters clusters,
      ParameterTypes parameters,
      int parameterCount) {
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
    if (tables == null) {
      return null;
    }
    PlainQuery plain = new PlainQuery(clusters.create(), tables);
    RelRoot root = plain.root(select, order);
    if (root == null || plain.lifted.size() < parameterCount) {
      return null;
    }
    plain
        .lifted
        .values()
        .forEach(literal -> parameters.record(literal, literal.type(plain.rex.getTypeFactory())));
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

  private RelRoot root(SqlSelect select, SqlNodeList order) {
    if (!where(select.getWhere())) {
      return null;
    }
    boolean groups =
        select.getGroup() != null
            || select.getHaving() != null
            || PlainAggregates.areIn(select.getSelectList());
    if (groups && !aggregate(select) || !list(select.getSelectList(), groups)) {
      return null;
    }
    if (select.getHaving() != null && Set.copyOf(names).size() < names.size()) {
      return null; // a name in HAVING may be ambiguous; the validator reports it
    }
    project(groups);
    if (select.isDistinct() && !distinct()) {
      return null;
    }
    RelNode result = tree.node();
    RelDataType row = rowType(result);
    RelCollation collation = collation(order);
    if (collation == null) {
      return null;
    }
    if (!collation.getFieldCollations().isEmpty()) {
      result = LogicalSort.create(result, collation, null, null);
    }
    return RelRoot.of(result, row, SqlKind.SELECT).withCollation(collation);
  }

  private boolean where(SqlNode where) {
    if (where == null) {
      return true;
    }
    RexNode condition = expressions.condition(where);
    if (condition == null) {
      return false;
    }
    List<RexNode> conjuncts = new ArrayList<>();
    for (RexNode each : RelOptUtil.conjunctions(condition)) {
      conjuncts.add(RexSimplify.simplifyComparisonWithNull(each, rex));
    }
    RexNode simplified = RexUtil.composeConjunction(rex, conjuncts);
    if (!simplified.isAlwaysTrue()) {
      tree.filter(simplified);
    }
    return true;
  }

  private boolean aggregate(SqlSelect select) {
    PlainAggregates aggregates =
        new PlainAggregates(rex, new PlainExpressions(tables, rex, lifted));
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

  private void project(boolean groups) {
    if (groups) {
      tree.projectOthers(columns);
    } else {
      tree.project(columns, names);
    }
  }

  private boolean distinct() {
    if (new HashSet<>(columns).size() < columns.size()) {
      return false;
    }
    tree.distinct();
    return true;
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
