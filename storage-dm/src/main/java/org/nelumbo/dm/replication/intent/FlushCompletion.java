package org.nelumbo.dm.replication.intent;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.replication.view.NodeChannels;
import org.nelumbo.dm.replication.view.Placement;
import org.nelumbo.dm.replication.view.View;

/**
 * Completion of the flushes that a dead compute node had under way, while others go on working: so
 * that the copies are as if it had died between two flushes. Whoever does it knows that the dead
 * one is fenced at every memory node.
 *
 * <p>Of each flush: if it is done nowhere there is nothing to do. Else some copy has what it wrote.
 * That is written to the other copies that have not done it, to the primary last, in posted order
 * and as a whole: readers of the primary see nothing that they could not have seen otherwise. When
 * all that is done, each CAS that was decided comes to the primary, too, or is undone if it cannot:
 * nobody was told of it. Counters that backups are ahead with stay so.
 *
 * <p>One compute node at a time does it, by a claim at the first memory node; if that one dies,
 * whoever has fenced it goes on. For one thread.
 */
public final class FlushCompletion implements AutoCloseable {
  private final Environment environment;
  private final View view;
  private final Placement placement;
  private final long self;
  private final IntentTable table;

  /** The blocks of the dead one at all memory nodes, one after the other. */
  private final MemorySegment blocks;

  private final long[] places;

  /**
   * A completion.
   *
   * @param self tenant of this compute node
   */
  public FlushCompletion(Environment environment, View view, long self) {
    this.environment = environment;
    this.view = view;
    this.placement = view.placement();
    this.self = self;
    this.table = new IntentTable(environment, view);
    this.blocks =
        Arena.ofAuto().allocate((long) placement.nodes() * IntentLayout.BLOCK_LENGTH, Long.BYTES);
    this.places = new long[placement.nodes()];
  }

  /**
   * Completes what a dead compute node had under way.
   *
   * @param isFenced whether a compute node that had begun to do this is dead, and fenced by now
   * @param givesUp whether to wait no longer for another one that does it
   * @return false if it has given up; else it is done, by this one or another
   */
  public boolean complete(long dead, LongPredicate isFenced, BooleanSupplier givesUp) {
    for (int attempt = 0; !givesUp.getAsBoolean(); attempt++) {
      int entry = table.find(dead);
      if (entry == IntentTable.NONE) {
        return true;
      }
      long block = table.block(table.first(), entry);
      long claim = block == 0 ? 0 : table.swap(table.first(), block, dead, ~self);
      if (claim == 0) {
        table.forget(entry, dead); // it had no flush yet, or another one is about to do this
        return true;
      }
      boolean isOwn = claim == dead || claim == ~self;
      if (!isOwn && isFenced.test(~claim)) {
        isOwn = table.swap(table.first(), block, claim, ~self) == claim;
      }
      if (isOwn) {
        completeAll(entry);
        table.leave(entry, dead);
        return true;
      }
      environment.backoff(attempt);
    }
    return false;
  }

  private void completeAll(int entry) {
    for (int node = 0; node < places.length; node++) {
      places[node] = view.isLive(node) ? table.block(node, entry) : 0;
      if (places[node] != 0) {
        long at = PoolAddress.of(0, places[node]);
        table.run(node, channel -> channel.read(at, 0, IntentLayout.BLOCK_LENGTH));
        MemorySegment.copy(
            table.staging(),
            0,
            blocks,
            (long) node * IntentLayout.BLOCK_LENGTH,
            IntentLayout.BLOCK_LENGTH);
      }
    }
    List<Flush> begun = new ArrayList<>();
    for (int record = 0; record < IntentLayout.RECORDS; record++) {
      addFlush(record, begun);
    }
    begun.forEach(this::copyPlain);
    begun.forEach(this::settle); // a latch that one of them takes may be one that another gives up
  }

  private void addFlush(int record, List<Flush> begun) {
    long flush = 0;
    int from = 0;
    for (int node = 0; node < places.length; node++) {
      if (places[node] != 0 && flushAt(node, record) > flush) {
        flush = flushAt(node, record);
        from = node;
      }
    }
    for (int logical = 0; flush > 0 && logical < placement.logicals(); logical++) {
      Flush one = new Flush(record, flush, copied(from, record), logical);
      if (isWritten(one.intent, logical) && source(one) >= 0) {
        begun.add(one);
      }
    }
  }

  /** Where the copy of a record is that was read from a memory node. */
  private static long copied(int node, int record) {
    return (long) node * IntentLayout.BLOCK_LENGTH + IntentLayout.recordOffset(record);
  }

