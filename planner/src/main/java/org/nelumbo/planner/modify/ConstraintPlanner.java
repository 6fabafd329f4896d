package org.nelumbo.planner.modify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.calcite.rex.RexNode;
import org.nelumbo.executor.expr.CompareOp;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.op.access.FullTableScan;
import org.nelumbo.executor.op.access.IndexRangeScan;
import org.nelumbo.executor.op.access.KeyExpressions;
import org.nelumbo.executor.op.access.PointGet;
import org.nelumbo.executor.op.basic.RowFilter;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.modify.CheckConstraint;
import org.nelumbo.executor.op.modify.ForeignKeyCheck;
import org.nelumbo.executor.op.modify.RowConstraint;
import org.nelumbo.executor.row.RowLayout;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.parser.SqlParsing;
import org.nelumbo.parser.ast.ReferentialAction;
import org.nelumbo.planner.catalog.TableDefinition.CheckDefinition;
import org.nelumbo.planner.catalog.TableDefinition.ForeignKeyDefinition;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.rex.PlanContext;
import org.nelumbo.planner.rex.RexTranslator;
import org.nelumbo.planner.schema.CatalogTable;
import org.nelumbo.session.Isolation;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/**
 * Plans the CHECK and FOREIGN KEY constraints of the rows that a statement writes. The other table
 * of a foreign key is probed. Under SERIALIZABLE the probe takes the locks of any read. Under
 * SNAPSHOT it takes write locks, because only these detect and prevent concurrent changes.
 */
final class ConstraintPlanner {
  private final PlanContext context;
  private final LockMode probeMode;
  private final ForeignKeyActions actions;

  ConstraintPlanner(PlanContext context) {
    this.context = context;
    this.actions = new ForeignKeyActions(context, this);
    this.probeMode = context.isolation() == Isolation.SNAPSHOT ? LockMode.WRITE : LockMode.READ;
  }

  /**
   * Plans the constraints of an INSERT or UPDATE.
   *
   * @param newRow the frame's row with the new image
   * @param oldRow for UPDATE, the frame's row with the old image; else null
   * @param changed for UPDATE, the assigned columns; else null
   * @param given the values of the new image that are known before the statement runs
   */
  List<RowConstraint> forWrite(
      TableEntry table,
      CatalogTable catalogTable,
      int newRow,
      Integer oldRow,
      int[] changed,
      KnownColumnValues given) {
    List<RowConstraint> constraints = checks(table, catalogTable, newRow);
    for (ForeignKeyDefinition key : table.definition().foreignKeys()) {
      if (changed == null || intersects(key.columns(), changed)) {
        constraints.add(mustExist(table, key, newRow, given));
      }
    }
    if (oldRow != null) {
      for (TableEntry child : context.state().tables()) {
        for (ForeignKeyDefinition key : child.definition().foreignKeys()) {
          boolean affected =
              key.referencedTable() == table.id() && intersects(key.referencedColumns(), changed);
          if (affected) {
            constraints.add(
                actions.isPlain(key.onUpdate())
                    ? keyMustStay(table, child, key, oldRow, newRow)
                    : actions.action(table, child, key, oldRow, newRow));
          }
        }
      }
    }
    return constraints;
  }

  /**
   * Plans the constraints of a DELETE.
   *
   * @param given the values of the row that are known before the statement runs
   */
  List<RowConstraint> forDelete(TableEntry table, int row, KnownColumnValues given) {
    List<RowConstraint> constraints = new ArrayList<>();
    for (TableEntry child : context.state().tables()) {
      for (ForeignKeyDefinition key : child.definition().foreignKeys()) {
        if (key.referencedTable() == table.id()) {
          constraints.add(
              actions.isPlain(key.onDelete())
                  ? mustNotExist(table, child, key, row, null, given)
                  : actions.action(table, child, key, row, null));
        }
      }
    }
    return constraints;
  }

