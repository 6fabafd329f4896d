package org.nelumbo.simulation.fabric;

import java.lang.foreign.MemorySegment;
import org.nelumbo.simulation.world.SimEvent;
import org.nelumbo.simulation.world.SimTask;

/** A verb that is in flight or has landed. Its channel reuses it. */
final class SimVerb extends SimEvent {
  static final int READ = 0;
  static final int WRITE = 1;
  static final int DIGEST = 2;
  static final int WRITE_LONG = 3;
  static final int CAS = 4;
  static final int FAA = 5;

  /** The queue pair of a verb, implemented by its channel. */
  interface QueuePair {
    /** Moves a verb on: from its processor to the card of its compute node, or to its node. */
    void moved(SimVerb verb);

    /** Returns true if a verb that arrives at a node now takes effect there. */
    boolean reaches(SimMemoryNode node);

    /** Returns true if a verb that has begun to land lands wholly, even if its sender fails. */
    boolean isWhole();

    /** Returns true if all verbs in flight to a node land there, even if their sender fails. */
    boolean landsWholly(int node);

    /** Breaks the connection to a node. */
    void breakLink(int node);

    /** Returns the buffer that verbs read from and write to. */
    MemorySegment staging();

    /** Returns true if the reply to a verb that takes effect at a node now arrives. */
    boolean isAnswered();

    /** Delivers the old value of a word. */
    void deliver(int stagingOffset, long value);

    /** Records the effect of a part of a verb; {@code value} represents the bytes it moved. */
    void landed(SimVerb verb, int from, int to, long value);
  }

  /** The way of a verb that is posted by a processor. */
  enum Stage {
    /** It has been posted, and waits at the card of its compute node. */
    LEAVES,
    /** It arrives at the card of its memory node. */
    ARRIVES,
    /** It takes effect. */
    LANDS
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

  /** Bytes read so far for a DIGEST. */
  MemorySegment content;

  /** The next event of the verb. */
  Stage stage = Stage.LANDS;

  /** Number of parts that have not landed yet. */
  int partsLeft;

  /** True if it has no effect, or not all of it: it is lost, or its node has failed. */
  boolean lost;

  /** True if a part of it has landed, and the rest will. */
  boolean begun;

  /** True if it has had its effect, but its reply is lost. */
  boolean unanswered;

  /** True if it is lost because its connection breaks when it should land. */
  boolean breaks;

  SimVerb(QueuePair queue) {
    this.queue = queue;
  }

  @Override
  protected void fire() {
    if (stage == Stage.LANDS) {
      land(0, length);
    } else {
      queue.moved(this);
    }
  }

  /** Applies the bytes of one part. */
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

  /** The last part computes the digest. */
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

  VerbKind cardKind() {
    return switch (kind) {
      case READ, DIGEST -> VerbKind.READ;
      case WRITE, WRITE_LONG -> VerbKind.WRITE;
      case CAS -> VerbKind.CAS;
      default -> VerbKind.FAA;
    };
  }
}
