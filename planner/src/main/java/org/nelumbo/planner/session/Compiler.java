package org.nelumbo.planner.session;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Set;
import org.apache.calcite.sql.SqlExplain;
import org.apache.calcite.sql.SqlNode;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.txn.Isolation;
import org.nelumbo.planner.StatementKind;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.physical.PhysicalPlan;
import org.nelumbo.planner.physical.StatementPlanner;
import org.nelumbo.planner.sql.SqlErrors;
import org.nelumbo.sql.SqlParsing;
import org.nelumbo.sql.ast.ExplainAnalyze;

/**
 * Makes plans of texts, and remembers them. A plan is good for one version of the catalogue, one
 * default schema and one isolation level. Thread-safe.
 */
final class Compiler {
  private final Catalog catalog;
  private final StatementPlanner planner;
  private final Cache<Key, Compiled> cache;

  private record Key(String sql, String schema, Isolation isolation) {}

  Compiler(Catalog catalog, StatementPlanner planner, int cacheSize) {
    this.catalog = catalog;
    this.planner = planner;
    this.cache = Caffeine.newBuilder().maximumSize(cacheSize).executor(Runnable::run).build();
  }

  /** The plan of a text for the present catalogue. */
  Compiled compile(String sql, String schema, Isolation isolation) {
    Key key = new Key(sql, schema, isolation);
    CatalogState state = catalog.state();
    Compiled known = cache.getIfPresent(key);
    if (known != null && known.isGoodFor(state.version())) {
      return known;
    }
    Compiled compiled = compile(sql, schema, isolation, state);
    cache.put(key, compiled);
    return compiled;
  }

  /**
   * Plans the statements in the cache anew that touch tables of another size, for a version of the
   * catalogue that nobody has seen yet. Those whose plan stays the same, and all others, are good
   * for it as they are: who runs them notices nothing. What is not in the cache is planned when it
   * is next used.
   */
  void adapt(Set<TableEntry> resized, CatalogState next) {
    cache
        .asMap()
        .forEach(
            (key, known) -> {
              if (known.isGoodFor(next.version() - 1)) {
                adapt(key, known, resized, next);
              }
            });
  }

  private void adapt(Key key, Compiled known, Set<TableEntry> resized, CatalogState next) {
    if (!known.touches(resized)) {
      known.confirm(next.version());
      return;
    }
    Compiled fresh;
    try {
      fresh = compile(key.sql, key.schema, key.isolation, next);
    } catch (NelumboException e) {
      return; // whoever runs it is told
    }
    if (fresh.isLike(known)) {
      known.confirm(next.version());
    } else {
      cache.asMap().replace(key, known, fresh);
    }
  }

  /** Plans that are kept. */
  long size() {
    return cache.estimatedSize();
  }

  private Compiled compile(String sql, String schema, Isolation isolation, CatalogState state) {
    SqlNode statement = parse(sql);
    long version = state.version();
    org.nelumbo.sql.StatementKind sort = org.nelumbo.sql.StatementKind.of(statement);
    return switch (sort) {
      case QUERY, LOCKING_QUERY ->
          plan(sql, StatementKind.QUERY, statement, schema, isolation, state, false);
      case INSERT, UPDATE, DELETE, MERGE ->
          plan(sql, StatementKind.UPDATE, statement, schema, isolation, state, false);
      case EXPLAIN ->
          explain(sql, ((SqlExplain) statement).getExplicandum(), schema, isolation, state, false);
      case EXPLAIN_ANALYZE ->
          explain(sql, ((ExplainAnalyze) statement).statement(), schema, isolation, state, true);
      case DESCRIBE, CALL ->
          throw new NelumboException(
              ErrorCode.UNSUPPORTED,
              sort.title()
                  + " is not supported; look into SYS.TABLES, SYS.COLUMNS and SYS.INDEXES");
      default -> {
        StatementKind kind =
            sort.changesCatalog()
                ? StatementKind.DDL
                : sort.controlsTransaction() ? StatementKind.TRANSACTION : StatementKind.SESSION;
        yield Compiled.ofCommand(sql, kind, version, statement);
      }
    };
  }

  /** A syntax tree of its own: validation changes trees. */
  SqlNode parse(String sql) {
    try {
      return SqlParsing.parseStatement(sql);
    } catch (RuntimeException e) {
      throw SqlErrors.map(e);
    }
  }

  private Compiled plan(
      String sql,
      StatementKind kind,
      SqlNode statement,
      String schema,
      Isolation isolation,
      CatalogState state,
      boolean analyze) {
    PhysicalPlan plan = planner.plan(statement, state, schema, isolation);
    return Compiled.ofPlan(sql, kind, state.version(), isolation, plan, analyze);
  }

  private Compiled explain(
      String sql,
      SqlNode explained,
      String schema,
      Isolation isolation,
      CatalogState state,
      boolean analyze) {
    org.nelumbo.sql.StatementKind sort = org.nelumbo.sql.StatementKind.of(explained);
    if (!sort.changesRows()
        && sort != org.nelumbo.sql.StatementKind.QUERY
        && sort != org.nelumbo.sql.StatementKind.LOCKING_QUERY) {
      throw new NelumboException(
          ErrorCode.INVALID_STATEMENT, sort.title() + " has no plan to be explained");
    }
    return plan(sql, StatementKind.EXPLAIN, explained, schema, isolation, state, analyze);
  }

  /** Receives what is in the cache. */
  @FunctionalInterface
  interface Visitor {
    void visit(String schema, Isolation isolation, Compiled compiled);
  }

  /** Shows all statements in the cache, in no particular order. */
  void forEach(Visitor visitor) {
    cache.asMap().forEach((key, value) -> visitor.visit(key.schema, key.isolation, value));
  }

  long cachedPlans() {
    return cache.estimatedSize();
  }
}