  private static boolean intersects(int[] columns, int[] others) {
    return Arrays.stream(columns).anyMatch(a -> Arrays.stream(others).anyMatch(b -> a == b));
  }

  /** Plans the CHECK constraints of a row. */
  List<RowConstraint> checks(TableEntry table, CatalogTable catalogTable, int newRow) {
    List<RowConstraint> constraints = new ArrayList<>();
    for (CheckDefinition check : table.definition().checks()) {
      constraints.add(check(table, catalogTable, check, newRow));
    }
    return constraints;
  }

  private RowConstraint check(
      TableEntry table, CatalogTable catalogTable, CheckDefinition check, int row) {
    RexNode condition =
        context
            .frontEnd()
            .convertExpression(
                SqlParsing.parseExpression(check.text()),
                catalogTable,
                context.state(),
                context.schema());
    Expression expression =
        new RexTranslator(context, columns(table, row, table.columns().size()))
            .translate(condition);
    return new CheckConstraint(check.name(), table.name(), expression);
  }

  /** Returns the first columns of a row in the frame. */
  static List<Expression> columns(TableEntry table, int row, int count) {
    List<Expression> columns = new ArrayList<>();
    RowLayout layout = table.store().layout();
    for (int i = 0; i < count; i++) {
      columns.add(Expressions.column(row, layout, i));
    }
    return columns;
  }

  static Expression[] columns(TableEntry table, int row, int[] ordinals) {
    return Arrays.stream(ordinals)
        .mapToObj(ordinal -> Expressions.column(row, table.store().layout(), ordinal))
        .toArray(Expression[]::new);
  }

  private RowConstraint mustExist(
      TableEntry table, ForeignKeyDefinition key, int row, KnownColumnValues given) {
    TableEntry parent = context.state().table(key.referencedTable());
    context.use(parent);
    Expression[] values = columns(table, row, key.columns());
    Operator probe = probe(parent, key.referencedColumns(), values);
    Operator hintProbe = hintProbe(parent, key.referencedColumns(), given.of(key.columns()));
    return ForeignKeyCheck.mustExist(key.name(), table.name(), probe, values, hintProbe);
  }

  private RowConstraint keyMustStay(
      TableEntry table, TableEntry child, ForeignKeyDefinition key, int oldRow, int newRow) {
    ForeignKeyCheck check = mustNotExist(table, child, key, oldRow, newRow, KnownColumnValues.NONE);
    if (key.onUpdate() == ReferentialAction.RESTRICT) {
      return check;
    }
    int[] columns = key.referencedColumns();
    return check.unlessRegained(probe(table, columns, columns(table, oldRow, columns)));
  }

  private ForeignKeyCheck mustNotExist(
      TableEntry table,
      TableEntry child,
      ForeignKeyDefinition key,
      int oldRow,
      Integer newRow,
      KnownColumnValues given) {
    context.use(child);
    Expression[] values = columns(table, oldRow, key.referencedColumns());
    if (newRow != null) {
      Expression[] newValues = columns(table, newRow, key.referencedColumns());
      values = ifChanged(values, newValues);
    }
    int row = context.shape().addRow();
    Operator probe = indexed(child, row, key.columns(), values);
    if (probe != null) {
      Operator hintProbe =
          probeMode == LockMode.READ
              ? hintProbe(child, key.columns(), given.of(key.referencedColumns()))
              : null;
      return ForeignKeyCheck.mustNotExist(key.name(), table.name(), probe, values, hintProbe);
    }
    Operator rows = FullTableScan.of(child.store(), row, probeMode);
    if (child != table) {
      return ForeignKeyCheck.unindexed(
          key.name(), table.name(), rows, columns(child, row, key.columns()), values);
    }
    probe = filter(rows, child, row, key.columns(), values);
    return ForeignKeyCheck.mustNotExist(key.name(), table.name(), probe, values, null);
  }

