package org.nelumbo.executor.gc;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.superblock.ComputeNodeEntry;
import org.nelumbo.executor.cache.OwnedCopies;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.context.EngineContext;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.lock.remote.ClusterLocks;
import org.nelumbo.executor.lock.remote.LocalMembers;
import org.nelumbo.executor.timestamp.HybridClock;

/** Locks of a collector in a shared pool, while another compute node fails. */
@Timeout(60)
class GarbageLocksTest {
  private final SystemEnvironment environment = new SystemEnvironment();
  private final LocalMembers members = new LocalMembers(environment);
  private final LockTable table = new LockTable(environment, 512);
  private final ClusterLocks own = join(1, table);
  private final ClusterLocks others = join(2, new LockTable(environment, 512));
  private GarbageLocks collector;

  private ClusterLocks join(int number, LockTable locks) {
    ComputeNodeEntry node = new ComputeNodeEntry(number, number - 1);
    ClusterLocks joined =
        members
            .membership()
            .enter(
                node,
                new HybridClock(environment),
                locks,
                OwnedCopies.NONE,
                e -> {
                  throw new IllegalStateException(e);
                });
    joined.start();
    return joined;
  }

  @BeforeEach
  void shareOut() {
    members.shareOut();
    EngineContext engine =
        new EngineContext(
            environment,
            null,
            new HybridClock(environment),
            null,
            table,
            own,
            null,
            null,
            null,
            null,
            null,
            null);
    collector = new GarbageLocks(new CoordinatorContext(engine, null, null, 0, null, null));
  }

  @AfterEach
  void stop() {
    own.stop();
    others.stop();
  }

  private long keyOf(ClusterLocks owner) {
    return LongStream.range(1L << 62, (1L << 62) + 10)
        .filter(key -> own.coordinator(0).isLocal(key) == (owner == own))
        .findFirst()
        .orElseThrow();
  }

  /** Without the hold a shard gets its next owner while the collector still changes its rows. */
  @Test
  void shouldKeepLocksOfFailedOwnerUntilCollectorEnds() {
    long key = keyOf(others);
    assertTrue(collector.tryLock(key, LockMode.WRITE));
    members.removeLast();
    assertFalse(own.isDrained());
    collector.unlock(key, LockMode.WRITE);
    collector.end();
    assertTrue(own.isDrained());
  }

  @Test
  void shouldAcquireNoLocksWhileItsEndIsAwaited() {
    assertTrue(collector.tryLock(keyOf(others), LockMode.WRITE));
    members.removeLast();
    assertFalse(collector.tryLock(keyOf(own), LockMode.WRITE));
    collector.unlock(keyOf(others), LockMode.WRITE);
    collector.end();
    assertTrue(collector.tryLock(keyOf(own), LockMode.WRITE));
    collector.unlock(keyOf(own), LockMode.WRITE);
    collector.end();
  }
}
