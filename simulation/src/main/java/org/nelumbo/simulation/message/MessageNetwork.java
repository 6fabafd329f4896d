package org.nelumbo.simulation.message;

import java.util.HashSet;
import java.util.Set;
import org.nelumbo.simulation.world.SimRandom;
import org.nelumbo.simulation.world.SimWorld;

/**
 * The network of a simulated world: carries messages between numbered endpoints. Each message has
 * its own delay, so messages arrive in any order; some are lost, and some arrive twice. The link
 * from one endpoint to another can be cut in one direction only.
 */
public final class MessageNetwork {
  private record Way(int from, int to) {}

  private final SimWorld world;
  private final SimRandom random;
  private final Set<Way> cut = new HashSet<>();
  private MessageFaults faults;
  private long delivered;
  private long lost;

  public MessageNetwork(SimWorld world, String name, MessageFaults faults) {
    this.world = world;
    this.random = world.random(name);
    this.faults = faults;
  }

  public void setFaults(MessageFaults newFaults) {
    faults = newFaults;
  }

  /** Cuts a link: messages sent over it from now on are lost. */
  public void cut(int from, int to) {
    cut.add(new Way(from, to));
  }

  public void heal(int from, int to) {
    cut.remove(new Way(from, to));
  }

  /** Heals the links between two endpoints, in both directions, at a virtual time. */
  public void healAt(long time, int one, int other) {
    world.at(
        time,
        () -> {
          heal(one, other);
          heal(other, one);
        });
  }

  public void healAll() {
    cut.clear();
  }

  /**
   * Sends a message. The action that handles its arrival runs later, once, twice or never; it must
   * not wait.
   */
  public void send(int from, int to, Runnable arrival) {
    if (cut.contains(new Way(from, to)) || random.chance(faults.lost())) {
      lost++;
      return;
    }
    deliver(arrival);
    if (random.chance(faults.doubled())) {
      deliver(arrival);
    }
  }

  private void deliver(Runnable arrival) {
    long longest = random.chance(faults.slow()) ? faults.slowestNanos() : faults.longestNanos();
    long nanos = faults.shortestNanos() + random.nextLong(longest - faults.shortestNanos() + 1);
    delivered++;
    world.at(world.now() + nanos, arrival);
  }

  public long delivered() {
    return delivered;
  }

  public long lost() {
    return lost;
  }
}
