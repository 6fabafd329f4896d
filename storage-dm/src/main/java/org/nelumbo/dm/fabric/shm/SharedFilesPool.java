package org.nelumbo.dm.fabric.shm;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.nelumbo.dm.env.BackgroundThread;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.fabric.local.WriteGates;
import org.nelumbo.dm.fabric.local.WriteNote;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.peer.PeerNetwork;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.ForwardingFabric;
import org.nelumbo.dm.pool.PoolInUseException;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.pool.PoolTenant;
import org.nelumbo.dm.pool.SharedPool;
import org.nelumbo.dm.superblock.PoolFormat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pool in shared files that several processes can use at once. Each process holds an operating
 * system lock on its slot of a table file ({@link TenantFileLayout}), which ends with the process.
 * So an occupied slot without its lock belongs to a process that can no longer write. A process
 * that is alive but misses heartbeats cannot be cut off from its mapped memory, so it is killed. If
 * that is not permitted, the others wait for it.
 *
 * <p>While one process owns the pool exclusively, it holds the locks of the node files exclusively,
 * and needs no slot. When it shares the pool, all processes share these locks. Thread-safe.
 */
final class SharedFilesPool extends ForwardingFabric implements SharedPool {
  private static final Logger LOG = LoggerFactory.getLogger(SharedFilesPool.class);
  private static final long LOOK_NANOS = 100_000_000L;
  private static final int BEATS_PER_LEASE = 6;
  private static final long SHORT_NANOS = 1_000_000L;

  /** Notes for which blocks are allocated together; divides the largest number of notes. */
  private static final int NOTES_TOGETHER = 16;

  private static final long COMPLAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

  /**
   * Missed heartbeats reported for failed processes, in leases: enough that no member waits for
   * them.
   */
  private static final int DEAD_LEASES = 32;

  private final Environment environment;
  private final SharingOptions options;
  private final List<NodeFile> nodes;
  private final WriteGates gates;
  private final TenantFiles files;
  private final long tenant;
  private final Notes notes = new Notes();
  private final HeartbeatWatch watch;
  private final BackgroundThread thread;
  private final ReentrantLock lock = new ReentrantLock();

  // Changed under the lock.
  private volatile TenantFile file;
  private volatile int entry = -1;
  private volatile boolean isShared;
  private volatile boolean isClosed;

  /** True after the engine has failed. */
  private volatile boolean isLost;

  /** The methods are called by one thread at a time. */
  private final class Notes implements WriteGates.Notes {
    private final List<Long> free = new ArrayList<>();
    private int used;

    /** Notes for which the file system has allocated blocks. */
    private int reserved;

    @Override
    public long take() {
      if (!free.isEmpty()) {
        return free.removeLast();
      }
      if (used == TenantFileLayout.NOTES_MAX) {
        throw new FabricException("this process has too many channels to a shared pool", null);
      }
      if (used == reserved) {
        if (!file.reserveNotes(entry, used, NOTES_TOGETHER)) {
          throw new FabricException(file.describeFull(), null);
        }
        reserved += NOTES_TOGETHER;
      }
      file.set(entry, TenantFileLayout.NOTES, used + 1L);
      return file.note(entry, used++).address();
    }

    @Override
    public void give(long noteAddress) {
      free.add(noteAddress);
    }
  }

  /**
   * Creates a pool that this process owns exclusively, or has just entered.
   *
   * @param nodes locked files, exclusively or shared
   * @param file table of processes; null if this process has no slot
   * @param entry slot of this process in the table; -1 if it owns the pool exclusively
   */
  SharedFilesPool(
      Environment environment,
      SharingOptions options,
      Fabric memory,
      List<NodeFile> nodes,
      WriteGates gates,
      TenantFiles files,
      TenantFile file,
      int entry,
      long tenant) {
    super(memory);
    this.environment = environment;
    this.options = options;
    this.nodes = nodes;
    this.gates = gates;
    this.files = files;
    this.file = file;
    this.entry = entry;
    this.tenant = tenant;
    this.watch = new HeartbeatWatch(environment);
    this.thread = new BackgroundThread(environment, "nelumbo-tenants", this::beat);
    if (entry >= 0) {
      isShared = true;
      gates.noteWrites(notes);
      thread.start();
    }
  }

