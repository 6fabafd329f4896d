package org.nelumbo.dm.node;

import java.lang.foreign.ValueLayout;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.fabric.tcp.Wire;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.SharedPool;
import org.nelumbo.dm.superblock.PoolOwner;

/**
 * The compute nodes that a memory node serves, its <em>tenants</em>. One tenant owns the memory
 * exclusively, or several share it:
 *
 * <pre>
 *            attach                    share
 *   none ------------> one, exclusive ---------> shared <--> enter, leave, fence
 *     ^                  |   ^                     |
 *     |  its last        |   |  own exclusively:   |
 *     |  connection ends |   |  the last one       |
 *     +------------------+   +---------------------+
 * </pre>
 *
 * <p>Another compute node may attach exclusively if no tenant has a connection, or none has sent a
 * frame within the lease. A removed tenant is <em>fenced</em>: its connections are closed, each
 * after its current frame. No request of it takes effect after that, and it is never admitted
 * again. Thread-safe.
 *
 * <p><b>The epoch</b> counts the changes of the exclusive owner: an attach, or the removal of the
 * owner by a decision of the memory nodes. Entering, leaving and fencing in a shared pool do not
 * change it.
 *
 * <p><b>A recently ended owner.</b> The end of a connection is detected when its serving thread
 * runs. On a busy machine the next compute node may send its attach before that, although the owner
 * had closed the pool, or failed, before that compute node was started. So existing connections
 * alone are no reason to refuse; a frame that was received after the attach request is.
 */
final class TenantTable {
  /**
   * Frames that arrive within this time after an attach request may have been sent long before it.
   */
  static final long STALE_NANOS = 100_000_000L;

  /**
   * Time limit of the response to an attach request. A live owner sends a frame at least every two
   * seconds; the requester waits ten seconds for the response.
   */
  static final long REPLY_NANOS = 5_000_000_000L;

  /** Maximum number of tenants, which is the number of entries in the pool. */
  static final int TENANTS_MAX = SuperblockLayout.COMPUTE_NODES;

  /**
   * Number of fenced tenants that are remembered, the latest ones. Older ones are unknown, and
   * cannot join either.
   */
  static final int FENCED_MAX = 1 << 16;

  private final Environment environment;
  private final Channel channel;
  private final long leaseNanos;
  private final long cutOffNanos;

  /** Guards the fields below, and the channel. */
  private final ReentrantLock lock = new ReentrantLock();

  /** Tenants by id, in the order of their admission. */
  private final Map<Long, Tenant> tenants = new LinkedHashMap<>();

  /** Ids of fenced tenants, and when the read leases that this node has granted them end. */
  private final Map<Long, Long> fenced = new LinkedHashMap<>();

  private boolean isShared;

  private long epoch;

  /** Time of the last {@link #visitAll}; 0 before the first one. */
  private long shownNanos;

  /** Silence before this time may be caused by this node itself, which was stopped. */
  private long deafUntilNanos = Long.MIN_VALUE;

  /** A connection of a tenant. */
  interface Connection {
    /** Closes the connection, and returns when it has no further effect. */
    void revoke();

    /** Returns true if the connection is revoked, or about to be. */
    boolean isRevoked();
  }

  TenantTable(Environment environment, Channel channel, long leaseNanos) {
    this.environment = environment;
    this.channel = channel;
    this.leaseNanos = leaseNanos;
    this.cutOffNanos = SharedPool.cutOffNanos(leaseNanos);
  }

  /**
   * Makes a compute node the exclusive owner. Waits while it is unknown whether another tenant is
   * alive.
   *
   * @param id unused tenant id, or the id of this same compute node, whose previous connections end
   * @param incarnation identifies it in decisions of the memory nodes; 0 if there are none
   */
  Tenant attach(long id, String name, long incarnation, Connection connection)
      throws RefusedException {
    long asked = environment.nanoTime();
    for (int attempt = 0; ; attempt++) {
      lock.lock();
      try {
        checkNotFenced(id);
        long now = environment.nanoTime();
        List<Tenant> live = live(now).stream().filter(each -> each.id != id).toList();
        if (live.isEmpty()) {
          return serve(new Tenant(id, PoolOwner.printable(name), incarnation, now), connection);
        }
        if (heardNanos(live) - asked > STALE_NANOS
            || now - asked > REPLY_NANOS
            || connection.isRevoked()) {
          throw inUse();
        }
      } finally {
        lock.unlock();
      }
      environment.backoff(attempt);
    }
  }

