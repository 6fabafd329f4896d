package org.nelumbo.dm.fabric.shm;

import java.util.List;
import java.util.stream.IntStream;
import org.nelumbo.dm.disk.SystemFile;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.fabric.local.NodeMemory;
import org.nelumbo.dm.fabric.local.WriteGates;
import org.nelumbo.dm.fabric.local.WriteNote;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.PoolInUseException;
import org.nelumbo.dm.pool.PoolOpenException;

/**
 * The procedure by which a process enters a pool in shared files. Used once, by one thread.
 *
 * <ol>
 *   <li>The process tries to lock the files exclusively. If that succeeds, no other process uses
 *       the pool: it finishes the WRITEs of failed processes, and owns the pool exclusively.
 *   <li>Otherwise it makes a <em>join request</em>: it claims a slot among the processes of the
 *       pool, and waits until it can lock the files together with the others.
 * </ol>
 */
final class PoolEntrance {
  private static final long PAUSE_NANOS = 20_000_000L;

  private final Environment environment;
  private final PoolFiles files;
  private final SharingOptions sharing;
  private final TenantFiles tenants;
  private final long id;

  /** Null until a join request is necessary. */
  private TenantFile file;

  private int entry = -1;

  private PoolInUseException refusal;

  PoolEntrance(Environment environment, PoolFiles files, SharingOptions sharing) {
    this.environment = environment;
    this.files = files;
    this.sharing = sharing;
    this.tenants = files.tenants();
    this.id = environment.randomLong() | 1;
  }

  Fabric enter() {
    long start = environment.nanoTime();
    Fabric pool = null;
    try {
      while (true) {
        pool = attempt();
        if (pool != null) {
          return pool;
        }
        if (environment.nanoTime() - start > sharing.patienceNanos()) {
          throw refused();
        }
        environment.parkNanos(PAUSE_NANOS);
      }
    } finally {
      if (pool == null) {
        stopKnocking();
      }
    }
  }

  private PoolOpenException refused() {
    return new PoolOpenException(
        "the pool is in use by "
            + (refusal == null ? "another process" : refusal.owner())
            + ", which has not admitted this one: it is attaching, has an older release, or"
            + " is stopped; or the file "
            + tenants.path()
            + ", through which processes of one pool find each other, was removed. Try"
            + " again, or end that process",
        refusal);
  }

  private Fabric attempt() {
    List<NodeFile> opened = open(true);
    if (opened != null) {
      stopKnocking();
      return orRelease(opened, () -> alone(opened));
    }
    return knock() && file.tryDoor() ? attemptBeside() : null;
  }

  private Fabric attemptBeside() {
    try {
      if (!file.isInPlace()) {
        return null;
      }
      List<NodeFile> opened = open(false);
      return opened == null ? null : orRelease(opened, () -> beside(opened));
    } finally {
      file.leaveDoor();
    }
  }

  private List<NodeFile> open(boolean exclusive) {
    try {
      return files.open(exclusive);
    } catch (PoolInUseException e) {
      refusal = e;
      return null;
    }
  }

  private interface Opening {
    Fabric open();
  }

  private static Fabric orRelease(List<NodeFile> opened, Opening opening) {
    Fabric fabric = null;
    try {
      fabric = opening.open();
      return fabric;
    } finally {
      if (fabric == null) {
        opened.forEach(NodeFile::release);
      }
    }
  }

  // Exclusive access.

  private Fabric alone(List<NodeFile> opened) {
    NodeFile first = opened.getFirst();
    boolean isNew = first.isNew();
    files.map(opened, true);
    WriteGates gates = new WriteGates(environment);
    LocalFabric memory = new LocalFabric(opened.toArray(NodeMemory[]::new), gates);
    buryAll(first, isNew, memory);
    return new SharedFilesPool(environment, sharing, memory, opened, gates, tenants, null, -1, id);
  }

  /** Finishes the WRITEs of failed processes, unless another process has already done so. */
  private void buryAll(NodeFile first, boolean isNew, LocalFabric memory) {
    TenantFile there = tenants.isThere() ? TenantFile.open(tenants.path(), false) : null;
    if (there == null) {
      return;
    }
    try (there) {
      if (!there.awaitDoor(environment)) {
        throw new PoolOpenException(
            "another process, which is stopped, holds the lock of " + there.path() + ": end it");
      }
      boolean isOfAnother =
          isNew
              || !there.belongsTo(first.identity())
              || there.poolId() != 0 && there.poolId() != first.poolId();
      if (!isOfAnother) {
        buryEach(there, memory);
      }
      if (isOfAnother || nobodyIsIn(there)) {
        there.remove();
      }
      there.leaveDoor();
    }
  }

  private static void buryEach(TenantFile there, LocalFabric memory) {
    try (Channel channel = memory.openChannel(WriteNote.LENGTH)) {
      for (int each = 0; each < TenantFileLayout.ENTRIES; each++) {
        if (there.isEntered(each)) {
          if (!there.tryLock(each)) {
            throw new PoolOpenException(there.name(each) + " is leaving the pool: try again");
          }
          there.bury(each, channel);
        }
      }
    }
  }

  private static boolean nobodyIsIn(TenantFile there) {
    return IntStream.range(0, TenantFileLayout.ENTRIES).noneMatch(there::isLockedByOthers);
  }

  // Shared access.

  /** Returns true if this process has a slot. */
  private boolean knock() {
    if (file != null && !file.isInPlace()) {
      stopKnocking();
    }
    if (file == null) {
      file = TenantFile.open(tenants.path(), true);
    }
    if (entry < 0 && file.tryDoor()) {
      try {
        claim();
      } finally {
        file.leaveDoor();
      }
    }
    return entry >= 0;
  }

  private void claim() {
    SystemFile.Identity pool = files.identity();
    if (pool == null || !file.isInPlace()) {
      return;
    }
    if (!file.belongsTo(pool)) {
      file.remove(); // belongs to a pool whose files were removed
      return;
    }
    entry = file.claim(id, sharing.name(), sharing.leaseNanos());
    if (entry < 0) {
      throw new PoolOpenException(
          TenantFileLayout.ENTRIES
              + " processes have attached the pool, which is the maximum: end one");
    }
  }

  /** The caller holds the entry lock. Returns null if no other process is in the pool. */
  private Fabric beside(List<NodeFile> opened) {
    boolean isAnyIn =
        IntStream.range(0, TenantFileLayout.ENTRIES)
            .anyMatch(each -> each != entry && file.isEntered(each) && file.isLockedByOthers(each));
    if (!isAnyIn || !file.belongsTo(opened.getFirst().identity())) {
      return null;
    }
    files.map(opened, false);
    WriteGates gates = new WriteGates(environment);
    LocalFabric memory = new LocalFabric(opened.toArray(NodeMemory[]::new), gates);
    file.set(entry, TenantFileLayout.STATE, TenantFileLayout.ENTERED);
    return new SharedFilesPool(
        environment, sharing, memory, opened, gates, tenants, file, entry, id);
  }

  private void stopKnocking() {
    if (file != null) {
      if (entry >= 0) {
        file.free(entry);
      }
      file.close();
    }
    file = null;
    entry = -1;
  }
}
