package org.nelumbo.planner.physical;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.hint.RelHint;
import org.apache.calcite.rel.logical.LogicalSort;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.sql.SqlTableRef;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.op.access.NoWait;
import org.nelumbo.executor.op.access.SkipLocked;
import org.nelumbo.parser.ast.LockStrength;
import org.nelumbo.parser.ast.LockWait;
import org.nelumbo.parser.ast.SubQueryLocks;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.convert.ConvertedStatement;
import org.nelumbo.planner.frontend.SqlFrontEnd;
import org.nelumbo.planner.relation.LockedRowsNode;
import org.nelumbo.planner.relation.PlannedRelation;
import org.nelumbo.planner.rex.Conjuncts;
import org.nelumbo.planner.rex.PlanContext;
import org.nelumbo.planner.subquery.SharedQueryNodes;
import org.nelumbo.planner.subquery.SubQueryRewriter;
import org.nelumbo.planner.type.SqlErrors;
import org.nelumbo.session.Isolation;

/**
 * Decides where the row locks of FOR UPDATE and FOR SHARE are taken. Without NOWAIT and SKIP
 * LOCKED, the scans lock the rows that they read. Otherwise, only rows of the result are locked: a
 * {@link LockedRowsNode} is placed above the conditions and joins of the query, and below its
 * LIMIT. It stays within the query that requests the locks, because SKIP LOCKED reads its candidate
 * rows without locks.
 */
final class RowLocks {
  private final PlanContext context;
  private final Map<TableScan, Request> requests = new HashMap<>();

  /** Positions in the text of the tables whose scans were found. */
  private final Set<String> met = new HashSet<>();

  /**
   * The lock request for the rows of a scan.
   *
   * @param query the subquery that requests the locks; null for the whole statement
   * @param reads whether that query has subqueries of its own
   */
  private record Request(String query, boolean reads, LockStrength strength, LockWait lockWait) {}

  private static final class OpenScan {
    final TableScan scan;
    final Request request;

    /** True while subqueries may still belong to the requesting query. */
    boolean inCondition;

    boolean inList;

    OpenScan(TableScan scan, Request request) {
      this.scan = scan;
      this.request = request;
      this.inCondition = request.reads;
      this.inList = request.reads;
    }

    /** Moves above a node; returns false if the node is outside of the requesting query. */
    boolean rise(RelNode node, int input) {
      if (request.query == null) {
        return true;
      }
      switch (node) {
        case Filter filter when Conjuncts.hasSubQuery(filter.getCondition()) -> {
          boolean own = inCondition;
          inCondition = false;
          return own;
        }
        case Project project -> {
          boolean own = inList || project.getProjects().stream().noneMatch(Conjuncts::hasSubQuery);
          inCondition = false;
          inList = false;
          return own;
        }
        case Join join -> {
          return queriesIn(join.getInput(1 - input)).contains(request.query);
        }
        case Correlate _ -> {
          return inCondition || inList;
        }
        default -> {
          return true;
        }
      }
    }
  }

  RowLocks(PlanContext context) {
    this.context = context;
  }

  /** Returns the relational tree of a statement, with the locks of its subqueries. */
  static RelNode placed(PlanContext context, ConvertedStatement converted) {
    RelNode root = SubQueryRewriter.rewrite(SharedQueryNodes.resolved(converted));
    if (converted.lockedTables().isEmpty()) {
      return root;
    }
    RowLocks locks = new RowLocks(context);
    RelNode placed = locks.place(root);
    converted.lockedTables().forEach(locks::checkMet);
    return placed;
  }

  private void checkMet(SqlTableRef locked) {
    if (!met.contains(SubQueryLocks.place(locked))) {
      throw SqlErrors.at(
          ErrorCode.UNSUPPORTED,
          "a subquery locks rows of tables only, and "
              + locked.tableName
              + " is not a table; lock the rows where it reads them, or name tables with OF",
          locked.getParserPosition());
    }
  }

  /** Requests locks for rows of the whole statement. */
  void request(List<TableScan> scans, LockStrength strength, LockWait lockWait) {
    scans.forEach(scan -> requests.put(scan, new Request(null, true, strength, lockWait)));
  }

  /** Places all requested locks in a tree. */
  RelNode place(RelNode root) {
    List<OpenScan> open = new ArrayList<>();
    return locked(placed(root, open), open);
  }

  /**
   * Places locks below and inside a node.
   *
   * @param open receives the scans whose rows are visible in the node and which are locked above it
   */
  private RelNode placed(RelNode node, List<OpenScan> open) {
    if (node instanceof TableScan scan) {
      Request request = request(scan);
      if (request != null) {
        open(scan, request, open);
      }
      return scan;
    }
    List<RelNode> inputs = new ArrayList<>();
    for (int i = 0; i < node.getInputs().size(); i++) {
      List<OpenScan> ofInput = new ArrayList<>();
      RelNode input = placed(node.getInput(i), ofInput);
      List<OpenScan> here = new ArrayList<>();
      for (OpenScan scan : ofInput) {
        (showsRowsOf(node, i) && scan.rise(node, i) ? open : here).add(scan);
      }
      inputs.add(locked(input, here));
    }
    RelNode placed = inputs.equals(node.getInputs()) ? node : node.copy(node.getTraitSet(), inputs);
    placed = placed.accept(inSubQueries);
    if (placed instanceof Sort sort && isLimit(sort) && !open.isEmpty()) {
      RelNode limited = belowLimit(sort, open);
      open.clear();
      return limited;
    }
    return placed;
  }

