package org.nelumbo.planner.subquery;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.RepeatUnion;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.logical.LogicalTableScan;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.schema.TransientTable;
import org.nelumbo.planner.convert.ConvertedStatement;
import org.nelumbo.planner.convert.SharedQueryNode;
import org.nelumbo.planner.rex.Conjuncts;
import org.nelumbo.planner.rex.OuterVariables;

/**
 * Decides which queries of WITH are run only once. As in PostgreSQL, these are:
 *
 * <ul>
 *   <li>queries with MATERIALIZED,
 *   <li>queries that call a volatile function,
 *   <li>queries that are referenced several times, unless NOT MATERIALIZED is given. A table with
 *       conditions only is excepted: each reference may read it by other keys, and reading it costs
 *       no more than storing its rows.
 * </ul>
 *
 * <p>All others are inlined at each reference. A query that depends on an outer row, or on the step
 * of a recursion, is always inlined.
 */
public final class SharedQueryNodes {
  /**
   * For each query, one of the nodes that reference it. Queries that it references come before it.
   */
  private final SequencedMap<Object, SharedQueryNode> queries = new LinkedHashMap<>();

  /** Queries that are run once. */
  private final Set<Object> kept = new HashSet<>();

  /** Queries that were inlined at least once. */
  private final Set<Object> placed = new HashSet<>();

  private final IdentityHashMap<RelNode, RelNode> resolved = new IdentityHashMap<>();

  private SharedQueryNodes() {}

  /** Returns the tree of a statement in which only queries that are run once are shared. */
  public static RelNode resolved(ConvertedStatement converted) {
    if (!converted.namesQueries() || !converted.lockedTables().isEmpty()) {
      return inlined(converted);
    }
    SharedQueryNodes nodes = new SharedQueryNodes();
    RelNode root = converted.root().rel;
    nodes.collect(root);
    for (SharedQueryNode query : List.copyOf(nodes.queries.values()).reversed()) {
      if (nodes.isKept(query, root)) {
        nodes.kept.add(query.key());
      }
    }
    return nodes.resolve(root);
  }

  /** Returns the tree of a statement with all queries inlined. */
  public static RelNode inlined(ConvertedStatement converted) {
    RelNode root = converted.root().rel;
    return converted.namesQueries() ? new SharedQueryNodes().resolve(root) : root;
  }

  private void collect(RelNode node) {
    if (node instanceof SharedQueryNode shared && queries.containsKey(shared.key())) {
      return;
    }
    children(node).forEach(this::collect);
    if (node instanceof SharedQueryNode shared) {
      queries.put(shared.key(), shared);
    }
  }

  private static List<RelNode> children(RelNode node) {
    List<RelNode> children = new ArrayList<>(node.getInputs());
    node.accept(
        new RexShuttle() {
          @Override
          public RexNode visitSubQuery(RexSubQuery subQuery) {
            children.add(subQuery.rel);
            return super.visitSubQuery(subQuery);
          }
        });
    return children;
  }

  private boolean isKept(SharedQueryNode query, RelNode root) {
    RelNode rows = query.getInput();
    if (!OuterVariables.areNoneIn(rows) || isPartOfStep(rows)) {
      return false;
    }
    if (query.isMaterialized() || !isRepeatable(rows)) {
      return true;
    }
    return !query.isInlined()
        && !isPlainTable(rows)
        && count(root, query.key(), new HashMap<>()) > 1;
  }

  private static boolean isPartOfStep(RelNode node) {
    if (node instanceof TableScan scan) {
      return scan.getTable().unwrap(TransientTable.class) != null;
    }
    return !(node instanceof RepeatUnion)
        && children(node).stream().anyMatch(SharedQueryNodes::isPartOfStep);
  }

  private static boolean isRepeatable(RelNode node) {
    boolean[] repeatable = {true};
    node.accept(
        new RexShuttle() {
          @Override
          public RexNode visitCall(RexCall call) {
            repeatable[0] &= Conjuncts.isDeterministic(call);
            return call;
          }
        });
    return repeatable[0] && children(node).stream().allMatch(SharedQueryNodes::isRepeatable);
  }

  private static boolean isPlainTable(RelNode node) {
    return switch (node) {
      case TableScan _ -> true;
      case Filter filter ->
          !Conjuncts.hasSubQuery(filter.getCondition()) && isPlainTable(filter.getInput());
      case Project project ->
          project.getProjects().stream().allMatch(RexInputRef.class::isInstance)
              && isPlainTable(project.getInput());
      default -> false;
    };
  }

  private double count(RelNode node, Object key, Map<Object, Double> counted) {
    double count = 0;
    if (node instanceof SharedQueryNode shared) {
      if (shared.key() == key) {
        return 1;
      }
      if (counted.containsKey(shared.key())) {
        return kept.contains(shared.key()) ? 0 : counted.get(shared.key());
      }
    }
    for (RelNode child : children(node)) {
      count += count(child, key, counted);
    }
    if (node instanceof SharedQueryNode shared) {
      counted.put(shared.key(), count);
    }
    return count;
  }

  private RelNode resolve(RelNode node) {
    if (node instanceof SharedQueryNode shared && !kept.contains(shared.key())) {
      RelNode rows = resolve(shared.getInput());
      return placed.add(shared.key()) ? rows : copy(rows);
    }
    RelNode known = resolved.get(node);
    if (known == null) {
      known = resolveInside(node);
      resolved.put(node, known);
    }
    return known;
  }

  private RelNode resolveInside(RelNode node) {
    List<RelNode> inputs = new ArrayList<>();
    node.getInputs().forEach(input -> inputs.add(resolve(input)));
    RelNode copied = inputs.equals(node.getInputs()) ? node : node.copy(node.getTraitSet(), inputs);
    return copied.accept(
        new RexShuttle() {
          @Override
          public RexNode visitSubQuery(RexSubQuery subQuery) {
            RelNode query = resolve(subQuery.rel);
            return super.visitSubQuery(query == subQuery.rel ? subQuery : subQuery.clone(query));
          }
        });
  }

  /** State that is recorded for a scan applies to one reference only. */
  private static RelNode copy(RelNode node) {
    if (node instanceof LogicalTableScan scan) {
      return LogicalTableScan.create(scan.getCluster(), scan.getTable(), scan.getHints());
    }
    List<RelNode> inputs = new ArrayList<>();
    node.getInputs().forEach(input -> inputs.add(copy(input)));
    RelNode copied = inputs.isEmpty() ? node : node.copy(node.getTraitSet(), inputs);
    return copied.accept(
        new RexShuttle() {
          @Override
          public RexNode visitSubQuery(RexSubQuery subQuery) {
            return super.visitSubQuery(subQuery.clone(copy(subQuery.rel)));
          }
        });
  }
}
