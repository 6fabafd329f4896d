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
import org.nelumbo.planner.literal.LiteralPlaces;
import org.nelumbo.session.Isolation;
import org.nelumbo.types.ColumnType;

/**
 * The statements a session has prepared, by text, so that preparing one again takes one look-up. A
 * plan is good for one version of the catalogue, one isolation level and one schema for unqualified
 * names; when one of these changes, all that is not good any more is forgotten. One thread at a
 * time.
 */
public final class SessionPlanCache {
  private static final int CACHED_PLANS = 512;

  /** Plans that the cache of the database forgets may stay alive here. */
  private static final long CACHED_BYTES = 8 << 20;

  /** In longer texts literals are not looked for. */
  private static final int LONGEST_SHARED = 8 << 10;

  private final Catalog catalog;
  private final PlanCache cache;
  private final Map<String, CachedStatement> plans = new HashMap<>();
  private long version;

  /** What the plans take in memory, about. */
  private long bytes;

  private long purges;

  /** The isolation that statements are planned for: that of the transaction, or of the next one. */
  private Isolation isolation;

  private String schema;

  /** The session's temporary tables; null if it has none. */
  private TemporarySchema temporary;

  public SessionPlanCache(Catalog catalog, PlanCache cache, Isolation isolation, String schema) {
    this.catalog = catalog;
    this.cache = cache;
    this.isolation = isolation;
    this.schema = schema;
  }

  /** What unqualified names mean. */
  public String schema() {
    return schema;
  }

  /** Changes what unqualified names mean; 3F000 if there is no such schema. */
  public void setSchema(String name) {
    CatalogState state = catalog.state();
    String folded = name.toUpperCase(Locale.ROOT);
    boolean isFolded = !state.hasSchema(name) && state.hasSchema(folded);
    state.checkSchema(isFolded ? folded : name);
    schema = isFolded ? folded : name;
    clear();
  }

  /** The session's temporary tables; null if it has none. */
  public TemporarySchema temporary() {
    return temporary;
  }

  /** The session has other temporary tables. */
  public void setTemporary(TemporarySchema value) {
    temporary = value;
    clear();
  }

  /** From now on statements are planned for this isolation. */
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

  /** Grows whenever plans have been forgotten. */
  public long purges() {
    return purges;
  }

  /** The plan of a text for the present catalogue, if the session has it; else null. */
  public CachedStatement known(String sql) {
    long now = catalog.state().version();
    if (now != version) {
      plans.values().removeIf(plan -> !plan.isGoodFor(now));
      purges++;
      version = now;
    }
    return plans.get(sql);
  }

  /** The plan of a text for the present catalogue, made within limits if nobody has it. */
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

  /** The plan that a text shares with those that differ in literals; null if it has its own. */
  private CachedStatement shared(String sql, LiteralTokens literals, StatementLimits limits) {
    String shape = literals.shape();
    LiteralPlaces places = cache.places(shape);
    if (places == LiteralPlaces.NONE) {
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

  /** The plan of a text for values of parameters of these types; the session does not keep it. */
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

  /** The plan itself if it is still good, else a new one of the same text. */
  public CachedStatement current(CachedStatement cachedStatement, StatementLimits limits) {
    if (isCurrent(cachedStatement)) {
      return cachedStatement;
    }
    List<ColumnType> types = cachedStatement.parameterTypes();
    return types.isEmpty()
        ? compile(cachedStatement.sql(), limits)
        : compile(cachedStatement.sql(), types, limits);
  }

  /** Whether a plan is good for the present catalogue and the next transaction. */
  public boolean isCurrent(CachedStatement cachedStatement) {
    return isUpToDate(cachedStatement) && cachedStatement.isolation() == isolation;
  }

  /** Whether a plan is good for the present catalogue. */
  public boolean isUpToDate(CachedStatement cachedStatement) {
    return cachedStatement.isGoodFor(catalog.state().version())
        && cachedStatement.isSeenWith(temporary);
  }
}
