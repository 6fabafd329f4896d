package org.nelumbo.planner.convert;

import java.util.List;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.sql.SqlWithItem;
import org.nelumbo.parser.ast.NamedQuery;

/** A place where a query of WITH is named: its rows, which other places may read as well. */
public final class SharedQueryNode extends SingleRel {
  private final SqlWithItem item;

  SharedQueryNode(RelNode query, SqlWithItem item) {
    super(query.getCluster(), query.getTraitSet(), query);
    this.item = item;
  }

  /** What all places have in common that name the same query. */
  public Object key() {
    return item;
  }

  public String name() {
    return item.name.getSimple();
  }

  /** Whether it was asked to be run once: AS MATERIALIZED. */
  public boolean isMaterialized() {
    return item instanceof NamedQuery query && query.isMaterialized();
  }

  /** Whether it was asked to be planned in each place: AS NOT MATERIALIZED. */
  public boolean isInlined() {
    return item instanceof NamedQuery query && !query.isMaterialized();
  }

  @Override
  public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new SharedQueryNode(sole(inputs), item);
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).item("name", name() + '@' + System.identityHashCode(item));
  }
}
