package org.nelumbo.planner.plain;

import java.util.List;
import java.util.Objects;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexUtil;
import org.nelumbo.planner.convert.ConvertedStatement;

/**
 * Finds differences between two relational trees. Field names below the root, and projections that
 * only rename, do not count: no plan depends on them.
 */
final class RelDifference {
  private RelDifference() {}

  /** Returns the difference between two validated statements, or null if there is none. */
  static String of(ConvertedStatement one, ConvertedStatement other) {
    if (!one.rowType().getFullTypeString().equals(other.rowType().getFullTypeString())) {
      return "row types " + one.rowType().getFullTypeString() + other.rowType().getFullTypeString();
    } else if (!Objects.equals(one.origins(), other.origins())) {
      return "origins " + one.origins() + other.origins();
    } else if (!one.parameters().equals(other.parameters())) {
      return "parameters " + one.parameters() + other.parameters();
    } else if (!one.root().fields.equals(other.root().fields)
        || one.root().kind != other.root().kind
        || !one.root().collation.equals(other.root().collation)) {
      return "roots " + one.root() + other.root();
    }
    return ofTrees(one.root().rel, other.root().rel);
  }

  private static String ofTrees(RelNode first, RelNode second) {
    RelNode one = withoutNames(first);
    RelNode other = withoutNames(second);
    boolean same =
        one.getClass() == other.getClass()
            && one.getInputs().size() == other.getInputs().size()
            && types(one).equals(types(other))
            && expressions(one).equals(expressions(other));
    if (!same) {
      return one.explain() + other.explain();
    }
    for (int i = 0; i < one.getInputs().size(); i++) {
      String below = ofTrees(one.getInput(i), other.getInput(i));
      if (below != null) {
        return below;
      }
    }
    return null;
  }

  private static RelNode withoutNames(RelNode node) {
    return node instanceof Project project
            && RexUtil.isIdentity(project.getProjects(), project.getInput().getRowType())
        ? withoutNames(project.getInput())
        : node;
  }

  private static List<String> types(RelNode node) {
    return node.getRowType().getFieldList().stream()
        .map(RelDataTypeField::getType)
        .map(type -> type.getFullTypeString())
        .toList();
  }

  private static Object expressions(RelNode node) {
    return switch (node) {
      case Project project -> project.getProjects();
      case Filter filter -> filter.getCondition();
      case Join join -> List.of(join.getCondition(), join.getJoinType());
      case Aggregate aggregate -> List.of(aggregate.getAggCallList(), aggregate.getGroupSets());
      case Sort sort -> List.of(sort.getCollation(), sort.fetch == null, sort.offset == null);
      case Values values -> values.getTuples();
      case TableScan scan -> scan.getTable().getQualifiedName();
      default -> throw new IllegalStateException(node.toString());
    };
  }
}
