package org.nelumbo.simulation.replication;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.WindowDigest;

/**
 * A channel of the simulated fabric on a shared staging buffer: bytes are copied to and from its
 * own buffer.
 */
final class StagedChannel extends Channel {
  private static final long NOTHING = Long.MIN_VALUE;

  private final Channel channel;
  private final SimReadLease readLease;
  private int[] stagingOffsets = new int[16];
  private int[] lengths = new int[16];
  private int results;

  /** Send time of the first verb since the last flush. */
  private long sent = NOTHING;

  StagedChannel(Channel channel, MemorySegment staging, SimReadLease readLease) {
    super(staging);
    this.channel = channel;
    this.readLease = readLease;
  }

  private void send() {
    sent = sent == NOTHING ? readLease.send() : sent;
  }

  private void expect(int place, int length) {
    if (results == stagingOffsets.length) {
      stagingOffsets = Arrays.copyOf(stagingOffsets, 2 * results);
      lengths = Arrays.copyOf(lengths, 2 * results);
    }
    stagingOffsets[results] = place;
    lengths[results++] = length;
  }

  @Override
  public void read(long address, int stagingOffset, int length) {
    send();
    channel.read(address, stagingOffset, length);
    expect(stagingOffset, length);
  }

  @Override
  public void write(long address, int stagingOffset, int length) {
    MemorySegment.copy(staging(), stagingOffset, channel.staging(), stagingOffset, length);
    send();
    channel.write(address, stagingOffset, length);
  }

  @Override
  public void writeLong(long address, long value) {
    send();
    channel.writeLong(address, value);
  }

  @Override
  public void compareAndSwap(long address, long expected, long replacement, int stagingOffset) {
    send();
    channel.compareAndSwap(address, expected, replacement, stagingOffset);
    expect(stagingOffset, Long.BYTES);
  }

  @Override
  public void fetchAndAdd(long address, long delta, int stagingOffset) {
    send();
    channel.fetchAndAdd(address, delta, stagingOffset);
    expect(stagingOffset, Long.BYTES);
  }

  @Override
  public boolean canDigest() {
    return channel.canDigest();
  }

  @Override
  public void digest(long address, int length, long keyFirst, long keySecond, int stagingOffset) {
    send();
    channel.digest(address, length, keyFirst, keySecond, stagingOffset);
    expect(stagingOffset, WindowDigest.LENGTH);
  }

  @Override
  public void start() {
    channel.start();
  }

  @Override
  public void flush() {
    int count = results;
    long first = sent;
    results = 0;
    sent = NOTHING;
    channel.flush();
    if (first != NOTHING) {
      readLease.answered(first);
    }
    for (int i = 0; i < count; i++) {
      MemorySegment.copy(
          channel.staging(), stagingOffsets[i], staging(), stagingOffsets[i], lengths[i]);
    }
  }

  @Override
  public void close() {
    channel.close();
  }
}