  @Override
  public SharedPool sharing() {
    return this;
  }

  @Override
  public long tenant() {
    return tenant;
  }

  @Override
  public boolean isShared() {
    return isShared;
  }

  @Override
  public long leaseNanos() {
    return options.leaseNanos();
  }

  @Override
  public PeerNetwork openPeers(PeerId self) {
    enter();
    return new ShmPeerNetwork(environment, file, entry, self);
  }

  // Transition from exclusive to shared.

  /** The file stays open while it is in place, or while this process has a slot. */
  private TenantFile openFile(boolean isMade) {
    assert lock.isHeldByCurrentThread();
    if (file != null && entry < 0 && !file.isInPlace()) {
      file.close();
      file = null;
    }
    if (file == null && !isClosed) {
      file = TenantFile.open(files.path(), isMade);
    }
    return file;
  }

  /** Does not yet admit other processes to the pool. */
  private void enter() {
    lock.lock();
    try {
      while (entry < 0) {
        checkNotGone();
        TenantFile there = openFile(true);
        if (!there.awaitDoor(environment)) {
          throw new PoolOpenException("another process holds the entry lock of " + files.path());
        }
        tryEnter(there);
      }
    } finally {
      lock.unlock();
    }
  }

  private void tryEnter(TenantFile there) {
    try {
      if (!there.isInPlace()) {
        return; // the last process of the pool removed the file
      }
      if (!there.belongsTo(nodes.getFirst().identity())) {
        there.remove();
        return;
      }
      int claimed = there.claim(tenant, options.name(), options.leaseNanos());
      if (claimed < 0) {
        throw new PoolOpenException(
            TenantFileLayout.ENTRIES
                + " processes wait for the pool, or have attached it: end one");
      }
      there.setPoolId(PoolFormat.poolId(fabric));
      there.set(claimed, TenantFileLayout.STATE, TenantFileLayout.ENTERED);
      entry = claimed;
      thread.start();
    } finally {
      there.leaveDoor();
    }
  }

  @Override
  public void share() {
    enter();
    gates.noteWrites(notes);
    lock.lock();
    try {
      lockNodes(false);
      isShared = true;
    } finally {
      lock.unlock();
    }
  }

