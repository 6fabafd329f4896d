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
 * The compute nodes that a memory node serves, its <em>tenants</em>. One has it alone, or several
 * share it:
 *
 * <pre>
 *            attach                share
 *   nobody ---------> one, alone ---------> shared <--> enter, leave, fence
 *     ^                  |   ^                 |
 *     |  its last        |   |  own alone:     |
 *     |  connection ends |   |  the last one   |
 *     +------------------+   +-----------------+
 * </pre>
 *
 * Another may attach alone when none has a connection any more, or all have not been heard of for
 * the lease. A tenant that is put out is <em>fenced</em>: its connections are closed, each after
 * the frame it is at. Nothing that it asked for happens after that, and it is never let in again.
 * Thread-safe.
 *
 * <p><b>The epoch</b> counts how often somebody has begun anew, alone: attached, or put out by a
 * decision of the memory nodes. Who enters, leaves or is fenced beside others leaves it as it is.
 *
 * <p><b>An owner that has just gone.</b> The end of a connection is known when the thread that
 * serves it has run. On a busy machine the next compute node may ask before that, although the
 * owner had closed the pool, or died, before it was started. So there being connections is no
 * reason to refuse; a sign of life is, that came since it was asked.
 */
final class TenantTable {
  /**
   * Signs of life that arrive within this time after a request to attach may have been sent long
   * before it.
   */
  static final long STALE_NANOS = 100_000_000L;

  /**
   * Whoever asks is answered by then. An owner that lives says something every two seconds; who
   * asks waits ten for the answer.
   */
  static final long ANSWER_NANOS = 5_000_000_000L;

  /** Most tenants at a time: more have no room in the pool either. */
  static final int TENANTS_MAX = SuperblockLayout.COMPUTE_NODES;

  /** Fenced ones that are remembered, the latest: others are unknown, and join no more either. */
  static final int FENCED_MAX = 1 << 16;

  private final Environment environment;
  private final Channel channel;
  private final long leaseNanos;
  private final long cutOffNanos;

  /** Guards all below, and the channel. */
  private final ReentrantLock lock = new ReentrantLock();

  /** By id, in the order in which they came. */
  private final Map<Long, Tenant> tenants = new LinkedHashMap<>();

  /** Ids of fenced tenants, and when the read leases that this node has granted them end. */
  private final Map<Long, Long> fenced = new LinkedHashMap<>();

  /** Whether others may enter beside those that are there. */
  private boolean isShared;

  /** How many have wanted to enter since one has attached, while it had the memory alone. */
  private long knocks;

  private long epoch;

  /** When the tenants were last shown to one of them; 0 before the first time. */
  private long shownNanos;

  /** Silence before this moment may be this node's own: it was stopped. */
  private long deafUntilNanos = Long.MIN_VALUE;

  /** State of a connection as the table sees it. */
  interface Connection {
    /** Closes it, and returns when it does nothing any more. */
    void revoke();

    /** Whether it does nothing any more, or is going to. */
    boolean isRevoked();
  }

  TenantTable(Environment environment, Channel channel, long leaseNanos) {
    this.environment = environment;
    this.channel = channel;
    this.leaseNanos = leaseNanos;
    this.cutOffNanos = SharedPool.cutOffNanos(leaseNanos);
  }

  /**
   * Makes the memory serve a new owner alone. Waits while it is not known whether there is somebody
   * else.
   *
   * @param id of the tenant, which nobody else has had; what it had here itself ends
   * @param incarnation by which memory nodes that agree know it; 0 if it has none
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
            || now - asked > ANSWER_NANOS
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

  /** When the one was heard of that was heard of last. */
  private static long heardNanos(List<Tenant> some) {
    return some.stream().mapToLong(Tenant::heardNanos).max().orElseThrow();
  }

  private RefusedException inUse() {
    assert lock.isHeldByCurrentThread();
    return isShared
        ? new RefusedException(
            Wire.SHARED,
            "it is shared by " + names() + ": enter beside them, or end them to have it alone",
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
    knocks = 0;
    beginEpoch();
    tenants.put(owner.id, owner);
    owner.connections.add(connection);
    return owner;
  }

  /** Fences a tenant. When this returns nothing of it happens any more. */
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
          "the access of this compute node has been revoked: others took it for dead, or it had"
              + " left",
          "");
    }
  }

  /**
   * Serves nobody any more who is not the owner that memory nodes have agreed on, once this
   * returns.
   *
   * @param decided incarnation of that one
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

  /** One more connection of a tenant. */
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

  /** One more tenant beside those that share the memory. */
  Tenant enter(long id, String name, Connection connection) throws RefusedException {
    lock.lock();
    try {
      checkNotFenced(id);
      long now = environment.nanoTime();
      if (live(now).isEmpty()) {
        throw new RefusedException(
            Wire.VACANT, "nobody has it: attach alone, which recovers what is there", "");
      }
      if (!isShared) {
        knocks++;
        throw inUse();
      }
      if (tenants.containsKey(id) || tenants.size() >= TENANTS_MAX) {
        throw new RefusedException(
            Wire.OTHER_REASON,
            tenants.containsKey(id)
                ? "this compute node is in already"
                : TENANTS_MAX + " compute nodes share it, and there is room for no more: end one",
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
   * A tenant that shares its pool with others at other memory nodes: whether any of them is here is
   * all the same. What it had here itself ends.
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
            TENANTS_MAX + " compute nodes share it, and there is room for no more: end one",
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

  /** Ends the connections of another tenant. When this returns nothing of them happens any more. */
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

  /** How many have wanted to enter, and were refused as one had the memory alone. */
  long knocks(Tenant asking) throws RefusedException {
    lock.lock();
    try {
      tenant(asking.id);
      return knocks;
    } finally {
      lock.unlock();
    }
  }

  /** Lets others enter from now on. */
  void share(Tenant asking) throws RefusedException {
    lock.lock();
    try {
      tenant(asking.id);
      isShared = true;
    } finally {
      lock.unlock();
    }
  }

  /** Lets nobody enter any more; refused while there are others. */
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
   * Fences another tenant, which may be here, or gone, or never have been here. When this returns,
   * nothing of it happens any more, and its read lease has ended: it may have relied on a response
   * of this node for as long as that.
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

  /**
   * Ends a tenancy in good order, as it was asked to on one of its connections; the others are
   * revoked.
   */
  void quit(Tenant asking, Connection connection) throws RefusedException {
    lock.lock();
    try {
      Tenant tenant = tenant(asking.id);
      tenant.connections.remove(connection);
      refuseFromNowOn(tenant.id, environment.nanoTime()); // it relies on nothing any more
      putOut(tenant);
    } finally {
      lock.unlock();
    }
  }

  /** A connection has ended. One who has the memory alone has gone with the last. */
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

  /** What is done with each tenant. */
  interface Visitor {
    void visit(long id, long silentNanos, int connections, String name);
  }

  /**
   * Shows a tenant all of them, itself included. Those that share look several times per lease; so
   * if nobody has for longer than that, this node was stopped, and what the others have sent may
   * not be read yet. Then their silence begins now.
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

  /** The epoch that is served; 0 before the first attach. */
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

  /** Those who have a connection; empty if nobody has. */
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

  /** Whether somebody has a connection. */
  boolean isOwned() {
    lock.lock();
    try {
      return tenants.values().stream().anyMatch(each -> !each.connections.isEmpty());
    } finally {
      lock.unlock();
    }
  }

  /** Nanoseconds since the latest sign of life of those who have a connection; 0 if nobody has. */
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

  /** Lines of {@code key=value}: all tenants, if they share. */
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
