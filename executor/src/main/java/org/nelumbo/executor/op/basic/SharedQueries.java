package org.nelumbo.executor.op.basic;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.readahead.PrefetchHints;
import org.nelumbo.executor.txn.Transaction;

/**
 * The rows of a query that refers to queries of WITH more than once. Each of these runs at most
 * once, when a {@link SharedQueryScan} first requests its rows, which are then kept until the end.
 */
public final class SharedQueries extends Operator {
  private final List<Definition> definitions;
  private final Operator body;
  private final SharedRows[] rows;

  /**
   * A shared query.
   *
   * @param name name in the WITH clause
   * @param columns expression of the query for each slot, with the slot's type
   * @param slots slots in which its rows are saved
   * @param index slot in which scans find the rows
   */
  public record Definition(
      String name, Operator query, Expression[] columns, int[] slots, int index) {
    Definition copy(Copier copier) {
      return new Definition(name, copier.copy(query), columns, slots, index);
    }
  }

  /** Creates an operator that returns the rows of the body, which reads the shared queries. */
  public SharedQueries(List<Definition> definitions, Operator body) {
    this.definitions = List.copyOf(definitions);
    this.body = body;
    this.rows = new SharedRows[definitions.size()];
    for (int i = 0; i < rows.length; i++) {
      Definition each = definitions.get(i);
      rows[i] = new SharedRows(each.query, each.columns, each.slots);
    }
  }

  @Override
  public void open(Frame frame, Transaction transaction) {
    endAll();
    for (int i = 0; i < rows.length; i++) {
      rows[i].begin(frame, transaction);
      frame.setSlotObject(definitions.get(i).index, rows[i]);
    }
    body.open(frame, transaction);
  }

  @Override
  public boolean next() {
    return body.next();
  }

  @Override
  public void collectHints(Frame frame, PrefetchHints prefetchHints) {
    body.collectHints(frame, prefetchHints);
  }

  private void endAll() {
    for (SharedRows each : rows) {
      each.end();
    }
  }

  @Override
  public void close() {
    body.close();
    endAll();
  }

  @Override
  public Operator copy(Copier copier) {
    return new SharedQueries(
        definitions.stream().map(each -> each.copy(copier)).toList(), copier.copy(body));
  }

  @Override
  public FrameFields output() {
    return body.output();
  }

  @Override
  public String explain() {
    return definitions.stream()
        .map(Definition::name)
        .collect(Collectors.joining(", ", "SharedQueries(", ")"));
  }

  /** Returns the shared queries in the order of their definition, followed by the body. */
  @Override
  public List<Operator> children() {
    List<Operator> children = new ArrayList<>();
    definitions.forEach(each -> children.add(each.query));
    children.add(body);
    return children;
  }
}
