package org.nelumbo.executor.txn;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.EngineOptions;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.timestamp.Epochs;
import org.nelumbo.executor.timestamp.HybridClock;

/** The production engine with parts that a test has made: the constructor is not for others. */
public final class EngineOfParts {
  private EngineOfParts() {}

  public static Engine open(
      Environment environment,
      Fabric fabric,
      EngineOptions options,
      HybridClock clock,
      Epochs epochs,
      LockTable locks) {
    return new Engine(environment, fabric, options, clock, epochs, locks);
  }
}
