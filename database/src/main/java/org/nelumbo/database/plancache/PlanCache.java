package org.nelumbo.database.plancache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.List;
import java.util.Set;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.limit.StatementLimits;
import org.nelumbo.parser.LiteralTokens;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.catalog.TemporarySchema;
import org.nelumbo.planner.literal.LiteralPositions;
import org.nelumbo.session.Isolation;
import org.nelumbo.types.ColumnType;

/**
 * The plan cache of a database: compiled statements by text. A plan is valid for one version of the
 * catalog, one default schema and one isolation level. The cache is bounded by the approximate
 * memory size of texts and plans; long texts are not cached. Thread-safe.
 */
public final class PlanCache {
  /** Shapes may take one part in this many of the memory limit of plans, in addition to it. */
  private static final int PLACES_SHARE = 8;

  private static final int PLACES_BYTES = 200;

  /** Texts with more literals are planned without parameterization. */
  static final int MOST_LITERALS = 256;

  private final Catalog catalog;
  private final StatementCompiler compiler;
  private final Cache<Key, CachedStatement> cache;

  private final Cache<String, LiteralPositions> places;

  private final PlansInProgress inProgress;

  private record Key(
      String sql,
      String schema,
      TemporarySchema temporary,
      Isolation isolation,
      List<ColumnType> parameterTypes) {}

  /** Texts whose shared plan is not known yet; only one of them is planned at a time. */
  private record Shape(
      String shape, String schema, TemporarySchema temporary, Isolation isolation) {}

  public PlanCache(
      Environment environment, Catalog catalog, StatementCompiler compiler, int cacheSize) {
    this.catalog = catalog;
    this.compiler = compiler;
    this.inProgress = new PlansInProgress(environment);
    this.cache =
        Caffeine.newBuilder()
            .maximumWeight(PlanWeight.limit(cacheSize))
            .weigher((Key key, CachedStatement value) -> PlanWeight.of(key.sql))
            .executor(Runnable::run)
            .build();
    this.places =
        Caffeine.newBuilder()
            .maximumWeight(PlanWeight.limit(cacheSize) / PLACES_SHARE)
            .weigher((String shape, LiteralPositions value) -> 2 * shape.length() + PLACES_BYTES)
            .executor(Runnable::run)
            .build();
  }

  /**
   * Returns the plan of a text for the present catalog.
   *
   * @param temporary temporary tables of the session; null for none
   */
  CachedStatement compile(
      String sql,
      String schema,
      TemporarySchema temporary,
      Isolation isolation,
      List<ColumnType> parameterTypes,
      StatementLimits limits) {
    Key key = new Key(sql, schema, temporary, isolation, parameterTypes);
    CachedStatement known = known(key);
    if (known != null) {
      return known;
    }
    if (!PlanWeight.isKept(sql)) {
      return make(key, limits);
    }
    return inProgress.get(
        key,
        () -> known(key),
        () -> {
          CachedStatement made = make(key, limits);
          keep(key, made);
          return made;
        },
        limits);
  }

  private CachedStatement make(Key key, StatementLimits limits) {
    CatalogState state = catalog.state().seenWith(key.temporary);
    return compiler.compile(
        key.sql, null, key.schema, key.isolation, key.parameterTypes, state, limits);
  }

  private CachedStatement known(Key key) {
    CachedStatement known = cache.getIfPresent(key);
    return known != null && known.isGoodFor(catalog.state().version()) ? known : null;
  }

  /**
   * Returns the locations of the parameterized literals in texts of a shape, or null if unknown.
   */
  LiteralPositions places(String shape) {
    return places.getIfPresent(shape);
  }

  /** Returns the plan that texts with equal keys share, or null if no valid plan is cached. */
  CachedStatement shared(
      String key, String schema, TemporarySchema temporary, Isolation isolation) {
    return known(new Key(key, schema, temporary, isolation, List.of()));
  }

  /**
   * Returns the plan of a text, which texts with other literals may share.
   *
   * @param key key of the texts that share the plan; null if it is not known yet
   */
  CachedStatement compileShared(
      String sql,
      LiteralTokens literals,
      String shape,
      String key,
      String schema,
      TemporarySchema temporary,
      Isolation isolation,
      StatementLimits limits) {
    Object awaited =
        key == null
            ? new Shape(shape, schema, temporary, isolation)
            : new Key(key, schema, temporary, isolation, List.of());
    return inProgress.get(
        awaited,
        () -> {
          LiteralPositions lifted = places(shape);
          return lifted == null
              ? null
              : shared(sharedKey(sql, literals, shape, lifted), schema, temporary, isolation);
        },
        () -> makeShared(sql, literals, shape, schema, temporary, isolation, limits),
        limits);
  }

  private CachedStatement makeShared(
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
    LiteralPositions lifted = made.places() == null ? LiteralPositions.NONE : made.places();
    places.put(shape, lifted);
    String key = sharedKey(sql, literals, shape, lifted);
    keep(new Key(key, schema, temporary, isolation, List.of()), made);
    return made;
  }

  /** Caches a statement, except a schema change, which makes itself invalid. */
  private void keep(Key key, CachedStatement made) {
    if (made.kind().changesCatalog()) {
      return;
    }
    CachedStatement outdated = cache.getIfPresent(key);
    if (outdated != null) {
      made.addCompilations(outdated);
    }
    cache.put(key, made);
  }

  private static String sharedKey(
      String sql, LiteralTokens literals, String shape, LiteralPositions lifted) {
    return lifted == LiteralPositions.NONE ? sql : lifted.key(shape, literals);
  }

  /**
   * Replans the cached statements that use tables of changed size, for a catalog version that is
   * not published yet. Statements whose plan is unchanged, and all other statements, are confirmed
   * for that version without an effect on running statements. Statements outside of the cache are
   * planned when they are next used.
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
      return; // the next run of the statement reports it
    }
    if ((fresh.places() == null) != (known.places() == null)) {
      return; // planned again at its next use
    }
    if (fresh.isLike(known)) {
      known.addCompilations(fresh);
      known.confirm(next.version());
    } else {
      fresh.addCompilations(known);
      cache.asMap().replace(key, known, fresh);
    }
  }

  /** Returns the number of compilations and the durations of their stages. */
  public CompilationCounts compilations() {
    return compiler.counts();
  }

  /** Returns the number of cached plans. */
  public long size() {
    return cache.estimatedSize();
  }

  /** Receives the contents of the cache. */
  @FunctionalInterface
  public interface Visitor {
    void visit(String schema, Isolation isolation, CachedStatement cachedStatement);
  }

  /** Passes all statements in the cache to a visitor, in no particular order. */
  public void forEach(Visitor visitor) {
    cache.asMap().forEach((key, value) -> visitor.visit(key.schema, key.isolation, value));
  }
}
