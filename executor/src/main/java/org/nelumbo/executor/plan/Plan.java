package org.nelumbo.executor.plan;

import java.util.List;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.expr.FrameLayout;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.ParameterSet;

/** The executable plan of a statement; immutable, thread-safe, cached. */
public final class Plan {
  private final CommandType commandType;
  private final FrameLayout frameLayout;
  private final Operator root;
  private final List<OutputColumn> columns;
  private final boolean readOnly;

  /** What a statement does; also the verb of its update count. */
  public enum CommandType {
    QUERY,
    INSERT,
    UPDATE,
    DELETE,
    MERGE
  }

  /** A column of the result: for QUERY what it returns, else what can be read of changed rows. */
  public record OutputColumn(String name, Expression expression) {
    public ColumnType type() {
      return expression.type();
    }
  }

  /**
   * The plan of a query.
   *
   * @param frameLayout complete: the frames of executions have it
   * @param root a prototype, never opened itself
   * @param readOnly whether no WRITE lock is taken
   */
  public static Plan query(
      FrameLayout frameLayout, Operator root, List<OutputColumn> columns, boolean readOnly) {
    return new Plan(CommandType.QUERY, frameLayout, root, columns, readOnly);
  }

  /**
   * The plan of a statement that changes rows.
   *
   * @param columns what can be read of changed rows
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

  /** The prototype of its operators. */
  public Operator root() {
    return root;
  }

  public List<OutputColumn> columns() {
    return columns;
  }

  public List<ColumnType> parameterTypes() {
    return frameLayout.parameterTypes();
  }

  /** Whether nothing is changed and no WRITE lock is taken. */
  public boolean readOnly() {
    return readOnly;
  }

  /** A new execution of a plan without parameters. */
  public PlanExecution newExecution(Environment environment) {
    return newExecution(environment, ParameterSet.EMPTY);
  }

  /** A new execution; statements keep it to run the plan again, with other parameters. */
  public PlanExecution newExecution(Environment environment, ParameterSet parameters) {
    return new PlanExecution(
        this, newFrame(environment, parameters), Operator.Copier.PLAIN.copy(root));
  }

  /** A new execution that measures its operators; then {@link PlanExecution#explained} tells. */
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

  /** The operators as an indented tree, one a line. */
  public String explain() {
    return ExplainText.of(root);
  }

  /** The operators, and what the planner expects of them. */
  public ExplainedOperator explained() {
    return ExplainedOperator.of(root);
  }
}