  private long flushAt(int node, int record) {
    return IntentLayout.flush(blocks, copied(node, record));
  }

  private boolean isWritten(long intent, int logical) {
    for (int i = 0; i < IntentLayout.count(blocks, intent); i++) {
      if (IntentLayout.logical(blocks, intent, i) == logical) {
        return true;
      }
    }
    return false;
  }

  /**
   * What a flush was to write to one logical node.
   *
   * @param intent where its record was copied to
   */
  private record Flush(int record, long number, long intent, int logical) {}

  /** The last copy that has what a flush was to write; less than 0 if none has. */
  private int source(Flush flush) {
    int source = placement.copies() - 1;
    while (source >= 0 && !isDone(flush, source)) {
      source--;
    }
    return source;
  }

  private void copyPlain(Flush flush) {
    int source = source(flush);
    for (int copy = placement.copies() - 1; copy >= 0; copy--) {
      if (view.isLive(placement.node(flush.logical, copy)) && !isDone(flush, copy)) {
        copyPlain(flush, source, copy);
      }
    }
  }

  private void settle(Flush flush) {
    for (int i = 0; i < count(flush); i++) {
      if (isKind(flush, i, IntentLayout.CAS)) {
        settle(flush, i);
      }
    }
  }

  /** Whether a live copy has all of a flush that is neither CAS nor FAA. */
  private boolean isDone(Flush flush, int copy) {
    int node = placement.node(flush.logical, copy);
    long plain = plain(flush);
    return view.isLive(node) && (done(flush, node) & plain) == plain && isNoted(flush, node);
  }

  private boolean isNoted(Flush flush, int node) {
    return flushAt(node, flush.record) == flush.number;
  }

  private long done(Flush flush, int node) {
    return IntentLayout.doneOf(blocks, copied(node, flush.record), flush.number);
  }

  /** What is neither CAS nor FAA, a bit for each verb. */
  private long plain(Flush flush) {
    long verbs = 0;
    for (int i = 0; i < count(flush); i++) {
      verbs |= isRange(flush, i) || isWord(flush, i) ? 1L << i : 0;
    }
    return verbs;
  }

  /**
   * Brings a CAS that the last backup has decided to the others; if another one has the word there
   * still, it is undone, at the last backup last.
   */
  private void settle(Flush flush, int i) {
    long expected = IntentLayout.expected(blocks, flush.intent, i);
    long replacement = IntentLayout.operand(blocks, flush.intent, i);
    int last = placement.copies() - 1;
    while (!view.isLive(placement.node(flush.logical, last))) {
      last--;
    }
    int node = placement.node(flush.logical, last);
    if (table.word(node, offset(flush, i, last)) != replacement) {
      return; // it was decided that it fails, or somebody has written over it
    }
    boolean isAt = true;
    for (int copy = last - 1; copy >= view.primaryCopy(flush.logical); copy--) {
      if (isAt && view.isLive(placement.node(flush.logical, copy))) {
        long found = swap(flush, i, copy, expected, replacement);
        isAt = found == expected || found == replacement;
      }
    }
    for (int copy = view.primaryCopy(flush.logical) + 1; !isAt && copy <= last; copy++) {
      if (view.isLive(placement.node(flush.logical, copy))) {
        swap(flush, i, copy, replacement, expected);
      }
    }
  }

  private long offset(Flush flush, int i, int copy) {
    return placement.offset(flush.logical, copy, offset(flush, i));
  }

  private long swap(Flush flush, int i, int copy, long expected, long replacement) {
    return table.swap(
        placement.node(flush.logical, copy), offset(flush, i, copy), expected, replacement);
  }

  /**
   * Writes what one copy has, of all that is neither CAS nor FAA, to another copy, and marks the
   * flush as done there.
   */
  private void copyPlain(Flush flush, int source, int target) {
    int bytes = 0;
    for (int i = 0; i < count(flush); i++) {
      bytes += isRange(flush, i) ? paddedLength(flush, i) : 0;
    }
    MemorySegment data = Arena.ofAuto().allocate(2L * bytes + Long.BYTES, Long.BYTES);
    try (NodeChannels channels = new NodeChannels(placement.nodes(), data)) {
      int from = placement.node(flush.logical, source);
      int to = placement.node(flush.logical, target);
      run(channels, from, channel -> postReads(flush, source, channel, 0));
      int before = bytes;
      run(channels, to, channel -> postReads(flush, target, channel, before));
      hideLaterWords(flush, data, before);
      long done = done(flush, to) | plain(flush);
      run(
          channels,
          to,
          channel -> {
            postWrites(flush, target, channel);
            channel.writeLong(
                PoolAddress.of(
                    0,
                    places[to]
                        + IntentLayout.recordOffset(flush.record)
                        + IntentLayout.doneOffset()),
                IntentLayout.done(flush.number, done));
          });
      IntentLayout.setDone(blocks, copied(to, flush.record), flush.number, done);
    }
  }

