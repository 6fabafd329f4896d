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

/** The state that the parts of the planner share while one statement is planned. */
public final class PlanContext {
  /** Maximum nesting depth; evaluating one level takes up to some hundred bytes of stack. */
  private static final int MOST_LEVELS = 1_000;

  private final SqlFrontEnd frontEnd;
  private final CatalogState state;
  private final String schema;
  private final Isolation isolation;
  private final StatementLimits limits;
  private final FrameLayout shape = new FrameLayout();
  private final Map<CorrelationId, List<Expression>> correlated = new HashMap<>();
  private final Set<TableEntry> tables = new LinkedHashSet<>();
  private final Set<Object> lockedScans = new HashSet<>();
  private final Set<Object> changedScans = new HashSet<>();
  private final Map<Object, Integer> rowsOfScans = new HashMap<>();
  private final ColumnGrowthLimit growthLimit = new ColumnGrowthLimit();
  private int depth;
  private int repeated;
  private boolean usesWriteLocks;
  private boolean changesSession;
  private boolean usesValues;
  private boolean hasGuesses;
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

  /** Records that the statement draws or sets a sequence number, or sets a property. */
  void setChangesSession() {
    changesSession = true;
  }

  public boolean changesSession() {
    return changesSession;
  }

  /**
   * Starts planning a nested part: charges its work, and rejects nesting that is too deep for the
   * stack of an ordinary thread.
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

  /** Ends the part that {@link #enter} started. */
  public void leave() {
    depth--;
  }

  /** Returns true if a node is being planned. */
  public boolean isWithinNode() {
    return depth > 0;
  }

  /** Starts planning a part that runs for each row of another relation. */
  public void enterRepeated() {
    repeated++;
  }

  /** Ends the part that {@link #enterRepeated} started. */
  public void leaveRepeated() {
    repeated--;
  }

  /**
   * Returns true if the current part runs several times, so that it should read as little as
   * possible.
   */
  public boolean isRepeated() {
    return repeated > 0;
  }

  /** Returns the size limit for columns of derived tables. */
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

  /** Returns the columns of the outer rows to which correlated subqueries refer. */
  public Map<CorrelationId, List<Expression>> correlated() {
    return correlated;
  }

  /** Records that the statement uses a table. */
  public void use(TableEntry table) {
    tables.add(table);
  }

  public List<TableEntry> tables() {
    return new ArrayList<>(tables);
  }

  /** Requests write locks on the rows of a scan. */
  public void lock(Object scan) {
    lockedScans.add(scan);
  }

  /**
   * Requests write locks on the rows of a scan, either when they are read or when they are changed.
   */
  public void lockForChange(Object scan) {
    lock(scan);
    changedScans.add(scan);
  }

  /**
   * Returns true if the rows of a scan are locked for writing at the latest when they are changed.
   */
  public boolean isChanged(Object scan) {
    return changedScans.contains(scan);
  }

  public LockMode lockMode(Object scan) {
    if (lockedScans.contains(scan)) {
      usesWriteLocks = true;
      return LockMode.WRITE;
    }
    return LockMode.READ;
  }

  public boolean usesWriteLocks() {
    return usesWriteLocks;
  }

  /** Records that the statement locks rows for writing. */
  public void noteWriteLocks() {
    usesWriteLocks = true;
  }

  /** Records that the plan could differ if the values of all parameters were known. */
  public void noteUseOfValues() {
    usesValues = true;
  }

  /** Records that an estimate of rows would differ if a value were known. */
  public void noteGuess() {
    hasGuesses = true;
  }

  /** Returns true if an estimate of rows so far would differ if a value were known. */
  public boolean hasGuesses() {
    return hasGuesses;
  }

  public boolean usesValues() {
    return usesValues;
  }

  /** Records the frame's row for a scan. */
  public void placed(Object scan, int row) {
    rowsOfScans.put(scan, row);
  }

  /** Returns the frame's row of a scan, or a new one for a scan that is never read. */
  public int rowOf(Object scan) {
    return rowsOfScans.computeIfAbsent(scan, unread -> shape.addRow());
  }

  /** Sets the rows of a change; each of their columns is read once, when the new row is built. */
  public void setStored(RelNode rows) {
    stored = rows;
  }

  /** Returns true if a node returns rows of a change. */
  public boolean isStored(RelNode node) {
    return node == stored || stored instanceof Union rows && rows.getInputs().contains(node);
  }

  /** Returns the table whose identity columns NEXT_IDENTITY refers to. */
  TableEntry insertTarget() {
    return insertTarget;
  }

  public void setInsertTarget(TableEntry target) {
    insertTarget = target;
  }
}
