package org.nelumbo.simulation.mutant;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.EngineOptions;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.timestamp.Epochs;
import org.nelumbo.executor.timestamp.HybridClock;
import org.nelumbo.simulation.cluster.Cluster;

/** Faulty engines, each with one broken part. */
enum Mutant implements Cluster.EngineFactory {
  /** FORD, "complicit aborts": a refused lock request releases the lock. */
  COMPLICIT_ABORTS {
    @Override
    LockTable locks(Environment environment, EngineOptions options) {
      return new BrokenLocks.Complicit(environment, options.lockBuckets());
    }
  },
  /** FORD, "covert locks": a reader does not check whether the row is locked. */
  COVERT_LOCKS {
    @Override
    LockTable locks(Environment environment, EngineOptions options) {
      return new BrokenLocks.Covert(environment, options.lockBuckets());
    }
  },
  /**
   * FORD, "relaxed locks": reads and locks do not overlap; here a read lock is released at once.
   */
  RELAXED_LOCKS {
    @Override
    LockTable locks(Environment environment, EngineOptions options) {
      return new BrokenLocks.Relaxed(environment, options.lockBuckets());
    }
  },
  /** FORD, "missing actions": inserts are not logged. */
  MISSING_ACTIONS {
    @Override
    Fabric fabric(Fabric fabric, Environment environment) {
      return new BrokenLog(fabric, BrokenLog.Way.OMIT_INSERTS);
    }
  },
  /** FORD, "lost decision": recovery cannot detect that a transaction was committed. */
  LOST_DECISION {
    @Override
    Fabric fabric(Fabric fabric, Environment environment) {
      return new BrokenLog(fabric, BrokenLog.Way.OMIT_HEADER);
    }
  },
  /**
   * FORD, "logging without locking": a transaction logs and writes rows that another transaction
   * has locked.
   */
  LOGGING_WITHOUT_LOCKING {
    @Override
    LockTable locks(Environment environment, EngineOptions options) {
      return new BrokenLocks.Unlocked(environment, options.lockBuckets());
    }
  },
  /** Range scans do not lock the leaves they read. */
  NO_PHANTOM_LOCK {
    @Override
    LockTable locks(Environment environment, EngineOptions options) {
      return new BrokenLocks.NoLeaves(environment, options.lockBuckets());
    }
  },
  /** A reader treats an INVISIBLE cell as free instead of waiting. */
  SKIP_INVISIBLE {
    @Override
    Fabric fabric(Fabric fabric, Environment environment) {
      return new BrokenFabric(fabric, BrokenFabric.Way.SKIP_INVISIBLE, environment);
    }
  },
  /** Locks are released before the timestamps of the cells are written. */
  UNLOCK_BEFORE_VISIBLE {
    @Override
    Fabric fabric(Fabric fabric, Environment environment) {
      return new BrokenFabric(fabric, BrokenFabric.Way.DO_NOT_AWAIT_VISIBLE, environment);
    }
  },
  /** Old versions are overwritten although open snapshots need them. */
  REUSE_WITHOUT_EPOCHS {
    @Override
    Epochs epochs(Environment environment, HybridClock clock, EngineOptions options) {
      return new Epochs(environment, clock, options.snapshotRetentionNanos()) {
        @Override
        public long pin(int slot) {
          return clock.now();
        }
      };
    }
  },
  /** The commit timestamp is drawn at the beginning of the transaction. */
  TIMESTAMP_BEFORE_LOCKS {
    @Override
    HybridClock clock(Environment environment) {
      return new EarlyClock(environment);
    }
  };

  HybridClock clock(Environment environment) {
    return new HybridClock(environment);
  }

  Epochs epochs(Environment environment, HybridClock clock, EngineOptions options) {
    return new Epochs(environment, clock, options.snapshotRetentionNanos());
  }

  LockTable locks(Environment environment, EngineOptions options) {
    return new LockTable(environment, options.lockBuckets());
  }

  Fabric fabric(Fabric fabric, Environment environment) {
    return fabric;
  }

  @Override
  public Engine open(Environment environment, Fabric fabric, EngineOptions options) {
    HybridClock clock = clock(environment);
    return new Engine(
        environment,
        fabric(fabric, environment),
        options,
        clock,
        epochs(environment, clock, options),
        locks(environment, options));
  }
}
