package org.nelumbo.dm.index.tree;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.fabric.Channel;

/**
 * Reads and latches nodes. A reader takes the node between two READs of its latch word and uses it only if both show the same unlatched count (a seqlock); the three are posted
 * together, so it costs one round trip. A writer latches by CAS with the READ of the node posted behind it, and releases with the WRITE of the new count posted last.
 */
final class NodeAccess {
  private NodeAccess() {}

  /** Reads a consistent copy. */
  static void read(Environment environment, Channel channel, long address, Node into) {
    MemorySegment staging = channel.staging();
    int mark = channel.mark();
    int before = channel.reserve(Long.BYTES);
    int node = channel.reserve(NodeLayout.LENGTH);
    int after = channel.reserve(Long.BYTES);
    for (int attempt = 0; ; attempt++) {
      channel.read(address, before, Long.BYTES);
      channel.read(address, node, NodeLayout.LENGTH);
      channel.read(address, after, Long.BYTES);
      channel.flush();
      long word = staging.get(ValueLayout.JAVA_LONG, before);
      if ((word & NodeLayout.LATCHED) == 0 && word == staging.get(ValueLayout.JAVA_LONG, after)) {
        break;
      }
      environment.backoff(attempt);
    }
    into.load(staging, node, address);
    channel.release(mark);
  }

  /** Latches a node and reads it. */
  static void latch(Environment environment, Channel channel, long address, Node into) {
    MemorySegment staging = channel.staging();
    int mark = channel.mark();
    int old = channel.reserve(Long.BYTES);
    int node = channel.reserve(NodeLayout.LENGTH);
    channel.read(address, old, Long.BYTES);
    channel.flush();
    for (int attempt = 0; ; attempt++) {
      long word = staging.get(ValueLayout.JAVA_LONG, old);
      if ((word & NodeLayout.LATCHED) == 0) {
        channel.compareAndSwap(address, word, word | NodeLayout.LATCHED, old);
        channel.read(address, node, NodeLayout.LENGTH);
        channel.flush();
        if (staging.get(ValueLayout.JAVA_LONG, old) == word) {
          break;
        }
      } else {
        environment.backoff(attempt);
        channel.read(address, old, Long.BYTES);
        channel.flush();
      }
    }
    into.load(staging, node, address);
    channel.release(mark);
  }

  /** Writes a latched node back and releases it. */
  static void writeAndRelease(Channel channel, Node node) {
    MemorySegment staging = channel.staging();
    int mark = channel.mark();
    int offset = channel.reserve(NodeLayout.LENGTH);
    node.store(staging, offset);
    long word = staging.get(ValueLayout.JAVA_LONG, offset) & ~NodeLayout.LATCHED;
    channel.write(node.address + Long.BYTES, offset + Long.BYTES, NodeLayout.LENGTH - Long.BYTES);
    channel.writeLong(node.address, word + 2);
    channel.flush();
    channel.release(mark);
  }

  /** Releases a latched node that was not changed. */
  static void release(Channel channel, Node node) {
    channel.writeLong(node.address, node.latchWord() & ~NodeLayout.LATCHED);
    channel.flush();
  }

  /** Writes a node that nobody can reach yet. */
  static void writeNew(Channel channel, Node node) {
    MemorySegment staging = channel.staging();
    int mark = channel.mark();
    int offset = channel.reserve(NodeLayout.LENGTH);
    node.store(staging, offset);
    channel.write(node.address, offset, NodeLayout.LENGTH);
    channel.flush();
    channel.release(mark);
  }
}
