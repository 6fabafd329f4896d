package org.nelumbo.planner.physical;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.parser.ast.LockingQuery;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.schema.CatalogTable;
import org.nelumbo.planner.type.SqlErrors;

/** The tables of a locking query whose rows are locked: those in OF, or all. */
final class LockedTables {
  /** Names in OF; null for all tables. */
  private final Set<String> names;

  private final RelNode root;

  private LockedTables(Set<String> names, RelNode root) {
    this.names = names;
    this.root = root;
  }

  /**
   * Finds the locked tables of a query.
   *
   * @param root the converted query
   */
  static LockedTables of(LockingQuery locking, RelNode root) {
    if (locking.tables().isEmpty()) {
      return new LockedTables(null, root);
    }
    Map<String, String> aliases = new HashMap<>();
    addAliases(locking.query(), aliases);
    Set<String> names = new HashSet<>();
    for (SqlNode table : locking.tables()) {
      String name = aliases.get(((SqlIdentifier) table).names.getLast());
      if (name == null) {
        throw SqlErrors.at(
            ErrorCode.NO_SUCH_TABLE,
            "Table '" + table + "' of OF not found in FROM; write it as in FROM",
            table.getParserPosition());
      }
      names.add(name);
    }
    return new LockedTables(names, root);
  }

  private static void addAliases(SqlNode node, Map<String, String> aliases) {
    switch (node) {
      case SqlOrderBy order -> addAliases(order.query, aliases);
      case SqlWith with -> addAliases(with.body, aliases);
      case SqlSelect select when select.getFrom() != null -> addAliases(select.getFrom(), aliases);
      case SqlJoin join -> {
        addAliases(join.getLeft(), aliases);
        addAliases(join.getRight(), aliases);
      }
      case SqlIdentifier name -> {
        aliases.put(name.names.getLast(), name.names.getLast());
      }
      case SqlCall call when call.getKind() == SqlKind.AS -> {
        if (call.operand(0) instanceof SqlIdentifier name) {
          aliases.put(((SqlIdentifier) call.operand(1)).getSimple(), name.names.getLast());
        }
      }
      default -> {}
    }
  }

  /** Returns all scans of these tables in the query, including those in derived tables. */
  List<TableScan> all() {
    List<TableScan> scans = new ArrayList<>();
    addAll(root, scans);
    return scans;
  }

  private void addAll(RelNode node, List<TableScan> scans) {
    if (node instanceof TableScan scan) {
      if (isMeant(scan)) {
        scans.add(scan);
      }
    }
    node.getInputs().forEach(input -> addAll(input, scans));
  }

  private boolean isMeant(TableScan scan) {
    CatalogTable found = scan.getTable().unwrap(CatalogTable.class);
    return found != null
        && found.relation() instanceof TableEntry table
        && (names == null || names.contains(table.name()));
  }

  /** Returns the scans for which each result row contains one row of the table. */
  List<TableScan> shown() {
    List<TableScan> scans = new ArrayList<>();
    addShown(root, scans);
    if (scans.isEmpty()) {
      throw notShown();
    }
    return scans;
  }

  private void addShown(RelNode node, List<TableScan> scans) {
    switch (node) {
      case TableScan scan -> addAll(scan, scans);
      case Filter filter -> addShown(filter.getInput(), scans);
      case Sort sort -> addShown(sort.getInput(), scans);
      case Project project when !project.containsOver() -> addShown(project.getInput(), scans);
      case Correlate correlate -> addShown(correlate.getLeft(), scans);
      case Join join -> {
        addSide(join.getLeft(), join.getJoinType().generatesNullsOnLeft(), scans);
        if (join.getJoinType().projectsRight()) {
          addSide(join.getRight(), join.getJoinType().generatesNullsOnRight(), scans);
        }
      }
      default -> refuse(node);
    }
  }

  private void addSide(RelNode side, boolean mayBeMissing, List<TableScan> scans) {
    if (mayBeMissing) {
      refuse(side);
    } else {
      addShown(side, scans);
    }
  }

  private void refuse(RelNode node) {
    List<TableScan> scans = new ArrayList<>();
    addAll(node, scans);
    if (!scans.isEmpty()) {
      throw notShown();
    }
  }

  private static NelumboException notShown() {
    return new NelumboException(
        ErrorCode.UNSUPPORTED,
        "SKIP LOCKED locks rows that are in the result, not those of DISTINCT, GROUP BY, UNION,"
            + " window functions or the missing side of an outer join; name other tables with OF,"
            + " or leave it out");
  }
}
