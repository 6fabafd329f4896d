package org.nelumbo.planner.plancache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.List;
import java.util.Set;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.limit.StatementLimits;
import org.nelumbo.executor.row.ColumnType;
import org.nelumbo.executor.txn.Isolation;
import org.nelumbo.parser.LiteralTokens;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.catalog.TemporarySchema;
import org.nelumbo.planner.frontend.LiteralPlaces;

/**
 * The plan cache of a database: compiled statements by text. A plan is good for one version of the
 * catalogue, one default schema and one isolation level. What is kept is bounded by what texts and
 * plans take in memory, about; long texts are not kept. Thread-safe.
 */
public final class PlanCache {
  /** Of what plans may take, the part that shapes may take beside them. */
  private static final int PLACES_SHARE = 8;

  private static final int PLACES_BYTES = 200;

  /** Texts with more literals are planned as they are. */
  static final int MOST_LITERALS = 256;

  private final Catalog catalog;
  private final StatementCompiler compiler;
  private final Cache<Key, CachedStatement> cache;

  /** Which literals are lifted out of texts, by the shape of these. */
  private final Cache<String, LiteralPlaces> places;

  private record Key(
      String sql,
      String schema,
      TemporarySchema temporary,
      Isolation isolation,
      List<ColumnType> parameterTypes) {}

  public PlanCache(Catalog catalog, StatementCompiler compiler, int cacheSize) {
    this.catalog = catalog;
    this.compiler = compiler;
    this.cache =
        Caffeine.newBuilder()
            .maximumWeight(PlanWeight.limit(cacheSize))
            .weigher((Key key, CachedStatement value) -> PlanWeight.of(key.sql))
            .executor(Runnable::run)
            .build();
    this.places =
        Caffeine.newBuilder()
            .maximumWeight(PlanWeight.limit(cacheSize) / PLACES_SHARE)
            .weigher((String shape, LiteralPlaces value) -> 2 * shape.length() + PLACES_BYTES)
            .executor(Runnable::run)
            .build();
  }

  /**
   * The plan of a text for the present catalogue.
   *
   * @param temporary the session's temporary tables; null if it has none
   */
  CachedStatement compile(
      String sql,
      String schema,
      TemporarySchema temporary,
      Isolation isolation,
      List<ColumnType> parameterTypes,
      StatementLimits limits) {
    Key key = new Key(sql, schema, temporary, isolation, parameterTypes);
    CatalogState state = catalog.state().seenWith(temporary);
    CachedStatement known = cache.getIfPresent(key);
    if (known != null && known.isGoodFor(state.version())) {
      return known;
    }
    CachedStatement cachedStatement =
        compiler.compile(sql, null, schema, isolation, parameterTypes, state, limits);
    if (PlanWeight.isKept(sql)) {
      cache.put(key, cachedStatement);
    }
    return cachedStatement;
  }

  /** Which literals of texts of a shape are lifted; null if that is not known. */
  LiteralPlaces places(String shape) {
    return places.getIfPresent(shape);
  }

  /** The plan of texts that have a key in common; null if there is none that is good. */
  CachedStatement shared(
      String key, String schema, TemporarySchema temporary, Isolation isolation) {
    CachedStatement known =
        cache.getIfPresent(new Key(key, schema, temporary, isolation, List.of()));
    return known != null && known.isGoodFor(catalog.state().version()) ? known : null;
  }

  /** The plan of a text, which those may share that differ in literals. */
  CachedStatement compileShared(
      String sql,
      LiteralTokens literals,
      String shape,
      String schema,
      TemporarySchema temporary,
      Isolation isolation,
      StatementLimits limits) {
    CatalogState state = catalog.state().seenWith(temporary);
    CachedStatement made =
        compiler.compile(sql, literals, schema, isolation, List.of(), state, limits);
    boolean shares = made.places() != null;
    places.put(shape, shares ? made.places() : LiteralPlaces.NONE);
    String key = shares ? made.places().key(shape, literals) : sql;
    cache.put(new Key(key, schema, temporary, isolation, List.of()), made);
    return made;
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
              known.sql(),
              known.places() == null ? null : LiteralTokens.of(known.sql(), MOST_LITERALS),
              key.schema,
              key.isolation,
              key.parameterTypes,
              next.seenWith(key.temporary),
              new StatementLimits());
    } catch (NelumboException e) {
      return; // whoever runs it is told
    }
    if ((fresh.places() == null) != (known.places() == null)) {
      return; // planned anew when it is next used
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
