package org.nelumbo.planner.plancache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.List;
import java.util.Set;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.limit.StatementLimits;
import org.nelumbo.executor.row.ColumnType;
import org.nelumbo.executor.txn.Isolation;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.TableEntry;

/**
 * The plan cache of a database: compiled statements by text. A plan is good for one version of the
 * catalogue, one default schema and one isolation level. What is kept is bounded by what texts and
 * plans take in memory, about; long texts are not kept. Thread-safe.
 */
public final class PlanCache {
  private final Catalog catalog;
  private final StatementCompiler compiler;
  private final Cache<Key, CachedStatement> cache;

  private record Key(
      String sql, String schema, Isolation isolation, List<ColumnType> parameterTypes) {}

  public PlanCache(Catalog catalog, StatementCompiler compiler, int cacheSize) {
    this.catalog = catalog;
    this.compiler = compiler;
    this.cache =
        Caffeine.newBuilder()
            .maximumWeight(PlanWeight.limit(cacheSize))
            .weigher((Key key, CachedStatement value) -> PlanWeight.of(key.sql))
            .executor(Runnable::run)
            .build();
  }

  /** The plan of a text for the present catalogue. */
  CachedStatement compile(
      String sql,
      String schema,
      Isolation isolation,
      List<ColumnType> parameterTypes,
      StatementLimits limits) {
    Key key = new Key(sql, schema, isolation, parameterTypes);
    CatalogState state = catalog.state();
    CachedStatement known = cache.getIfPresent(key);
    if (known != null && known.isGoodFor(state.version())) {
      return known;
    }
    CachedStatement cachedStatement =
        compiler.compile(sql, schema, isolation, parameterTypes, state, limits);
    if (PlanWeight.isKept(sql)) {
      cache.put(key, cachedStatement);
    }
    return cachedStatement;
  }

  /**
   * Plans the statements in the cache anew that touch tables of another size, for a version of the
   * catalogue that nobody has seen yet. Those whose plan stays the same, and all others, are good
   * for it as they are: who runs them notices nothing. What is not in the cache is planned when it
   * is next used.
   */
  void replan(Set<TableEntry> resized, CatalogState next) {
    cache
        .asMap()
        .forEach(
            (key, known) -> {
              if (known.isGoodFor(next.version() - 1)) {
                replan(key, known, resized, next);
              }
            });
  }

  private void replan(Key key, CachedStatement known, Set<TableEntry> resized, CatalogState next) {
    if (!known.touches(resized)) {
      known.confirm(next.version());
      return;
    }
    CachedStatement fresh;
    try {
      fresh =
          compiler.compile(
              key.sql, key.schema, key.isolation, key.parameterTypes, next, new StatementLimits());
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
  public long size() {
    return cache.estimatedSize();
  }

  /** Receives what is in the cache. */
  @FunctionalInterface
  public interface Visitor {
    void visit(String schema, Isolation isolation, CachedStatement cachedStatement);
  }

  /** Shows all statements in the cache, in no particular order. */
  public void forEach(Visitor visitor) {
    cache.asMap().forEach((key, value) -> visitor.visit(key.schema, key.isolation, value));
  }
}
