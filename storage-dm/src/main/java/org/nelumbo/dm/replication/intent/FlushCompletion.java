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
 * Completes the flushes that a failed compute node had in progress, while other compute nodes
 * continue to work. Afterwards the copies are as if the compute node had failed between two
 * flushes. The caller has fenced it at every memory node.
 *
 * <p>A flush that no copy has executed needs nothing. Otherwise some copy has its writes.
 *
 * <ol>
 *   <li>These are written to the other copies that have not executed them, to the primary last.
 *       They are written in posted order and as one frame, so that readers of the primary see
 *       nothing that they could not have seen otherwise.
 *   <li>When all flushes are written, each decided CAS is brought to the primary, too. If that is
 *       impossible, it is undone: its result was not returned to any caller.
 * </ol>
 *
 * <p>Counters at backups that are ahead of the primary stay ahead.
 *
 * <p>Where a flush may end at any verb (not {@link View#executesFrames}), a copy has all verbs that
 * are marked there, and perhaps some writes after the last mark, but no later verb that other
 * compute nodes may have acted upon.
 *
 * <ul>
 *   <li>Writes that are marked at any copy are brought to the other copies.
 *   <li>Writes that are marked at no copy are replaced by the contents of the primary.
 *   <li>A latch is released if all writes before the release are marked. This is a CAS, so that a
 *       later owner keeps the latch.
 * </ul>
 *
 * <p>Logged flushes, which have no intents, are completed last ({@link CommitLogCompletion}).
 *
 * <p>One compute node at a time does this, under a claim at the first memory node. If it fails, the
 * compute node that has fenced it continues. Confined to one thread.
 */
public final class FlushCompletion implements AutoCloseable {
  private final Environment environment;
  private final View view;
  private final Placement placement;
  private final long self;
  private final IntentTable table;
  private final boolean endsAnywhere;

  /** Copies of the failed compute node's blocks at all memory nodes, one after the other. */
  private final MemorySegment blocks;

  private final long[] blockAddresses;

  /**
   * Creates a completion.
   *
   * @param self tenant number of this compute node
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
    this.blockAddresses = new long[placement.nodes()];
  }

  /**
   * Completes the flushes of a failed compute node.
   *
   * @param dead tenant number of the failed compute node
   * @param isFenced returns true if a tenant that has begun to do this has failed and is fenced
   * @param givesUp returns true to stop waiting for another compute node that does this
   * @return false if it has given up; otherwise the flushes are completed, by this or another
   *     compute node
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
        table.forget(
            entry, dead); // it had no flush yet, or another compute node is about to free the entry
        return true;
      }
      boolean isOwn = claim == dead || claim == ~self;
      if (!isOwn && isFenced.test(~claim)) {
        isOwn = table.swap(table.first(), block, claim, ~self) == claim;
      }
      if (isOwn) {
        completeAll(entry, dead);
        new CommitLogCompletion(table, view).complete(dead);
        table.leave(entry, dead);
        return true;
      }
      environment.backoff(attempt);
    }
    return false;
  }

  private void completeAll(int entry, long dead) {
    for (int node = 0; node < blockAddresses.length; node++) {
      blockAddresses[node] = view.isLive(node) ? table.block(node, entry) : 0;
      if (blockAddresses[node] != 0) {
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
    begun.forEach(
        this::settle); // after all writes: one flush may take a latch that another releases
  }

  /**
   * If the failed compute node had not entered at the memory node yet, the block has records of the
   * previous owner of the entry, and is ignored.
   */
  private void read(int node, long dead) {
    long at = PoolAddress.of(0, blockAddresses[node]);
    table.run(node, channel -> channel.read(at, 0, IntentLayout.BLOCK_LENGTH));
    MemorySegment read = table.staging();
    if (node != table.first() && read.get(ValueLayout.JAVA_LONG, 0) != dead) {
      blockAddresses[node] = 0;
    } else {
      MemorySegment.copy(read, 0, blocks, block(node), IntentLayout.BLOCK_LENGTH);
    }
  }

  private void addFlush(int record, List<Flush> begun) {
    long flush = 0;
    int from = 0;
    long lastVoid = 0;
    for (int node = 0; node < blockAddresses.length; node++) {
      if (blockAddresses[node] != 0) {
        lastVoid = Math.max(lastVoid, IntentLayout.lastVoid(blocks, block(node), record));
        boolean isBetter = flushAt(node, record) > flush || !isWhole(from, record);
        if (flushAt(node, record) >= flush && isBetter) {
          flush = flushAt(node, record);
          from = node;
        }
      }
    }
    if (flush <= lastVoid || !isWhole(from, record)) {
      return; // no verb is at any copy, or all are at all copies
    }
    for (int logical = 0; flush > 0 && logical < placement.logicals(); logical++) {
      Flush one = new Flush(record, flush, copied(from, record), logical);
      if (isWritten(one.intent, logical) && (endsAnywhere || source(one) >= 0)) {
        begun.add(one);
      }
    }
  }

  private static long block(int node) {
    return (long) node * IntentLayout.BLOCK_LENGTH;
  }

  private static long copied(int node, int record) {
    return block(node) + IntentLayout.recordOffset(record);
  }

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
   * The verbs of a flush for one logical node.
   *
   * @param intent offset of a copy of its record
   */
  private record Flush(int record, long number, long intent, int logical) {}

  /** Returns the last copy that has executed the writes of a flush, or -1 if there is none. */
  private int source(Flush flush) {
    int source = placement.copies() - 1;
    while (source >= 0 && !isDone(flush, source)) {
      source--;
    }
    return source;
  }

  private void copyPlain(Flush flush) {
    int source = source(flush);
    long left = 0;
    for (int copy = 0; copy < placement.copies(); copy++) {
      left |= isDone(flush, copy) ? 0 : 1L << copy;
    }
    for (int copy = placement.copies() - 1; copy >= 0; copy--) {
      if (isIncomplete(flush, left, copy)) {
        copyPlain(flush, source, copy);
      }
    }
  }

  /**
   * Returns true if a copy needs the writes of a flush. A memory node without records of the failed
   * compute node needs them only if another one, which has records, has not executed them: if all
   * of these have executed the flush, it was complete. Such a node has been filled since, or a
   * completion in a later view has removed the records there, and the words may have been
   * overwritten.
   *
   * @param left copies that have not executed the writes, one bit per copy
   */
  private boolean isIncomplete(Flush flush, long left, int copy) {
    boolean isMissingWhereRecorded = false;
    for (int each = 0; each < placement.copies(); each++) {
      int node = placement.node(flush.logical, each);
      isMissingWhereRecorded |=
          (left >>> each & 1) != 0 && view.isLive(node) && blockAddresses[node] != 0;
    }
    return isMissingWhereRecorded
        && (left >>> copy & 1) != 0
        && view.isLive(placement.node(flush.logical, copy));
  }

  private void settle(Flush flush) {
    for (int i = 0; i < count(flush); i++) {
      if (isKind(flush, i, IntentLayout.CAS)) {
        settle(flush, i);
      }
    }
  }

  /** Returns true if a live copy has executed all verbs of a flush except CAS and FAA. */
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

  /** Returns the verbs that are neither CAS nor FAA, one bit per verb. */
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
   * The progress of a flush that may have ended at any verb.
   *
   * @param source copy with the longest marked prefix; -1 if no copy has one
   * @param marked verbs in that prefix, one bit per verb
   * @param decided verbs in the marked prefix of the last live copy when this completion began
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

  /**
   * Returns the longest prefix of a flush, one bit per verb, in which all writes are marked at a
   * copy.
   */
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
   * Brings the writes that are marked at one copy to the others, and replaces writes that are
   * marked nowhere by the contents of the primary. The primary has a part of these if it was a
   * backup when the flush was written there.
   */
  private void copyPart(Part part) {
    Flush flush = part.flush;
    int primary = view.primaryCopy(flush.logical);
    long left = 0;
    for (int copy = 0; copy < placement.copies(); copy++) {
      left |= missing(part, copy) == 0 ? 0 : 1L << copy;
    }
    for (int copy = placement.copies() - 1; copy >= 0; copy--) {
      if (isIncomplete(flush, left, copy)) {
        copyPlain(flush, part.source, copy, missing(part, copy));
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

  /** Returns the writes that are marked at some copy, but not at this one, one bit per verb. */
  private long missing(Part part, int copy) {
    return data(part.flush) & part.marked & ~marked(part.flush, copy);
  }

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
   * Releases latches whose preceding writes are all marked. If the last copy has executed the
   * release and the latch has the same owner again, a later flush of the failed compute node has
   * taken it, which had seen the release.
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
   * Brings a CAS that the last backup has decided to the other copies. If a copy still has the
   * value of another owner there, the CAS is undone, at the last backup last.
   */
  private void settle(Flush flush, int i) {
    long expected = IntentLayout.expected(blocks, flush.intent, i);
    long replacement = IntentLayout.operand(blocks, flush.intent, i);
    int last = lastCopy(flush);
    int node = placement.node(flush.logical, last);
    if (table.word(node, offset(flush, i, last)) != replacement) {
      return; // it failed, or its word was overwritten
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

  private void copyPlain(Flush flush, int source, int target) {
    copyPlain(flush, source, target, plain(flush));
  }

  /**
   * Writes what one copy has to another copy, and marks it as done there. Without a block of the
   * failed compute node at that memory node, there is no mark: a compute node that continues this
   * completion then writes the same again.
   *
   * @param verbs verbs to write, one bit per verb
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
      long recordAddress = blockAddresses[to] + IntentLayout.recordOffset(flush.record);
      boolean isNoted = isNoted(flush, to);
      run(
          channels,
          to,
          channel -> {
            if (!isNoted
                && blockAddresses[to]
                    != 0) { // a compute node that continues this has to see the mark
              channel.writeLong(PoolAddress.of(0, recordAddress), flush.number);
              channel.write(PoolAddress.of(0, recordAddress), intent, length);
            }
            postWrites(flush, target, channel, verbs);
            if (blockAddresses[to] != 0) {
              channel.writeLong(
                  PoolAddress.of(0, recordAddress + IntentLayout.doneOffset()),
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

  private void postReads(Flush flush, int copy, Channel channel, int recordAddress, long verbs) {
    int at = recordAddress;
    for (int i = 0; i < count(flush); i++) {
      if ((verbs >>> i & 1) != 0) {
        int length = IntentLayout.length(blocks, flush.intent, i);
        channel.read(address(flush, copy, i), at, length);
        at += paddedLength(flush, i);
      }
    }
  }

  /**
   * Replaces words that the flush overwrites later by their earlier values, so that a concurrent
   * reader does not take an incomplete change for a complete one.
   *
   * @param before offset in {@code data} of the ranges as the target copy has them
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

  /**
   * Sets a word, as far as it lies in the range of a verb, to the value that it had before that
   * verb.
   */
  private void hide(Flush flush, int i, long word, MemorySegment data, int at, int before) {
    long from = Math.max(word, offset(flush, i));
    long end =
        Math.min(
            word + Long.BYTES, offset(flush, i) + IntentLayout.length(blocks, flush.intent, i));
    int recordAddress = Math.toIntExact(at + from - offset(flush, i));
    int length = Math.toIntExact(end - from);
    MemorySegment.copy(data, before + (long) recordAddress, data, recordAddress, length);
    for (int k = 0; k < i; k++) {
      if (isWord(flush, k) && offset(flush, k) == word && length == Long.BYTES) {
        data.set(
            ValueLayout.JAVA_LONG_UNALIGNED,
            recordAddress,
            IntentLayout.operand(blocks, flush.intent, k));
      }
    }
    for (int k = i + 1; endsAnywhere && k < count(flush); k++) {
      boolean isHeld = isKind(flush, k, IntentLayout.RELEASE) && offset(flush, k) == word;
      if (isHeld
          && length == Long.BYTES) { // it is released later, and has the held value until then
        data.set(
            ValueLayout.JAVA_LONG_UNALIGNED,
            recordAddress,
            IntentLayout.expected(blocks, flush.intent, k));
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
