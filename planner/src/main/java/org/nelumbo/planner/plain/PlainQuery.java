package org.nelumbo.planner.plain;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rel.type.RelDataTypeFieldImpl;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.util.ImmutableBitSet;
import org.nelumbo.planner.schema.NelumboCatalogReader;
import org.nelumbo.planner.validate.DerivedColumnNames;
import org.nelumbo.planner.validate.ParameterTypes;

/**
 * The fast path for simple queries: over tables that FROM names, without subqueries, and with
 * {@link PlainExpressions} only. They need neither Calcite's validator and converter, which take
 * several times as long, nor a relational tree. The plan is the same as with these. If that is not
 * certain, or if the query has an error, it is declined and Calcite handles it.
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

  /** The clauses of a query. */
  private record Clauses(
      SqlSelect select, SqlNodeList order, SqlNode offset, SqlNode fetch, PlainTables tables) {
    /** Returns null if a clause is not supported. */
    static Clauses of(SqlNode statement, NelumboCatalogReader reader) {
      SqlNode query = statement;
      SqlNodeList order = SqlNodeList.EMPTY;
      SqlNode offset = null;
      SqlNode fetch = null;
      if (statement instanceof SqlOrderBy ordered) {
        query = ordered.query;
        order = ordered.orderList;
        offset = ordered.offset;
        fetch = ordered.fetch;
      }
      if (!(query instanceof SqlSelect select) || !isPlain(select)) {
        return null;
      }
      PlainTables tables = PlainTables.of(select.getFrom(), reader);
      return tables == null ? null : new Clauses(select, order, offset, fetch, tables);
    }

    boolean groups() {
      return select.getGroup() != null
          || select.getHaving() != null
          || PlainAggregates.areIn(select.getSelectList());
    }
  }

  /**
   * Converts a query. The syntax tree is not changed.
   *
   * @param parameters receives the types of the query's parameters
   * @param parameterCount number of parameters of the statement
   * @return null if the query is not supported
   */
  public static TableQuery convert(
      SqlNode statement,
      NelumboCatalogReader reader,
      RexBuilder rex,
      ParameterTypes parameters,
      int parameterCount) {
    Clauses clauses = Clauses.of(statement, reader);
    if (clauses == null) {
      return null;
    }
    return new PlainQuery(rex, clauses.tables, parameters)
        .convert(clauses, parameters, parameterCount);
  }

  private static boolean isPlain(SqlSelect select) {
    return select.getWindowList().isEmpty()
        && select.getQualify() == null
        && !select.hasHints()
        && select.getFetch() == null
        && select.getOffset() == null
        && (select.getOrderList() == null || select.getOrderList().isEmpty());
  }

  private TableQuery convert(Clauses clauses, ParameterTypes types, int parameterCount) {
    SqlSelect select = clauses.select;
    RexNode condition = expressions.anyWhere(select.getWhere());
    List<RexNode> on = condition == null ? null : joinConditions();
    if (on == null) {
      return null;
    }
    List<RexNode> where = RelOptUtil.conjunctions(condition);
    List<RexNode> all = new ArrayList<>(on);
    all.addAll(where);
    TableQuery.Grouping grouping = clauses.groups() ? grouping(select, all) : null;
    if (clauses.groups() && grouping == null || !list(select.getSelectList(), grouping != null)) {
      return null;
    }
    if (select.getHaving() != null && Set.copyOf(names).size() < names.size()) {
      return null; // a name in HAVING may be ambiguous; the validator reports it
    }
    Repetition repetition = select.isDistinct() ? repetition(grouping, all) : Repetition.IRRELEVANT;
    RelCollation collation = collation(clauses.order);
    RexNode offset = count(clauses.offset);
    RexNode fetch = count(clauses.fetch);
    if ((offset == null && clauses.offset != null) || (fetch == null && clauses.fetch != null)) {
      return null;
    }
    if (repetition == Repetition.UNKNOWN
        || collation == null
        || !parameters.record(rex.getTypeFactory(), parameterCount)) {
      return null;
    }
    return new TableQuery(
        tables.sources().stream().map(PlainTables.Source::table).toList(),
        on,
        where,
        grouping,
        columns,
        repetition == Repetition.POSSIBLE,
        collation,
        offset,
        fetch,
        fields(),
        origins,
        types.toList(parameterCount));
  }

  /** Whether rows may be equal. Where it is unknown, Calcite searches keys and conditions. */
  private enum Repetition {
    POSSIBLE,
    IRRELEVANT,
    UNKNOWN
  }

  /** Returns whether rows of the result may be equal. */
  private Repetition repetition(TableQuery.Grouping grouping, List<RexNode> conditions) {
    if (new HashSet<>(columns).size() < columns.size()) {
      return Repetition.UNKNOWN;
    } else if (tables.sources().isEmpty() || grouping != null && grouping.groups() == 0) {
      return Repetition.IRRELEVANT;
    } else if (grouping == null) {
      return repetition(columns, conditions);
    }
    if (references(columns).contains(ImmutableBitSet.range(grouping.groups()))) {
      return Repetition.IRRELEVANT;
    }
    return tables.mayRepeatRows() && fixesNone(conditions) && fixesNone(grouping.having())
        ? Repetition.POSSIBLE
        : Repetition.UNKNOWN;
  }

  /** Returns whether rows of the tables may have equal values in these expressions. */
  private Repetition repetition(List<RexNode> values, List<RexNode> conditions) {
    if (conditions.stream().anyMatch(RexNode::isAlwaysFalse)) {
      return Repetition.UNKNOWN;
    } else if (tables.mayRepeatRows()) {
      return Repetition.POSSIBLE;
    } else if (tables.sources().size() > 1) {
      return Repetition.UNKNOWN;
    }
    ImmutableBitSet read = references(values);
    boolean readsKey = tables.sources().getFirst().table().keys().stream().anyMatch(read::contains);
    if (readsKey) {
      return Repetition.IRRELEVANT;
    }
    return fixesNone(conditions) ? Repetition.POSSIBLE : Repetition.UNKNOWN;
  }

  private static ImmutableBitSet references(List<RexNode> values) {
    ImmutableBitSet.Builder references = ImmutableBitSet.builder();
    for (RexNode each : values) {
      if (each instanceof RexInputRef reference) {
        references.set(reference.getIndex());
      }
    }
    return references.build();
  }

  /** Returns true if no condition determines the value of a column. */
  private static boolean fixesNone(List<RexNode> conditions) {
    return conditions.stream()
        .allMatch(
            each ->
                switch (each.getKind()) {
                  case LESS_THAN,
                      LESS_THAN_OR_EQUAL,
                      GREATER_THAN,
                      GREATER_THAN_OR_EQUAL,
                      NOT_EQUALS,
                      IS_NOT_NULL ->
                      true;
                  default -> false;
                });
  }

  /** Returns the conditions of all joins, or null if one is not supported. */
  private List<RexNode> joinConditions() {
    List<RexNode> conjuncts = new ArrayList<>();
    for (PlainTables.Source each : tables.sources()) {
      if (each.condition() == null) {
        continue;
      }
      RexNode condition = expressions.on(each.condition());
      boolean isScoped =
          condition != null && RelOptUtil.InputFinder.bits(condition).length() <= each.end();
      if (!isScoped) {
        return null;
      }
      conjuncts.addAll(RelOptUtil.conjunctions(condition));
    }
    return conjuncts;
  }

  /**
   * Returns the grouping of a query, or null if it is not supported.
   *
   * @param conditions conditions on the rows that are grouped
   */
  private TableQuery.Grouping grouping(SqlSelect select, List<RexNode> conditions) {
    PlainAggregates aggregates =
        new PlainAggregates(rex, new PlainExpressions(tables, rex, parameters));
    if (select.getGroup() != null && !aggregates.group(select.getGroup(), tables)
        || !aggregates.collect(select.getSelectList())
        || !aggregates.collect(select.getHaving())) {
      return null;
    }
    if (aggregates.isDistinct()
        && repetition(aggregates.groups(), conditions) != Repetition.POSSIBLE) {
      return null;
    }
    expressions.setGrouped(aggregates);
    if (select.getHaving() == null) {
      return aggregates.grouping(List.of());
    }
    RexNode condition = expressions.condition(select.getHaving());
    return condition == null ? null : aggregates.grouping(RelOptUtil.conjunctions(condition));
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
    List<String> origin = new ArrayList<>(tables.sourceOf(column).qualifiedName());
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

  /** Converts a number of rows; returns null if it is absent or not an integer as written. */
  private RexNode count(SqlNode node) {
    return node instanceof SqlNumericLiteral number && number.isInteger()
        ? expressions.convert(number)
        : null;
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