  private void run(NodeChannels channels, int node, IntentTable.Verbs verbs) {
    channels.begin();
    Channel channel = channels.to(view, node);
    if (channel != null) {
      verbs.post(channel);
    }
    if (!channels.flush()) {
      throw new FabricException(node, channels.failure(node).getMessage(), channels.failure(node));
    }
  }

  private int count(Flush flush) {
    return IntentLayout.count(blocks, flush.intent);
  }

  private boolean isKind(Flush flush, int i, int kind) {
    return IntentLayout.logical(blocks, flush.intent, i) == flush.logical
        && IntentLayout.kind(blocks, flush.intent, i) == kind;
  }

  private boolean isRange(Flush flush, int i) {
    return isKind(flush, i, IntentLayout.WRITE);
  }

  private boolean isWord(Flush flush, int i) {
    return isKind(flush, i, IntentLayout.WRITE_WORD);
  }

  private long offset(Flush flush, int i) {
    return IntentLayout.offset(blocks, flush.intent, i);
  }

  private int paddedLength(Flush flush, int i) {
    return IntentLayout.length(blocks, flush.intent, i) + 7 & -8;
  }

  private long address(Flush flush, int copy, int i) {
    return PoolAddress.of(0, offset(flush, i, copy));
  }

  private void postReads(Flush flush, int copy, Channel channel, int place) {
    int at = place;
    for (int i = 0; i < count(flush); i++) {
      if (isRange(flush, i)) {
        int length = IntentLayout.length(blocks, flush.intent, i);
        channel.read(address(flush, copy, i), at, length);
        at += paddedLength(flush, i);
      }
    }
  }

  /**
   * Words that the flush was to write again later are to be as they were before that: whoever reads
   * meanwhile is not to take for whole what is not.
   *
   * @param before where in {@code data} the ranges are as the target has them
   */
  private void hideLaterWords(Flush flush, MemorySegment data, int before) {
    int at = 0;
    for (int i = 0; i < count(flush); i++) {
      if (isRange(flush, i)) {
        long first = offset(flush, i) & -Long.BYTES;
        long end = offset(flush, i) + IntentLayout.length(blocks, flush.intent, i);
        for (long word = first; word < end; word += Long.BYTES) {
          if (isWrittenAfter(flush, i, word)) {
            hide(flush, i, word, data, at, before);
          }
        }
        at += paddedLength(flush, i);
      }
    }
  }

  private boolean isWrittenAfter(Flush flush, int i, long word) {
    for (int j = i + 1; j < count(flush); j++) {
      boolean isHit =
          (isRange(flush, j) || isWord(flush, j))
              && offset(flush, j) < word + Long.BYTES
              && word < offset(flush, j) + IntentLayout.length(blocks, flush.intent, j);
      if (isHit) {
        return true;
      }
    }
    return false;
  }

  /** A word of a range gets the value that it had before, as far as it is in the range. */
  private void hide(Flush flush, int i, long word, MemorySegment data, int at, int before) {
    long from = Math.max(word, offset(flush, i));
    long end =
        Math.min(
            word + Long.BYTES, offset(flush, i) + IntentLayout.length(blocks, flush.intent, i));
    int place = Math.toIntExact(at + from - offset(flush, i));
    int length = Math.toIntExact(end - from);
    MemorySegment.copy(data, before + (long) place, data, place, length);
    for (int k = 0; k < i; k++) {
      if (isWord(flush, k) && offset(flush, k) == word && length == Long.BYTES) {
        data.set(
            ValueLayout.JAVA_LONG_UNALIGNED, place, IntentLayout.operand(blocks, flush.intent, k));
      }
    }
  }

  private void postWrites(Flush flush, int copy, Channel channel) {
    int at = 0;
    for (int i = 0; i < count(flush); i++) {
      if (isRange(flush, i)) {
        int length = IntentLayout.length(blocks, flush.intent, i);
        channel.write(address(flush, copy, i), at, length);
        at += paddedLength(flush, i);
      } else if (isWord(flush, i)) {
        channel.writeLong(address(flush, copy, i), IntentLayout.operand(blocks, flush.intent, i));
      }
    }
  }

  @Override
  public void close() {
    table.close();
  }
}
