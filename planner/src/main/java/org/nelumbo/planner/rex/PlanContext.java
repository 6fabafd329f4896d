package org.nelumbo.planner.rex;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Union;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.FrameLayout;
import org.nelumbo.executor.limit.StatementLimits;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.frontend.SqlFrontEnd;
import org.nelumbo.session.Isolation;
import org.nelumbo.session.ParameterInfo;

/** The context that the parts of the planner share while one statement is planned. */
public final class PlanContext {
  /** A level of an expression takes up to some hundred bytes of the stack when it is run. */
  private static final int MOST_LEVELS = 1_000;

  private final SqlFrontEnd frontEnd;
  private final CatalogState state;
  private final String schema;
  private final Isolation isolation;
  private final StatementLimits limits;
  private final FrameLayout shape = new FrameLayout();
  private final Map<CorrelationId, List<Expression>> correlated = new HashMap<>();
  private final Set<TableEntry> tables = new LinkedHashSet<>();
  private final Set<RelNode> lockedScans = new HashSet<>();
  private final Set<RelNode> changedScans = new HashSet<>();
  private final Map<RelNode, Integer> rowsOfScans = new HashMap<>();
  private final ColumnGrowthLimit growthLimit = new ColumnGrowthLimit();
  private int depth;
  private int repeated;
  private boolean usesWriteLocks;
  private boolean changesSession;
  private boolean usesValues;
  private TableEntry insertTarget;
  private RelNode stored;

  public PlanContext(
      SqlFrontEnd frontEnd,
      CatalogState state,
      String schema,
      Isolation isolation,
      List<ParameterInfo> parameters,
      StatementLimits limits) {
    this.frontEnd = frontEnd;
    this.state = state;
    this.schema = schema;
    this.isolation = isolation;
    this.limits = limits;
    parameters.forEach(parameter -> shape.addParameter(parameter.type()));
  }

  /** Notes that the statement draws or sets a number of a sequence, or sets a property. */
  void setChangesSession() {
    changesSession = true;
  }

  public boolean changesSession() {
    return changesSession;
  }

  /**
   * Begins to plan a part of a part: counts the work, and refuses what would be nested too deeply
   * to be run on the stack of a usual thread.
   */
  public void enter() {
    limits.work(1);
    if (++depth > MOST_LEVELS) {
      depth = 0;
      throw new NelumboException(
          ErrorCode.STATEMENT_TOO_COMPLEX,
          "the statement is nested more than "
              + MOST_LEVELS
              + " levels deep; split it, or use subqueries or parameters");
    }
  }

  /** Ends what {@link #enter} began. */
  public void leave() {
    depth--;
  }

  /** Whether a node is being planned. */
  public boolean isWithinNode() {
    return depth > 0;
  }

  /** Begins to plan what is run for each row of another relation. */
  public void enterRepeated() {
    repeated++;
  }

  /** Ends what {@link #enterRepeated} began. */
  public void leaveRepeated() {
    repeated--;
  }

  /** Whether what is planned is run several times: it is not to read more than it has to. */
  public boolean isRepeated() {
    return repeated > 0;
  }

  /** The limit of what columns of derived tables grow to. */
  public ColumnGrowthLimit growthLimit() {
    return growthLimit;
  }

  public SqlFrontEnd frontEnd() {
    return frontEnd;
  }

  public CatalogState state() {
    return state;
  }

  public String schema() {
    return schema;
  }

  public Isolation isolation() {
    return isolation;
  }

  public FrameLayout shape() {
    return shape;
  }

  /** Columns of the outer rows that a correlated subquery refers to. */
  public Map<CorrelationId, List<Expression>> correlated() {
    return correlated;
  }

  /** Notes that the statement uses a table. */
  public void use(TableEntry table) {
    tables.add(table);
  }

  public List<TableEntry> tables() {
    return new ArrayList<>(tables);
  }

  /** Rows of this scan are to be locked for writing. */
  public void lock(RelNode scan) {
    lockedScans.add(scan);
  }

  /** Rows of this scan are to be locked for writing by whoever reads or, later, changes them. */
  public void lockForChange(RelNode scan) {
    lock(scan);
    changedScans.add(scan);
  }

  /** Whether rows of this scan are locked for writing when they are changed, if not before. */
  public boolean isChanged(RelNode scan) {
    return changedScans.contains(scan);
  }

  public LockMode lockMode(RelNode scan) {
    if (lockedScans.contains(scan)) {
      usesWriteLocks = true;
      return LockMode.WRITE;
    }
    return LockMode.READ;
  }

  public boolean usesWriteLocks() {
    return usesWriteLocks;
  }

  /** The statement locks rows for writing. */
  public void noteWriteLocks() {
    usesWriteLocks = true;
  }

  /** The plan might be another one if all values were known that are read where parameters are. */
  public void noteUseOfValues() {
    usesValues = true;
  }

  public boolean usesValues() {
    return usesValues;
  }

  /** Notes where in the frame the rows of a scan stand. */
  public void placed(RelNode scan, int row) {
    rowsOfScans.put(scan, row);
  }

  /** Where the rows of a scan stand; a place of its own for one that is never read. */
  public int rowOf(RelNode scan) {
    return rowsOfScans.computeIfAbsent(scan, unread -> shape.addRow());
  }

  /** The rows of a change: each column is read once, where the row to be stored is made. */
  public void setStored(RelNode rows) {
    stored = rows;
  }

  /** Whether a node gives rows of a change. */
  public boolean isStored(RelNode node) {
    return node == stored || stored instanceof Union rows && rows.getInputs().contains(node);
  }

  /** The table whose identity column NEXT_IDENTITY means. */
  TableEntry insertTarget() {
    return insertTarget;
  }

  public void setInsertTarget(TableEntry target) {
    insertTarget = target;
  }
}
