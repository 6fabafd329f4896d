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
 * <p>Where a flush may end anywhere ({@link View#executesFrames}), a copy has all that is marked
 * there, and perhaps a part of what was written behind that, but nothing that others act upon. What
 * is marked at any copy is brought to the others. What is marked nowhere becomes as the primary has
 * it. A latch is given up if all that was written before is marked: by CAS, so that whoever has
 * taken it since keeps it.
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
  private final boolean endsAnywhere;

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
    this.endsAnywhere = !view.executesFrames();
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
        completeAll(entry, dead);
        table.leave(entry, dead);
        return true;
      }
      environment.backoff(attempt);
    }
    return false;
  }

  private void completeAll(int entry, long dead) {
    for (int node = 0; node < places.length; node++) {
      places[node] = view.isLive(node) ? table.block(node, entry) : 0;
      if (places[node] != 0) {
        read(node, dead);
      }
    }
    List<Flush> begun = new ArrayList<>();
    for (int record = 0; record < IntentLayout.RECORDS; record++) {
      addFlush(record, begun);
    }
    if (endsAnywhere) {
      List<Part> parts = begun.stream().map(this::part).toList();
      parts.forEach(this::copyPart);
      parts.forEach(this::release);
      parts.forEach(this::settle);
      return;
    }
    begun.forEach(this::copyPlain);
    begun.forEach(this::settle); // a latch that one of them takes may be one that another gives up
  }

  /**
   * Reads the block at a memory node. If the dead one had not come to enter there, it has records
   * of the one that had the entry before.
   */
  private void read(int node, long dead) {
    long at = PoolAddress.of(0, places[node]);
    table.run(node, channel -> channel.read(at, 0, IntentLayout.BLOCK_LENGTH));
    MemorySegment read = table.staging();
    if (node != table.first() && read.get(ValueLayout.JAVA_LONG, 0) != dead) {
      places[node] = 0;
    } else {
      MemorySegment.copy(read, 0, blocks, block(node), IntentLayout.BLOCK_LENGTH);
    }
  }

  private void addFlush(int record, List<Flush> begun) {
    long flush = 0;
    int from = 0;
    long lastVoid = 0;
    for (int node = 0; node < places.length; node++) {
      if (places[node] != 0) {
        lastVoid = Math.max(lastVoid, IntentLayout.lastVoid(blocks, block(node), record));
        boolean isBetter = flushAt(node, record) > flush || !isWhole(from, record);
        if (flushAt(node, record) >= flush && isBetter) {
          flush = flushAt(node, record);
          from = node;
        }
      }
    }
    if (flush <= lastVoid || !isWhole(from, record)) {
      return; // none of its verbs is anywhere, or all are everywhere
    }
    for (int logical = 0; flush > 0 && logical < placement.logicals(); logical++) {
      Flush one = new Flush(record, flush, copied(from, record), logical);
      if (isWritten(one.intent, logical) && (endsAnywhere || source(one) >= 0)) {
        begun.add(one);
      }
    }
  }

  /** Where the copy of a memory node's block is. */
  private static long block(int node) {
    return (long) node * IntentLayout.BLOCK_LENGTH;
  }

  /** Where the copy of a record is that was read from a memory node. */
  private static long copied(int node, int record) {
    return block(node) + IntentLayout.recordOffset(record);
  }

  /** Whether a memory node has all of a record. */
  private boolean isWhole(int node, int record) {
    return !endsAnywhere || IntentLayout.isSealed(blocks, copied(node, record));
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
    return flushAt(node, flush.record) == flush.number && isWhole(node, flush.record);
  }

  private long done(Flush flush, int node) {
    return IntentLayout.doneOf(blocks, copied(node, flush.record), flush.number);
  }

  /** What is neither CAS nor FAA, a bit for each verb. */
  private long plain(Flush flush) {
    return data(flush) | releases(flush);
  }

  private long data(Flush flush) {
    long verbs = 0;
    for (int i = 0; i < count(flush); i++) {
      verbs |= isRange(flush, i) || isKind(flush, i, IntentLayout.WRITE_WORD) ? 1L << i : 0;
    }
    return verbs;
  }

  private long releases(Flush flush) {
    long verbs = 0;
    for (int i = 0; i < count(flush); i++) {
      verbs |= isKind(flush, i, IntentLayout.RELEASE) ? 1L << i : 0;
    }
    return verbs;
  }

  /**
   * How far a flush has come that may have ended anywhere.
   *
   * @param source the copy that has most of what was written marked; -1 if nothing is anywhere
   * @param marked the verbs before which all that was written is marked there, a bit each
   * @param decided the same at the last live copy, when this completion began
   */
  private record Part(Flush flush, int source, long marked, long decided) {}

  private Part part(Flush flush) {
    int source = -1;
    long most = 0;
    long decided = 0;
    for (int copy = placement.copies() - 1; copy >= 0; copy--) {
      long marked = marked(flush, copy);
      if (Long.bitCount(marked) > Long.bitCount(most)) {
        source = copy;
        most = marked;
      }
      decided = copy == lastCopy(flush) ? marked : decided;
    }
    return new Part(flush, source, most, decided);
  }

  /** The first verbs of a flush, a bit each, up to what was written and is not marked at a copy. */
  private long marked(Flush flush, int copy) {
    int node = placement.node(flush.logical, copy);
    if (!view.isLive(node) || !isNoted(flush, node)) {
      return 0;
    }
    long missing = data(flush) & ~done(flush, node);
    int verbs = missing == 0 ? count(flush) : Long.numberOfTrailingZeros(missing);
    return (1L << verbs) - 1;
  }

  private int lastCopy(Flush flush) {
    int last = placement.copies() - 1;
    while (!view.isLive(placement.node(flush.logical, last))) {
      last--;
    }
    return last;
  }

  /**
   * Brings what is marked at one copy to the others; what is marked nowhere is as at the primary.
   * That has a part of it if it was a backup when the flush was written there.
   */
  private void copyPart(Part part) {
    Flush flush = part.flush;
    int primary = view.primaryCopy(flush.logical);
    for (int copy = placement.copies() - 1; copy >= 0; copy--) {
      long missing = data(flush) & part.marked & ~marked(flush, copy);
      if (view.isLive(placement.node(flush.logical, copy)) && missing != 0) {
        copyPlain(flush, part.source, copy, missing);
      }
    }
    long nowhere = data(flush) & ~part.marked;
    boolean isAtPrimary = isNoted(flush, placement.node(flush.logical, primary));
    for (int copy = placement.copies() - 1; nowhere != 0 && copy > primary; copy--) {
      int node = placement.node(flush.logical, copy);
      if (view.isLive(node) && (isAtPrimary || isNoted(flush, node))) {
        copyBack(flush, primary, copy, nowhere);
      }
    }
  }

  /** Writes what the primary has to another copy. */
  private void copyBack(Flush flush, int primary, int target, long verbs) {
    int bytes = 0;
    for (int i = 0; i < count(flush); i++) {
      bytes += (verbs >>> i & 1) != 0 ? paddedLength(flush, i) : 0;
    }
    MemorySegment data = Arena.ofAuto().allocate(bytes, Long.BYTES);
    try (NodeChannels channels = new NodeChannels(placement.nodes(), data)) {
      run(
          channels,
          placement.node(flush.logical, primary),
          channel -> postReads(flush, primary, channel, 0, verbs));
      run(
          channels,
          placement.node(flush.logical, target),
          channel -> {
            int at = 0;
            for (int i = 0; i < count(flush); i++) {
              if ((verbs >>> i & 1) != 0) {
                channel.write(
                    address(flush, target, i), at, IntentLayout.length(blocks, flush.intent, i));
                at += paddedLength(flush, i);
              }
            }
          });
    }
  }

  /**
   * Gives up latches before which all that was written is marked. If the last copy has given one
   * up, and has it taken again, by another flush of the dead one, that flush had seen it given up.
   */
  private void release(Part part) {
    Flush flush = part.flush;
    long verbs = releases(flush) & part.marked;
    int last = lastCopy(flush);
    int node = placement.node(flush.logical, last);
    for (; verbs != 0; verbs &= verbs - 1) {
      int i = Long.numberOfTrailingZeros(verbs);
      long held = IntentLayout.expected(blocks, flush.intent, i);
      boolean isDone = (done(flush, node) >>> i & 1) != 0 && isNoted(flush, node);
      boolean isTakenAgain = isDone && table.word(node, offset(flush, i, last)) == held;
      for (int copy = last; !isTakenAgain && copy >= 0; copy--) {
        if (view.isLive(placement.node(flush.logical, copy))) {
          swap(flush, i, copy, held, IntentLayout.operand(blocks, flush.intent, i));
        }
      }
    }
  }

  private void settle(Part part) {
    for (int i = 0; i < count(part.flush); i++) {
      if (isKind(part.flush, i, IntentLayout.CAS) && (part.decided >>> i & 1) != 0) {
        settle(part.flush, i);
      }
    }
  }

  /**
   * Brings a CAS that the last backup has decided to the others; if another one has the word there
   * still, it is undone, at the last backup last.
   */
  private void settle(Flush flush, int i) {
    long expected = IntentLayout.expected(blocks, flush.intent, i);
    long replacement = IntentLayout.operand(blocks, flush.intent, i);
    int last = lastCopy(flush);
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
    copyPlain(flush, source, target, plain(flush));
  }

  /**
   * Writes what one copy has to another one, and marks it as done there, unless the dead one has no
   * block at that memory node: whoever goes on with this then writes the same once more.
   *
   * @param verbs a bit each
   */
  private void copyPlain(Flush flush, int source, int target, long verbs) {
    long ranges = ranges(flush) & verbs;
    int bytes = 0;
    for (int i = 0; i < count(flush); i++) {
      bytes += (ranges >>> i & 1) != 0 ? paddedLength(flush, i) : 0;
    }
    int before = bytes;
    int intent = 2 * bytes;
    MemorySegment data =
        Arena.ofAuto().allocate((long) intent + IntentLayout.RECORD_LENGTH, Long.BYTES);
    try (NodeChannels channels = new NodeChannels(placement.nodes(), data)) {
      int from = placement.node(flush.logical, source);
      int to = placement.node(flush.logical, target);
      run(channels, from, channel -> postReads(flush, source, channel, 0, ranges));
      run(channels, to, channel -> postReads(flush, target, channel, before, ranges));
      hideLaterWords(flush, data, before, ranges);
      int length = IntentLayout.length(blocks, flush.intent);
      MemorySegment.copy(blocks, flush.intent, data, intent, length);
      long done = done(flush, to) | verbs;
      long place = places[to] + IntentLayout.recordOffset(flush.record);
      boolean isNoted = isNoted(flush, to);
      run(
          channels,
          to,
          channel -> {
            if (!isNoted && places[to] != 0) { // whoever goes on with this is to see the mark
              channel.writeLong(PoolAddress.of(0, place), flush.number);
              channel.write(PoolAddress.of(0, place), intent, length);
            }
            postWrites(flush, target, channel, verbs);
            if (places[to] != 0) {
              channel.writeLong(
                  PoolAddress.of(0, place + IntentLayout.doneOffset()),
                  IntentLayout.done(flush.number, done));
            }
          });
      MemorySegment.copy(blocks, flush.intent, blocks, copied(to, flush.record), length);
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

  private long ranges(Flush flush) {
    long verbs = 0;
    for (int i = 0; i < count(flush); i++) {
      verbs |= isRange(flush, i) ? 1L << i : 0;
    }
    return verbs;
  }

  private boolean isWord(Flush flush, int i) {
    return isKind(flush, i, IntentLayout.WRITE_WORD) || isKind(flush, i, IntentLayout.RELEASE);
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

  private void postReads(Flush flush, int copy, Channel channel, int place, long verbs) {
    int at = place;
    for (int i = 0; i < count(flush); i++) {
      if ((verbs >>> i & 1) != 0) {
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
  private void hideLaterWords(Flush flush, MemorySegment data, int before, long ranges) {
    int at = 0;
    for (int i = 0; i < count(flush); i++) {
      if ((ranges >>> i & 1) != 0) {
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
    for (int k = i + 1; endsAnywhere && k < count(flush); k++) {
      boolean isHeld = isKind(flush, k, IntentLayout.RELEASE) && offset(flush, k) == word;
      if (isHeld && length == Long.BYTES) { // it is given up later, from what it was until then
        data.set(
            ValueLayout.JAVA_LONG_UNALIGNED, place, IntentLayout.expected(blocks, flush.intent, k));
      }
    }
  }

  private void postWrites(Flush flush, int copy, Channel channel, long verbs) {
    int at = 0;
    for (int i = 0; i < count(flush); i++) {
      if ((verbs >>> i & 1) == 0) {
        continue;
      }
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
