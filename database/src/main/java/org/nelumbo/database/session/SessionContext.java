package org.nelumbo.database.session;

import org.nelumbo.database.Database;
import org.nelumbo.database.check.DatabaseCheck;
import org.nelumbo.database.ddl.SchemaChanges;
import org.nelumbo.database.plancache.PlanCache;
import org.nelumbo.database.plancache.PlanInvalidator;
import org.nelumbo.database.workload.WorkloadMonitor;
import org.nelumbo.dm.disk.Directories;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.planner.catalog.Catalog;

/** The parts of a database that all its sessions share. Thread-safe. */
public final class SessionContext {
  private final Database database;
  private final Engine engine;
  private final Catalog catalog;
  private final PlanCache planCache;
  private final SchemaChanges schemaChanges;
  private final PlanInvalidator planInvalidator;
  private final WorkloadMonitor monitor;
  private final DatabaseCheck check;
  private final Directories directories;
  private volatile boolean abandoned;

  public SessionContext(
      Database database,
      Engine engine,
      Catalog catalog,
      PlanCache planCache,
      SchemaChanges schemaChanges,
      PlanInvalidator planInvalidator,
      WorkloadMonitor monitor,
      DatabaseCheck check,
      Directories directories) {
    this.database = database;
    this.engine = engine;
    this.catalog = catalog;
    this.planCache = planCache;
    this.schemaChanges = schemaChanges;
    this.planInvalidator = planInvalidator;
    this.monitor = monitor;
    this.check = check;
    this.directories = directories;
  }

  /** Returns the directories that statements may name. */
  Directories directories() {
    return directories;
  }

  Database database() {
    return database;
  }

  Engine engine() {
    return engine;
  }

  Environment environment() {
    return engine.environment();
  }

  Catalog catalog() {
    return catalog;
  }

  PlanCache planCache() {
    return planCache;
  }

  SchemaChanges schemaChanges() {
    return schemaChanges;
  }

  PlanInvalidator planInvalidator() {
    return planInvalidator;
  }

  WorkloadMonitor monitor() {
    return monitor;
  }

  DatabaseCheck check() {
    return check;
  }

  /** Returns true if the pool's memory must not be touched any more. */
  boolean isAbandoned() {
    return abandoned;
  }

  public void abandon() {
    abandoned = true;
  }
}