  private final RexShuttle inSubQueries =
      new RexShuttle() {
        @Override
        public RexNode visitSubQuery(RexSubQuery subQuery) {
          RelNode placed = place(subQuery.rel);
          return super.visitSubQuery(
              placed.equals(subQuery.rel) ? subQuery : subQuery.clone(placed));
        }
      };

  private static List<String> options(TableScan scan) {
    for (RelHint hint : scan.getHints()) {
      if (hint.hintName.equals(SubQueryLocks.HINT)) {
        return hint.listOptions;
      }
    }
    return List.of();
  }

  private static Set<String> queriesIn(RelNode node) {
    Set<String> queries = new HashSet<>();
    if (node instanceof TableScan scan && !options(scan).isEmpty()) {
      queries.add(options(scan).getFirst());
    }
    node.getInputs().forEach(input -> queries.addAll(queriesIn(input)));
    return queries;
  }

  private Request request(TableScan scan) {
    List<String> options = options(scan);
    if (options.size() <= 2
        || !(SqlFrontEnd.table(scan.getTable()).relation() instanceof TableEntry)) {
      return requests.get(scan);
    }
    met.add(options.get(2));
    return new Request(
        options.get(0),
        Boolean.parseBoolean(options.get(1)),
        LockStrength.valueOf(options.get(3)),
        LockWait.valueOf(options.get(4)));
  }

  private void open(TableScan scan, Request request, List<OpenScan> open) {
    if (request.lockWait != LockWait.DEFAULT) {
      open.add(new OpenScan(scan, request));
    }
    if (request.lockWait != LockWait.SKIP_LOCKED && writes(request)) {
      context.lock(scan);
    }
  }

  private boolean writes(Request request) {
    return request.strength == LockStrength.UPDATE || context.isolation() == Isolation.SNAPSHOT;
  }

  private static boolean showsRowsOf(RelNode node, int input) {
    return switch (node) {
      case Filter _ -> true;
      case Project project -> !project.containsOver();
      case Sort _ -> true;
      case Join join ->
          input == 0
              ? !join.getJoinType().generatesNullsOnLeft()
              : join.getJoinType().projectsRight() && !join.getJoinType().generatesNullsOnRight();
      case Correlate _ -> input == 0;
      default -> false;
    };
  }

  private static boolean isLimit(Sort sort) {
    return sort.fetch != null || sort.offset != null;
  }

  /** Rows are locked in the order in which the limit reads them. */
  private RelNode belowLimit(Sort sort, List<OpenScan> open) {
    boolean ordered = !sort.getCollation().getFieldCollations().isEmpty();
    RelNode input =
        ordered
            ? LogicalSort.create(sort.getInput(), sort.getCollation(), null, null)
            : sort.getInput();
    return LogicalSort.create(locked(input, open), RelCollations.EMPTY, sort.offset, sort.fetch);
  }

  /** A projection stays on top, where the planner of a change expects it. */
  private RelNode locked(RelNode node, List<OpenScan> open) {
    if (open.isEmpty()) {
      return node;
    }
    if (node instanceof Project) {
      return node.copy(node.getTraitSet(), List.of(locked(node.getInput(0), open)));
    }
    Map<Request, List<TableScan>> alike = new LinkedHashMap<>();
    for (OpenScan each : open) {
      alike.computeIfAbsent(each.request, request -> new ArrayList<>()).add(each.scan);
    }
    RelNode locked = node;
    for (Map.Entry<Request, List<TableScan>> each : alike.entrySet()) {
      LockMode lockMode = writes(each.getKey()) ? LockMode.WRITE : LockMode.READ;
      locked = new LockedRowsNode(locked, each.getValue(), lockMode, each.getKey().lockWait);
    }
    return locked;
  }

  /** Plans the locking of the rows of an input. */
  static PlannedRelation plan(PlanContext context, LockedRowsNode node, PlannedRelation input) {
    if (node.lockWait() == LockWait.NOWAIT) {
      return input.withOperator(new NoWait(input.operator()));
    }
    List<SkipLocked.Target> targets = new ArrayList<>();
    for (TableScan scan : node.scans()) {
      TableEntry table = (TableEntry) SqlFrontEnd.table(scan.getTable()).relation();
      targets.add(new SkipLocked.Target(table.store(), context.rowOf(scan), node.lockMode()));
    }
    if (node.lockMode() == LockMode.WRITE) {
      context.noteWriteLocks();
    }
    return input.withOperator(new SkipLocked(input.operator(), targets));
  }
}