  /** Returns the old key, or NULLs, to which no row refers, if the new key is equal. */
  static Expression[] ifChanged(Expression[] values, Expression[] newValues) {
    Expression[] same = new Expression[values.length];
    for (int i = 0; i < same.length; i++) {
      same[i] = Expressions.isNotDistinctFrom(values[i], newValues[i]);
    }
    Expression unchanged = Expressions.and(same);
    Expression[] old = new Expression[values.length];
    for (int i = 0; i < old.length; i++) {
      ColumnType type = values[i].type().orNull();
      old[i] =
          Expressions.caseWhen(
              type, List.of(unchanged), List.of(Expressions.nullOf(type)), values[i]);
    }
    return old;
  }

  private Operator probe(TableEntry table, int[] columns, Expression[] values) {
    int row = context.shape().addRow();
    Operator indexed = indexed(table, row, columns, values);
    return indexed != null
        ? indexed
        : filter(FullTableScan.of(table.store(), row, probeMode), table, row, columns, values);
  }

  /** Plans a scan of all rows of a table whose columns have the given values, with WRITE locks. */
  Operator all(TableEntry table, int row, int[] columns, Expression[] values) {
    Operator indexed = indexed(table, row, columns, values, LockMode.WRITE, null);
    return indexed != null
        ? indexed
        : filter(FullTableScan.of(table.store(), row, LockMode.WRITE), table, row, columns, values);
  }

  private Operator indexed(TableEntry table, int row, int[] columns, Expression[] values) {
    Expression one = Expressions.literal(ColumnType.of(Kind.BIGINT), 1L);
    return indexed(table, row, columns, values, probeMode, one);
  }

  /**
   * Plans an access by the primary key or an index; returns null if none is suitable.
   *
   * @param limit maximum number of rows; null for all
   */
  private Operator indexed(
      TableEntry table,
      int row,
      int[] columns,
      Expression[] values,
      LockMode mode,
      Expression limit) {
    TableStore store = table.store();
    Expression[] key = ordered(table.schema().primaryKey(), columns, values);
    if (key != null && key.length == table.schema().primaryKey().length) {
      Operator get = new PointGet(store, row, key, mode);
      return key.length == columns.length ? get : filter(get, table, row, columns, values);
    } else if (key != null && store.primary() != null && key.length == columns.length) {
      return range(store.primary(), row, key, mode, limit);
    }
    for (IndexStore index : store.indexes()) {
      Expression[] prefix = ordered(index.schema().columns(), columns, values);
      if (prefix != null && prefix.length == columns.length) {
        return range(index, row, prefix, mode, limit);
      }
    }
    return null;
  }

  private Operator hintProbe(TableEntry table, int[] columns, Expression[] values) {
    boolean usable = values != null;
    for (int i = 0; usable && i < columns.length; i++) {
      ColumnType type = table.columns().get(columns[i]).type();
      usable = KeyExpressions.isUsable(type, values[i]);
    }
    return usable ? indexed(table, context.shape().addRow(), columns, values) : null;
  }

  private static Operator filter(
      Operator rows, TableEntry table, int row, int[] columns, Expression[] values) {
    Expression[] found = columns(table, row, columns);
    Expression[] tests = new Expression[columns.length];
    for (int i = 0; i < tests.length; i++) {
      tests[i] = Expressions.compare(CompareOp.EQ, found[i], values[i]);
    }
    return new RowFilter(rows, Expressions.and(tests));
  }

  private static Operator range(
      IndexStore index, int row, Expression[] equals, LockMode mode, Expression limit) {
    return new IndexRangeScan(index, row, IndexRangeScan.Definition.prefix(equals, limit, mode));
  }

  private static Expression[] ordered(int[] index, int[] columns, Expression[] values) {
    List<Expression> ordered = new ArrayList<>();
    for (int column : index) {
      int position = Arrays.stream(columns).boxed().toList().indexOf(column);
      if (position < 0) {
        break;
      }
      ordered.add(values[position]);
    }
    return ordered.isEmpty() ? null : ordered.toArray(Expression[]::new);
  }
}
