package org.nelumbo.database.plancache;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.nelumbo.executor.limit.StatementLimits;
import org.nelumbo.parser.LiteralTokens;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.TemporarySchema;
import org.nelumbo.planner.literal.LiteralPositions;
import org.nelumbo.session.Isolation;
import org.nelumbo.types.ColumnType;

/**
 * The prepared statements of a session by text, so that preparing one again takes a single lookup.
 * A plan is valid for one version of the catalog, one isolation level and one default schema; when
 * one of these changes, invalid plans are removed. Used by one thread at a time.
 */
public final class SessionPlanCache {
  private static final int CACHED_PLANS = 512;

  /** Memory limit: plans that the database's cache has evicted may stay alive here. */
  private static final long CACHED_BYTES = 8 << 20;

  /** Maximum length of a text whose literals are parameterized, in characters. */
  private static final int LONGEST_SHARED = 8 << 10;

  private final Catalog catalog;
  private final PlanCache cache;
  private final Map<String, CachedStatement> plans = new HashMap<>();
  private long version;

  private long bytes;

  private long purges;

  /** Isolation level for planning: the level of the current or of the next transaction. */
  private Isolation isolation;

  private String schema;

  private TemporarySchema temporary;

  public SessionPlanCache(Catalog catalog, PlanCache cache, Isolation isolation, String schema) {
    this.catalog = catalog;
    this.cache = cache;
    this.isolation = isolation;
    this.schema = schema;
  }

  /** Returns the default schema for unqualified names. */
  public String schema() {
    return schema;
  }

  /** Sets the default schema for unqualified names; throws 3F000 if it does not exist. */
  public void setSchema(String name) {
    CatalogState state = catalog.state();
    String folded = name.toUpperCase(Locale.ROOT);
    boolean isFolded = !state.hasSchema(name) && state.hasSchema(folded);
    state.checkSchema(isFolded ? folded : name);
    schema = isFolded ? folded : name;
    clear();
  }

  /** Returns the temporary tables of the session, or null for none. */
  public TemporarySchema temporary() {
    return temporary;
  }

  /** Sets the temporary tables of the session. */
  public void setTemporary(TemporarySchema value) {
    temporary = value;
    clear();
  }

  /** Sets the isolation level for planning. */
  public void planFor(Isolation level) {
    if (level != isolation) {
      isolation = level;
      clear();
    }
  }

  public void clear() {
    plans.clear();
    bytes = 0;
    purges++;
  }

  /** Returns a counter that increases whenever plans are removed. */
  public long purges() {
    return purges;
  }

  /** Returns the session's plan of a text for the present catalog, or null if it is absent. */
  public CachedStatement known(String sql) {
    long now = catalog.state().version();
    if (now != version) {
      plans.values().removeIf(plan -> !plan.isGoodFor(now));
      purges++;
      version = now;
    }
    return plans.get(sql);
  }

  /**
   * Returns the plan of a text for the present catalog; compiles it within limits if no cache has
   * it.
   */
  public CachedStatement compile(String sql, StatementLimits limits) {
    CachedStatement known = known(sql);
    if (known != null) {
      return known;
    }
    LiteralTokens literals =
        sql.length() <= LONGEST_SHARED ? LiteralTokens.of(sql, PlanCache.MOST_LITERALS) : null;
    CachedStatement shared = literals == null ? null : shared(sql, literals, limits);
    if (shared != null) {
      return shared;
    }
    CachedStatement cachedStatement = compile(sql, List.of(), limits);
    if (PlanWeight.isKept(sql)) {
      keep(sql, cachedStatement);
    }
    return cachedStatement;
  }

  private CachedStatement shared(String sql, LiteralTokens literals, StatementLimits limits) {
    String shape = literals.shape();
    LiteralPositions places = cache.places(shape);
    if (places == LiteralPositions.NONE) {
      return null;
    }
    String key = places == null ? null : places.key(shape, literals);
    CachedStatement known = key == null ? null : plans.get(key);
    if (known == null) {
      known = key == null ? null : cache.shared(key, schema, temporary, isolation);
      if (known == null) {
        known =
            cache.compileShared(sql, literals, shape, key, schema, temporary, isolation, limits);
      }
      if (known.places() == null) {
        keep(sql, known);
        return known;
      }
      keep(known.places().key(shape, literals), known);
    }
    return known.ofText(sql, literals);
  }

  /** Returns the plan of a text for these parameter types; the session does not cache it. */
  public CachedStatement compile(
      String sql, List<ColumnType> parameterTypes, StatementLimits limits) {
    return cache.compile(sql, schema, temporary, isolation, parameterTypes, limits);
  }

  private void keep(String sql, CachedStatement cachedStatement) {
    bytes += PlanWeight.of(sql);
    if (plans.size() >= CACHED_PLANS || bytes > CACHED_BYTES) {
      plans.clear();
      bytes = PlanWeight.of(sql);
    }
    plans.put(sql, cachedStatement);
  }

  /** Returns the plan itself if it is still valid, else a new plan of the same text. */
  public CachedStatement current(CachedStatement cachedStatement, StatementLimits limits) {
    if (isCurrent(cachedStatement)) {
      return cachedStatement;
    }
    List<ColumnType> types = cachedStatement.parameterTypes();
    return types.isEmpty()
        ? compile(cachedStatement.sql(), limits)
        : compile(cachedStatement.sql(), types, limits);
  }

  /** Returns true if a plan is valid for the present catalog and the next transaction. */
  public boolean isCurrent(CachedStatement cachedStatement) {
    return isUpToDate(cachedStatement) && cachedStatement.isolation() == isolation;
  }

  /** Returns true if a plan is valid for the present catalog. */
  public boolean isUpToDate(CachedStatement cachedStatement) {
    return cachedStatement.isGoodFor(catalog.state().version())
        && cachedStatement.isSeenWith(temporary);
  }
}
