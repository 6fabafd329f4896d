package org.nelumbo.planner.convert;

import java.util.List;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.sql.SqlWithItem;
import org.nelumbo.parser.ast.NamedQuery;

/** A reference to a query of WITH, whose rows other references may read as well. */
public final class SharedQueryNode extends SingleRel {
  private final SqlWithItem item;

  SharedQueryNode(RelNode query, SqlWithItem item) {
    super(query.getCluster(), query.getTraitSet(), query);
    this.item = item;
  }

  /** Returns the key that all references to the same query share. */
  public Object key() {
    return item;
  }

  public String name() {
    return item.name.getSimple();
  }

  /** Returns true for AS MATERIALIZED, that is, if the query has to run once. */
  public boolean isMaterialized() {
    return item instanceof NamedQuery query && query.isMaterialized();
  }

  /** Returns true for AS NOT MATERIALIZED, that is, if the query has to be inlined. */
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
