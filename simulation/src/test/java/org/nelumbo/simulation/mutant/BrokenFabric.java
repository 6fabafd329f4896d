package org.nelumbo.simulation.mutant;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.ForwardingChannel;
import org.nelumbo.dm.pool.ForwardingFabric;

/** A fabric that returns wrong data or returns too early. */
final class BrokenFabric extends ForwardingFabric {
  /** The kind of fault. */
  enum Way {
    /**
     * Reads of CVTs return free cells in place of INVISIBLE ones. Coordinators pause before each
     * timestamp they write, as a slow coordinator may: the fault only matters if another
     * transaction reads just then.
     */
    SKIP_INVISIBLE,
    /**
     * A flush that consists only of words, such as the flush of commit timestamps, does not wait.
     */
    DO_NOT_AWAIT_VISIBLE
  }

  private static final long SLOW_NANOS = 10_000;

  /** Cells of each CVT of the table. */
  private static final int CELLS = 2;

  private final Way way;
  private final Environment environment;

  BrokenFabric(Fabric fabric, Way way, Environment environment) {
    super(fabric);
    this.way = way;
    this.environment = environment;
  }

  @Override
  public Channel openChannel(int stagingBytes) {
    return new BrokenChannel(fabric.openChannel(stagingBytes), way, environment);
  }

  /** A channel with the fault. */
  private static final class BrokenChannel extends ForwardingChannel {
    private final Way way;
    private final Environment environment;
    private final List<Integer> copies = new ArrayList<>();
    private boolean onlyWords = true;

    BrokenChannel(Channel channel, Way way, Environment environment) {
      super(channel);
      this.way = way;
      this.environment = environment;
    }

    @Override
    public void read(long address, int stagingOffset, int length) {
      onlyWords = false;
      channel.read(address, stagingOffset, length);
      if (length == CvtLayout.bytes(CELLS)) {
        copies.add(stagingOffset);
      }
    }

    @Override
    public void write(long address, int stagingOffset, int length) {
      onlyWords = false;
      channel.write(address, stagingOffset, length);
    }

    @Override
    public void writeLong(long address, long value) {
      if (way == Way.SKIP_INVISIBLE) {
        environment.parkNanos(SLOW_NANOS);
      }
      channel.writeLong(address, value);
    }

    @Override
    public void compareAndSwap(long address, long expected, long replacement, int stagingOffset) {
      onlyWords = false;
      channel.compareAndSwap(address, expected, replacement, stagingOffset);
    }

    @Override
    public void fetchAndAdd(long address, long delta, int stagingOffset) {
      onlyWords = false;
      channel.fetchAndAdd(address, delta, stagingOffset);
    }

    @Override
    public void flush() {
      if (way == Way.DO_NOT_AWAIT_VISIBLE && onlyWords) {
        return;
      }
      channel.flush();
      onlyWords = true;
      if (way == Way.SKIP_INVISIBLE) {
        copies.forEach(this::hideInvisible);
      }
      copies.clear();
    }

    private void hideInvisible(int cvt) {
      for (int cell = 0; cell < CELLS; cell++) {
        long version = CellLayout.version(CvtLayout.word1(staging(), cvt, cell));
        if (CellLayout.isInvisible(version)) {
          int offset = cvt + CvtLayout.cellOffset(cell);
          staging().set(ValueLayout.JAVA_LONG, offset, 0);
          staging().set(ValueLayout.JAVA_LONG, offset + Long.BYTES, 0);
        }
      }
    }
  }
}
