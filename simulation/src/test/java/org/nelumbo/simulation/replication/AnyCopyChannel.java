package org.nelumbo.simulation.replication;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.ForwardingChannel;

/**
 * A channel of {@link AnyCopyFabric}. The READs of a flush without WRITEs are executed at one
 * memory node, and then again at the correct node, which waits for concurrent writers. The caller
 * receives the results of the first execution, except for words that a CAS of the same flush has
 * changed.
 */
final class AnyCopyChannel extends ForwardingChannel {
  private final AnyCopyFabric fabric;
  private final int home;
  private final List<Read> reads = new ArrayList<>();
  private final List<Long> swapped = new ArrayList<>();
  private boolean writes;
  private Channel direct;
  private int life = -1;

  private record Read(long address, int place, int length) {}

  AnyCopyChannel(Channel channel, AnyCopyFabric fabric, int home) {
    super(channel);
    this.fabric = fabric;
    this.home = home;
  }

  @Override
  public void read(long address, int stagingOffset, int length) {
    channel.read(address, stagingOffset, length);
    reads.add(new Read(address, stagingOffset, length));
  }

  @Override
  public void write(long address, int stagingOffset, int length) {
    writes = true;
    channel.write(address, stagingOffset, length);
  }

  @Override
  public void writeLong(long address, long value) {
    writes = true;
    channel.writeLong(address, value);
  }

  @Override
  public void compareAndSwap(long address, long expected, long replacement, int stagingOffset) {
    swapped.add(address);
    channel.compareAndSwap(address, expected, replacement, stagingOffset);
  }

  @Override
  public void fetchAndAdd(long address, long delta, int stagingOffset) {
    writes = true;
    channel.fetchAndAdd(address, delta, stagingOffset);
  }

  @Override
  public void flush() {
    boolean seen = !writes && !reads.isEmpty() && readAtHome();
    channel.flush();
    for (Read read : reads) {
      if (seen) {
        take(read);
      }
    }
    reads.clear();
    swapped.clear();
    writes = false;
  }

  private void take(Read read) {
    for (int i = 0; i < read.length(); i += Long.BYTES) {
      if (!swapped.contains(read.address() + i)) {
        int bytes = Math.min(Long.BYTES, read.length() - i);
        int place = read.place() + i;
        MemorySegment.copy(direct.staging(), place, staging(), place, bytes);
      }
    }
  }

  /** Returns false if the node has no live copy. */
  private boolean readAtHome() {
    if (life != fabric.lives()) {
      life = fabric.lives();
      closeDirect();
      direct = fabric.open(home, Math.toIntExact(staging().byteSize()));
    }
    if (direct == null || !fabric.isLive(home)) {
      return false;
    }
    try {
      for (Read read : reads) {
        direct.read(fabric.place(home, read.address()), read.place(), read.length());
      }
      direct.flush();
      return true;
    } catch (FabricException gone) {
      return false;
    }
  }

  private void closeDirect() {
    if (direct != null) {
      direct.close();
      direct = null;
    }
  }

  @Override
  public void close() {
    closeDirect();
    channel.close();
  }
}
