package org.nelumbo.simulation.fabric;

import org.nelumbo.simulation.world.SimEvent;
import org.nelumbo.simulation.world.SimTask;

/** A verb on its way, or one that has landed. Its channel uses it again. */
final class SimVerb extends SimEvent {
  static final int READ = 0;
  static final int WRITE = 1;
  static final int WRITE_LONG = 2;
  static final int CAS = 3;
  static final int FAA = 4;
  private static final String[] NAMES = {"READ", "WRITE", "WRITE8", "CAS", "FAA"};

  final SimChannel channel;
  SimTask task;
  SimMemoryNode node;
  int kind;
  long address;
  long offset;
  int stagingOffset;
  int length;
  long operand;
  long expected;
  CallSite site;

  /** Parts that have not landed yet. */
  int partsLeft;

  /** It has no effect, or not all of it: lost, or its node is gone. */
  boolean lost;

  /** It is lost because its connection breaks when it should land. */
  boolean breaks;

  SimVerb(SimChannel channel) {
    this.channel = channel;
  }

  @Override
  protected void fire() {
    land(0, length);
  }

  /** Takes effect, for the bytes of one part. */
  void land(int from, int to) {
    partsLeft--;
    if (breaks) {
      channel.breakLink(node.id());
    }
    if (lost || !channel.reaches(node)) {
      lost = true;
      return;
    }
    long value = apply(from, to);
    channel.landed(this, from, to, value);
  }

  private long apply(int from, int to) {
    switch (kind) {
      case READ ->
          node.read(offset + from, channel.staging(), (long) stagingOffset + from, to - from);
      case WRITE ->
          node.write(offset + from, channel.staging(), (long) stagingOffset + from, to - from);
      case WRITE_LONG -> node.setWord(offset, operand);
      default -> {
        return applyAtomic();
      }
    }
    return to - from < Long.BYTES ? 0 : node.word(offset + from & -Long.BYTES);
  }

  private long applyAtomic() {
    long old = node.word(offset);
    if (kind == FAA) {
      node.setWord(offset, old + operand);
    } else if (old == expected) {
      node.setWord(offset, operand);
    }
    channel.deliver(stagingOffset, old);
    return old;
  }

  String name() {
    return NAMES[kind];
  }
}
