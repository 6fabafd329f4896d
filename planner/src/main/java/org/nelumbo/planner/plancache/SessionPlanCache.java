package org.nelumbo.planner.plancache;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.nelumbo.executor.limit.StatementLimits;
import org.nelumbo.executor.row.ColumnType;
import org.nelumbo.executor.txn.Isolation;
import org.nelumbo.planner.catalog.Catalog;

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
    catalog.state().checkSchema(name);
    schema = name;
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
    CachedStatement cachedStatement = compile(sql, List.of(), limits);
    if (PlanWeight.isKept(sql)) {
      keep(sql, cachedStatement);
    }
    return cachedStatement;
  }

  /** The plan of a text for values of parameters of these types; the session does not keep it. */
  public CachedStatement compile(
      String sql, List<ColumnType> parameterTypes, StatementLimits limits) {
    return cache.compile(sql, schema, isolation, parameterTypes, limits);
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
    return cachedStatement.isGoodFor(catalog.state().version());
  }
}
