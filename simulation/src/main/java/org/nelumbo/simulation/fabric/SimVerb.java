package org.nelumbo.simulation.fabric;

import java.lang.foreign.MemorySegment;
import org.nelumbo.simulation.world.SimEvent;
import org.nelumbo.simulation.world.SimTask;

/** A verb on its way, or one that has landed. Its channel uses it again. */
final class SimVerb extends SimEvent {
  static final int READ = 0;
  static final int WRITE = 1;
  static final int DIGEST = 2;
  static final int WRITE_LONG = 3;
  static final int CAS = 4;
  static final int FAA = 5;

  /** The way of a verb to its node and back, as its channel has it. */
  interface QueuePair {
    /** Whether a verb that comes to a node now takes effect there. */
    boolean reaches(SimMemoryNode node);

    /** Whether what has begun to land lands wholly, whatever becomes of its sender. */
    boolean isWhole();

    /** Whether all that is on its way to a node lands there, whatever becomes of its sender. */
    boolean landsWholly(int node);

    /** The connection to a node breaks. */
    void breakLink(int node);

    /** What verbs read from and write to. */
    MemorySegment staging();

    /** Whether the answer to a verb that has taken effect at a node now arrives. */
    boolean isAnswered();

    /** The old value of a word arrives. */
    void deliver(int stagingOffset, long value);

    /** A part of a verb has taken effect; {@code value} stands for what it moved. */
    void landed(SimVerb verb, int from, int to, long value);
  }

  private static final String[] NAMES = {"READ", "WRITE", "DIGEST", "WRITE8", "CAS", "FAA"};

  final QueuePair queue;
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

  /** What a DIGEST is of, as far as it was read. */
  MemorySegment content;

  /** Parts that have not landed yet. */
  int partsLeft;

  /** It has no effect, or not all of it: lost, or its node is gone. */
  boolean lost;

  /** A part of it has landed, and the rest is going to. */
  boolean begun;

  /** It has had its effect, but its answer is lost. */
  boolean unanswered;

  /** It is lost because its connection breaks when it should land. */
  boolean breaks;

  SimVerb(QueuePair queue) {
    this.queue = queue;
  }

  @Override
  protected void fire() {
    land(0, length);
  }

  /** Takes effect, for the bytes of one part. */
  void land(int from, int to) {
    partsLeft--;
    if (breaks) {
      queue.breakLink(node.id());
    }
    if (lost || !begun && !queue.reaches(node)) {
      lost = true;
      return;
    }
    begun = partsLeft > 0 && queue.isWhole();
    long value = apply(from, to);
    unanswered |= !queue.isAnswered();
    queue.landed(this, from, to, value);
  }

  private long apply(int from, int to) {
    switch (kind) {
      case READ ->
          node.read(offset + from, queue.staging(), (long) stagingOffset + from, to - from);
      case WRITE ->
          node.write(offset + from, queue.staging(), (long) stagingOffset + from, to - from);
      case DIGEST -> digest(from, to);
      case WRITE_LONG -> node.setWord(offset, operand);
      default -> {
        return applyAtomic();
      }
    }
    return to - from < Long.BYTES ? 0 : node.word(offset + from & -Long.BYTES);
  }

  /** Takes bytes as they are now; with the last of them there is a digest. */
  private void digest(int from, int to) {
    node.read(offset + from, content, from, to - from);
    if (partsLeft == 0) {
      node.digest(operand, expected, content, length, queue.staging(), stagingOffset);
    }
  }

  private long applyAtomic() {
    long old = node.word(offset);
    if (kind == FAA) {
      node.add(offset, old, operand);
    } else if (old == expected) {
      node.setWord(offset, operand);
    }
    queue.deliver(stagingOffset, old);
    return old;
  }

  String name() {
    return NAMES[kind];
  }
}
