package org.nelumbo.executor.plan;

import java.util.List;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.expr.FrameLayout;
import org.nelumbo.executor.op.access.PointGet;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.ParameterSet;

/** The executable plan of a statement. Immutable, thread-safe, and cached. */
public final class Plan {
  private final CommandType commandType;
  private final FrameLayout frameLayout;
  private final Operator root;
  private final List<OutputColumn> columns;
  private final boolean readOnly;

  /** The type of a statement, which is also the verb of its update count. */
  public enum CommandType {
    QUERY,
    INSERT,
    UPDATE,
    DELETE,
    MERGE
  }

  /** A column of the result: of a query's rows, or of the rows that another statement changes. */
  public record OutputColumn(String name, Expression expression) {
    public ColumnType type() {
      return expression.type();
    }
  }

  /**
   * Creates the plan of a query.
   *
   * @param frameLayout complete layout of the frames of executions
   * @param root prototype of the operators, never opened itself
   * @param readOnly true if no WRITE lock is taken
   */
  public static Plan query(
      FrameLayout frameLayout, Operator root, List<OutputColumn> columns, boolean readOnly) {
    return new Plan(CommandType.QUERY, frameLayout, root, columns, readOnly);
  }

  /**
   * Creates the plan of a statement that changes rows.
   *
   * @param columns columns of the changed rows that can be read
   */
  public static Plan modification(
      CommandType commandType, FrameLayout frameLayout, Operator root, List<OutputColumn> columns) {
    return new Plan(commandType, frameLayout, root, columns, false);
  }

  private Plan(
      CommandType commandType,
      FrameLayout frameLayout,
      Operator root,
      List<OutputColumn> columns,
      boolean readOnly) {
    this.commandType = commandType;
    this.frameLayout = frameLayout;
    this.root = root;
    this.columns = List.copyOf(columns);
    this.readOnly = readOnly;
  }

  public CommandType commandType() {
    return commandType;
  }

  public FrameLayout frameLayout() {
    return frameLayout;
  }

  /** Returns the prototype of the operators. */
  public Operator root() {
    return root;
  }

  public List<OutputColumn> columns() {
    return columns;
  }

  public List<ColumnType> parameterTypes() {
    return frameLayout.parameterTypes();
  }

  /** Returns true if the statement changes nothing and takes no WRITE lock. */
  public boolean readOnly() {
    return readOnly;
  }

  /**
   * Returns true if an execution calls {@link org.nelumbo.executor.txn.Transaction#get} once and
   * reads nothing else.
   */
  public boolean readsOnce() {
    return readOnly && root instanceof PointGet;
  }

  /** Creates an execution of a plan without parameters. */
  public PlanExecution newExecution(Environment environment) {
    return newExecution(environment, ParameterSet.EMPTY);
  }

  /**
   * Creates an execution, which a statement keeps to run the plan repeatedly with different
   * parameters.
   */
  public PlanExecution newExecution(Environment environment, ParameterSet parameters) {
    return new PlanExecution(
        this, newFrame(environment, parameters), Operator.Copier.PLAIN.copy(root));
  }

  /** Creates an execution that measures its operators for {@link PlanExecution#explained}. */
  public PlanExecution newAnalyzedExecution(Environment environment, ParameterSet parameters) {
    Operator.Copier measuring =
        new Operator.Copier() {
          @Override
          public Operator copy(Operator operator) {
            return new InstrumentedOperator(operator, operator.copy(this), environment);
          }
        };
    return new PlanExecution(this, newFrame(environment, parameters), measuring.copy(root));
  }

  private Frame newFrame(Environment environment, ParameterSet parameters) {
    return new Frame(frameLayout, environment, parameters);
  }

  /** Returns the operators as an indented tree, one per line. */
  public String explain() {
    return ExplainText.of(root);
  }

  /** Returns the operators with the estimates of the planner. */
  public ExplainedOperator explained() {
    return ExplainedOperator.of(root);
  }
}
