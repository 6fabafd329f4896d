package org.nelumbo.simulation.mutant;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.layout.LogLayout;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.ForwardingChannel;
import org.nelumbo.dm.pool.ForwardingFabric;
import org.nelumbo.dm.pool.PoolAddress;

/** A fabric that omits parts of logs. It supports logs of one block. */
final class BrokenLog extends ForwardingFabric {
  /** The kind of fault. */
  enum Way {
    /** The log lacks the rows that a transaction inserts. */
    OMIT_INSERTS,
    /** The header, which makes a log valid, is never written. */
    OMIT_HEADER
  }

  /** Cells of each CVT of the table. */
  private static final int CELLS = 2;

  private final Way way;

  /** Address of the block of the log directory. */
  private final AtomicLong directory = new AtomicLong();

  BrokenLog(Fabric fabric, Way way) {
    super(fabric);
    this.way = way;
  }

  @Override
  public Channel openChannel(int stagingBytes) {
    return new BrokenChannel(fabric.openChannel(stagingBytes), way, directory);
  }

  /**
   * A channel with the fault. It records the location of its coordinator's log when the log is
   * entered into the directory.
   */
  private static final class BrokenChannel extends ForwardingChannel {
    private final Way way;
    private final AtomicLong directory;
    private final Set<Long> inserted = new HashSet<>();
    private final List<long[]> kept = new ArrayList<>();
    private long log = PoolAddress.NULL;

    BrokenChannel(Channel channel, Way way, AtomicLong directory) {
      super(channel);
      this.way = way;
      this.directory = directory;
    }

    @Override
    public void write(long address, int stagingOffset, int length) {
      int written = length;
      if (length >= CvtLayout.bytes(CELLS) && length < CvtLayout.bytes(CELLS + 1)) {
        inserted.add(address);
      }
      if (log != PoolAddress.NULL && address == log + LogLayout.ENTRIES_OFFSET) {
        written = way == Way.OMIT_INSERTS ? omitInserts(stagingOffset, length) : length;
      } else if (log != PoolAddress.NULL && address == log + LogLayout.TRANSACTION_OFFSET) {
        if (way == Way.OMIT_HEADER) {
          return;
        }
        putHeader(stagingOffset - LogLayout.TRANSACTION_OFFSET);
      }
      if (written > 0) {
        channel.write(address, stagingOffset, written);
      }
    }

    /** Compacts the remaining entries and returns their size in bytes. */
    private int omitInserts(int offset, int length) {
      MemorySegment staging = staging();
      kept.clear();
      for (int at = offset; at < offset + length; at += LogLayout.ENTRY_LENGTH) {
        long place = staging.get(ValueLayout.JAVA_LONG, at);
        long word0 = staging.get(ValueLayout.JAVA_LONG, at + Long.BYTES);
        if (!inserted.contains(LogLayout.cvt(place))) {
          int to = offset + kept.size() * LogLayout.ENTRY_LENGTH;
          staging.set(ValueLayout.JAVA_LONG, to, place);
          staging.set(ValueLayout.JAVA_LONG, to + Long.BYTES, word0);
          kept.add(new long[] {place, word0});
        }
      }
      return kept.size() * LogLayout.ENTRY_LENGTH;
    }

    private void putHeader(int header) {
      MemorySegment staging = staging();
      long checksum = LogLayout.addToChecksum(0, LogLayout.transaction(staging, header));
      for (long[] entry : kept) {
        checksum = LogLayout.addToChecksum(LogLayout.addToChecksum(checksum, entry[0]), entry[1]);
      }
      staging.set(ValueLayout.JAVA_LONG, header + LogLayout.COUNT_OFFSET, kept.size());
      staging.set(ValueLayout.JAVA_LONG, header + LogLayout.CHECKSUM_OFFSET, checksum);
    }

    @Override
    public void writeLong(long address, long value) {
      long entry = SuperblockLayout.computeNode(0);
      if (address == entry + SuperblockLayout.COMPUTE_NODE_LOGS_OFFSET) {
        directory.set(value);
      }
      long place = address - directory.get();
      if (directory.get() != PoolAddress.NULL
          && place >= LogLayout.DIRECTORY_LOGS_OFFSET
          && place < LogLayout.DIRECTORY_LENGTH) {
        log = value;
      }
      channel.writeLong(address, value);
    }
  }
}