  private List<Tenant> live(long now) {
    assert lock.isHeldByCurrentThread();
    return tenants.values().stream().filter(each -> each.isLive(now, leaseNanos)).toList();
  }

  private static long heardNanos(List<Tenant> some) {
    return some.stream().mapToLong(Tenant::heardNanos).max().orElseThrow();
  }

  private RefusedException inUse() {
    assert lock.isHeldByCurrentThread();
    return isShared
        ? new RefusedException(
            Wire.SHARED,
            "it is shared by " + names() + ": join them, or end them to attach it exclusively",
            names())
        : new RefusedException(
            Wire.OTHER_REASON,
            "it is in use by "
                + names()
                + ": one compute node at a time can attach; end that one, or wait until it has"
                + " ended",
            names());
  }

  private Tenant serve(Tenant owner, Connection connection) {
    assert lock.isHeldByCurrentThread();
    Tenant before = tenants.remove(owner.id);
    if (before != null) {
      revoke(before); // not fenced: it is the same compute node
    }
    List.copyOf(tenants.values()).forEach(this::putOut);
    isShared = false;
    beginEpoch();
    tenants.put(owner.id, owner);
    owner.connections.add(connection);
    return owner;
  }

  /** When this returns, no request of the tenant takes effect. */
  private void putOut(Tenant tenant) {
    assert lock.isHeldByCurrentThread();
    tenants.remove(tenant.id);
    revoke(tenant);
    refuseFromNowOn(tenant.id, tenant.heardNanos() + cutOffNanos);
    isShared &= !tenants.isEmpty();
  }

  private void revoke(Tenant tenant) {
    assert lock.isHeldByCurrentThread();
    tenant.connections.forEach(Connection::revoke);
    tenant.connections.clear();
  }

  private void refuseFromNowOn(long id, long readLeaseEnd) {
    assert lock.isHeldByCurrentThread();
    if (fenced.putIfAbsent(id, readLeaseEnd) == null && fenced.size() > FENCED_MAX) {
      fenced.remove(fenced.keySet().iterator().next());
    }
  }

  private void checkNotFenced(long id) throws RefusedException {
    assert lock.isHeldByCurrentThread();
    if (fenced.containsKey(id)) {
      throw new RefusedException(
          Wire.REVOKED,
          "the access of this compute node has been revoked: other compute nodes declared"
              + " it failed, or it had left",
          "");
    }
  }

  /**
   * Fences all tenants except the owner that the memory nodes have agreed on; complete when this
   * returns.
   *
   * @param decided incarnation of that owner
   */
  void fence(long decided) {
    lock.lock();
    try {
      List<Tenant> others =
          tenants.values().stream()
              .filter(each -> each.incarnation != 0 && each.incarnation != decided)
              .toList();
      if (!others.isEmpty()) {
        others.forEach(this::putOut);
        beginEpoch();
      }
    } finally {
      lock.unlock();
    }
  }

  private void beginEpoch() {
    assert lock.isHeldByCurrentThread();
    long address = PoolAddress.of(0, SuperblockLayout.EPOCH_OFFSET);
    channel.fetchAndAdd(address, 1, 0);
    channel.flush();
    long raised = channel.staging().get(ValueLayout.JAVA_LONG, 0) + 1;
    assert raised > epoch : "epoch=" + raised + " before=" + epoch;
    epoch = raised;
  }

  /** Adds a connection of a tenant. */
  Tenant join(long id, Connection connection) throws RefusedException {
    lock.lock();
    try {
      Tenant tenant = tenant(id);
      tenant.connections.add(connection);
      return tenant;
    } finally {
      lock.unlock();
    }
  }