  private boolean lockNodes(boolean exclusive) {
    for (NodeFile each : nodes) {
      if (!each.relock(exclusive)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void ownAlone() {
    lock.lock();
    try {
      if (!isShared) {
        return;
      }
      if (!file.awaitDoor(environment)) {
        throw PoolInUseException.ofShared("other processes are joining or leaving", "");
      }
      try {
        List<Integer> others = others();
        if (!others.isEmpty() || !lockNodes(true)) {
          lockNodes(false);
          String names = others.stream().map(file::name).collect(Collectors.joining(" and "));
          throw PoolInUseException.ofShared("it is shared with " + names, names);
        }
        isShared = false;
      } finally {
        file.leaveDoor();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns the slots of other processes that have entered the pool, alive or failed. */
  private List<Integer> others() {
    return IntStream.range(0, TenantFileLayout.ENTRIES)
        .filter(each -> each != entry && file.isEntered(each))
        .boxed()
        .toList();
  }

  // Shared access.

  @Override
  public List<PoolTenant> tenants() {
    enter();
    TenantFile there = file;
    List<PoolTenant> tenants = new ArrayList<>();
    tenants.add(new PoolTenant(tenant, options.name(), 0, true));
    for (int each : others()) {
      long id = there.id(each);
      String name = there.name(each);
      boolean lives = there.isLockedByOthers(each);
      // a live process is not reported as failed: it is killed, or waited for
      long silent =
          lives ? Math.min(watch.silentNanos(id), leaseNanos()) : DEAD_LEASES * leaseNanos();
      if (id != 0 && there.id(each) == id) {
        tenants.add(new PoolTenant(id, name, silent, lives));
      }
    }
    return tenants;
  }

  /**
   * Returns when the process has ended, either killed by this call or earlier. Its unfinished
   * WRITEs are complete then. If it cannot be killed, this waits for its end.
   */
  @Override
  public void fence(long other) {
    if (other == tenant) {
      throw new IllegalArgumentException("a process does not fence itself");
    }
    enter();
    long complained = environment.nanoTime();
    boolean isKilled = false;
    for (int each : others()) {
      while (file.isEntered(each) && file.id(each) == other && !isClosed && !isLost) {
        if (file.tryLock(each)) {
          buryOrKeep(each, other);
        } else {
          if (!isKilled || environment.nanoTime() - complained > COMPLAIN_NANOS) {
            kill(each);
            isKilled = true;
            complained = environment.nanoTime();
          }
          environment.parkNanos(SHORT_NANOS);
        }
      }
    }
    checkNotGone();
  }

  private void checkNotGone() {
    if (isClosed || isLost) {
      throw new FabricException("this process has released the pool", null);
    }
  }

  /** The caller holds the lock of the slot, which is released here. */
  private void buryOrKeep(int each, long other) {
    try {
      if (file.isEntered(each) && file.id(each) == other) {
        String name = file.name(each);
        try (Channel channel = fabric.openChannel(WriteNote.LENGTH)) {
          int finished = file.bury(each, channel);
          LOG.info("{} has ended; {} unfinished writes of it were completed", name, finished);
        }
      }
    } finally {
      file.unlock(each); // otherwise the failed process would appear alive to others
    }
  }

  private void kill(int each) {
    ProcessIdentity process = file.process(each);
    if (process.kill()) {
      LOG.warn(
          "{} has attached the pool, and missed its heartbeats: it was killed, since its"
              + " writes to the pool cannot be prevented otherwise",
          file.name(each));
    } else {
      LOG.error(
          "{} has attached the pool, and missed its heartbeats, and this process may not"
              + " kill it (it runs in another container, or as another user): its locks are held"
              + " until it continues or is ended: kill -9 {}",
          file.name(each),
          process.pid());
    }
  }

  private void beat() {
    long period = Math.min(LOOK_NANOS, options.leaseNanos() / BEATS_PER_LEASE);
    long beats = 0;
    while (!thread.isStopped()) {
      file.set(entry, TenantFileLayout.HEARTBEAT, ++beats);
      for (int each : others()) {
        if (watch.isToBeKilled(file, each)) {
          kill(each);
        }
      }
      if (!file.isInPlace()) {
        files.complain();
      }
      environment.parkNanos(period);
    }
  }

  // Leaving the pool.

  /**
   * Releases the lock of this process's slot after a failure of the engine. The other processes
   * recover its state as if the process had failed.
   */
  @Override
  public void lose(Throwable why) {
    lock.lock();
    try {
      if (isShared && entry >= 0) {
        endWork(why);
        file.unlock(entry);
        entry = -1;
        isShared = false;
        isLost = true;
      }
    } finally {
      lock.unlock();
    }
  }

  /** When this returns, this process writes nothing more. */
  private void endWork(Throwable why) {
    gates.shut(why);
    thread.stop();
    thread.join();
  }

  @Override
  public void close() {
    lock.lock();
    try {
      if (!isClosed) {
        isClosed = true;
        if (entry >= 0) {
          endWork(null);
          leave();
        }
        if (file != null) {
          file.close();
        }
      }
    } finally {
      lock.unlock();
      fabric.close();
    }
  }

  /**
   * A process that has ended as exclusive owner removes the table file, unless another process
   * waits for the pool.
   */
  private void leave() {
    boolean isLast = !isShared && file.awaitDoor(environment);
    file.free(entry);
    entry = -1;
    if (isLast) {
      boolean isEmpty =
          IntStream.range(0, TenantFileLayout.ENTRIES)
              .noneMatch(each -> file.isEntered(each) || file.isLockedByOthers(each));
      if (isEmpty) {
        file.remove();
      }
      file.leaveDoor();
    }
  }
}