  private Tenant tenant(long id) throws RefusedException {
    assert lock.isHeldByCurrentThread();
    checkNotFenced(id);
    Tenant tenant = tenants.get(id);
    if (tenant == null) {
      throw new RefusedException(
          Wire.OTHER_REASON,
          "the access of this compute node has ended: its connections were lost, or the memory node"
              + " was started again",
          "");
    }
    return tenant;
  }

  /** Adds a tenant to shared memory. */
  Tenant enter(long id, String name, Connection connection) throws RefusedException {
    lock.lock();
    try {
      checkNotFenced(id);
      long now = environment.nanoTime();
      if (live(now).isEmpty()) {
        throw new RefusedException(
            Wire.VACANT,
            "no compute node has attached it: attach exclusively, which recovers the pool",
            "");
      }
      if (!isShared) {
        throw inUse();
      }
      if (tenants.containsKey(id) || tenants.size() >= TENANTS_MAX) {
        throw new RefusedException(
            Wire.OTHER_REASON,
            tenants.containsKey(id)
                ? "this compute node has already joined"
                : TENANTS_MAX + " compute nodes share it, which is the maximum: end one",
            "");
      }
      Tenant tenant = new Tenant(id, PoolOwner.printable(name), 0, now);
      tenants.put(id, tenant);
      tenant.connections.add(connection);
      return tenant;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Adds a tenant that shares its pool at other memory nodes, whether or not other tenants are
   * connected to this node. Its previous connections here end.
   */
  Tenant rejoin(long id, String name, Connection connection) throws RefusedException {
    lock.lock();
    try {
      checkNotFenced(id);
      long now = environment.nanoTime();
      boolean isOthers = live(now).stream().anyMatch(each -> each.id != id);
      if (isOthers && !isShared) {
        throw inUse();
      }
      Tenant before = tenants.remove(id);
      if (before != null) {
        revoke(before);
      }
      if (!isShared) {
        List.copyOf(tenants.values()).forEach(this::putOut);
        isShared = true;
      }
      if (tenants.size() >= TENANTS_MAX) {
        throw new RefusedException(
            Wire.OTHER_REASON,
            TENANTS_MAX + " compute nodes share it, which is the maximum: end one",
            "");
      }
      Tenant tenant = new Tenant(id, PoolOwner.printable(name), 0, now);
      tenants.put(id, tenant);
      tenant.connections.add(connection);
      return tenant;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the connections of another tenant. When this returns, they have no further effect. */
  void expel(Tenant asking, long id) throws RefusedException {
    lock.lock();
    try {
      tenant(asking.id);
      Tenant tenant = asking.id == id ? null : tenants.remove(id);
      if (tenant != null) {
        revoke(tenant);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Admits other tenants from now on. */
  void share(Tenant asking) throws RefusedException {
    lock.lock();
    try {
      tenant(asking.id);
      isShared = true;
    } finally {
      lock.unlock();
    }
  }

  /** Stops admitting tenants; refused while there are others. */
  void ownAlone(Tenant asking) throws RefusedException {
    lock.lock();
    try {
      tenant(asking.id);
      if (tenants.size() > 1) {
        String others = names(each -> each.id != asking.id);
        throw new RefusedException(Wire.SHARED, "it is shared with " + others, others);
      }
      isShared = false;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Fences another tenant, which may be connected, have ended, or never have been connected. When
   * this returns, no request of it takes effect, and its read lease has ended, because the tenant
   * may have relied on a response of this node until then.
   */
  void fence(Tenant asking, long id) throws RefusedException {
    long readLeaseEnd;
    lock.lock();
    try {
      tenant(asking.id);
      if (asking.id == id) {
        throw new RefusedException(Wire.OTHER_REASON, "a compute node does not fence itself", "");
      }
      Tenant tenant = tenants.get(id);
      if (tenant == null) {
        refuseFromNowOn(id, environment.nanoTime());
      } else {
        putOut(tenant);
      }
      readLeaseEnd = fenced.get(id);
    } finally {
      lock.unlock();
    }
    awaitEnd(readLeaseEnd);
  }

  private void awaitEnd(long readLeaseEnd) {
    for (long left; (left = readLeaseEnd - environment.nanoTime()) > 0; ) {
      environment.parkNanos(left);
    }
  }

  /** Ends a tenancy at the request of one of its connections; the others are revoked. */
  void quit(Tenant asking, Connection connection) throws RefusedException {
    lock.lock();
    try {
      Tenant tenant = tenant(asking.id);
      tenant.connections.remove(connection);
      refuseFromNowOn(tenant.id, environment.nanoTime()); // it no longer relies on a read lease
      putOut(tenant);
    } finally {
      lock.unlock();
    }
  }

  /** Removes a connection that has ended. An exclusive owner leaves with its last connection. */
  void leave(Connection connection) {
    lock.lock();
    try {
      for (Tenant each : List.copyOf(tenants.values())) {
        if (each.connections.remove(connection) && each.connections.isEmpty() && !isShared) {
          tenants.remove(each.id);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Consumer of tenants. */
  interface Visitor {
    void visit(long id, long silentNanos, int connections, String name);
  }

  /**
   * Reports all tenants to one of them, including itself. Sharing tenants request this several
   * times per lease. So if no request arrived for longer than a lease, this node was stopped, and
   * frames of the others may still be unread. Then their silence starts now.
   */
  void visitAll(Tenant asking, Visitor visitor) throws RefusedException {
    lock.lock();
    try {
      tenant(asking.id);
      long now = environment.nanoTime();
      if (shownNanos != 0 && now - shownNanos > leaseNanos) {
        deafUntilNanos = now;
      }
      shownNanos = now;
      for (Tenant each : tenants.values()) {
        visitor.visit(each.id, silentNanos(each, now), each.connections.size(), each.name);
      }
    } finally {
      lock.unlock();
    }
  }

  private long silentNanos(Tenant tenant, long now) {
    assert lock.isHeldByCurrentThread();
    long silent = tenant.silentNanos(now);
    return deafUntilNanos == Long.MIN_VALUE ? silent : Math.min(silent, now - deafUntilNanos);
  }

  /** Returns the epoch; 0 before the first attach. */
  long epoch() {
    lock.lock();
    try {
      return epoch;
    } finally {
      lock.unlock();
    }
  }

  long leaseNanos() {
    return leaseNanos;
  }

  /** Returns the names of the tenants with a connection; empty if there are none. */
  String owner() {
    lock.lock();
    try {
      return names();
    } finally {
      lock.unlock();
    }
  }

  private String names() {
    return names(each -> !each.connections.isEmpty());
  }

  private String names(Predicate<Tenant> wanted) {
    assert lock.isHeldByCurrentThread();
    return tenants.values().stream()
        .filter(wanted)
        .map(each -> each.name)
        .collect(Collectors.joining(" and "));
  }

  /** Returns true if a tenant has a connection. */
  boolean isOwned() {
    lock.lock();
    try {
      return tenants.values().stream().anyMatch(each -> !each.connections.isEmpty());
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the nanoseconds since the latest frame of a tenant with a connection; 0 if there is
   * none.
   */
  long silentNanos() {
    lock.lock();
    try {
      long now = environment.nanoTime();
      return tenants.values().stream()
          .filter(each -> !each.connections.isEmpty())
          .map(each -> each.silentNanos(now))
          .min(Comparator.naturalOrder())
          .orElse(0L);
    } finally {
      lock.unlock();
    }
  }

  /** Returns lines of {@code key=value}, with all tenants if the memory is shared. */
  String status() {
    lock.lock();
    try {
      long now = environment.nanoTime();
      StringBuilder lines =
          new StringBuilder("epoch=")
              .append(epoch)
              .append("\nowner=")
              .append(names().isEmpty() ? "nobody" : names())
              .append("\nconnections=")
              .append(tenants.values().stream().mapToInt(each -> each.connections.size()).sum())
              .append('\n');
      if (isShared) {
        lines.append("tenants=").append(tenants.size()).append('\n');
        tenants.values().forEach(each -> lines.append(each.describe(now)));
      }
      return lines.toString();
    } finally {
      lock.unlock();
    }
  }
}
