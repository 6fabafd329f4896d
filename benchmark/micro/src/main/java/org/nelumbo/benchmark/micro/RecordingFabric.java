package org.nelumbo.benchmark.micro;

import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.fabric.Fabric;

/**
 * Notes in a trace what its channels are asked for, as long as {@link #record} says so. Does not
 * close the fabric below it.
 */
final class RecordingFabric implements Fabric {
  private final Fabric fabric;
  private final Trace trace;
  private volatile boolean recording;

  RecordingFabric(Fabric fabric, Trace trace) {
    this.fabric = fabric;
    this.trace = trace;
  }

  /** From here on verbs are noted, or no longer. Only one thread uses channels meanwhile. */
  void record(boolean on) {
    recording = on;
  }

  @Override
  public Channel openChannel(int stagingBytes) {
    return new RecordingChannel(fabric.openChannel(stagingBytes));
  }

  @Override
  public int nodeCount() {
    return fabric.nodeCount();
  }

  @Override
  public long nodeBytes(int node) {
    return fabric.nodeBytes(node);
  }

  @Override
  public boolean isRemote() {
    return fabric.isRemote();
  }

  @Override
  public void close() {}

  private final class RecordingChannel extends Channel {
    private final Channel channel;
    private final Thread owner = Thread.currentThread();

    RecordingChannel(Channel channel) {
      super(channel.staging());
      this.channel = channel;
    }

    private boolean isRecorded() {
      return recording && Thread.currentThread() == owner;
    }

    @Override
    public void read(long address, int stagingOffset, int length) {
      if (isRecorded()) {
        trace.note(Trace.READ, address, stagingOffset, length);
      }
      channel.read(address, stagingOffset, length);
    }

    @Override
    public void write(long address, int stagingOffset, int length) {
      if (isRecorded()) {
        trace.note(Trace.WRITE, address, stagingOffset, length);
      }
      channel.write(address, stagingOffset, length);
    }

    @Override
    public void writeLong(long address, long value) {
      if (isRecorded()) {
        trace.note(Trace.WRITE_LONG, address, 0, Long.BYTES);
      }
      channel.writeLong(address, value);
    }

    @Override
    public void compareAndSwap(long address, long expected, long replacement, int stagingOffset) {
      if (isRecorded()) {
        trace.noteOther();
      }
      channel.compareAndSwap(address, expected, replacement, stagingOffset);
    }

    @Override
    public void fetchAndAdd(long address, long delta, int stagingOffset) {
      if (isRecorded()) {
        trace.noteOther();
      }
      channel.fetchAndAdd(address, delta, stagingOffset);
    }

    @Override
    public void flush() {
      if (isRecorded()) {
        trace.note(Trace.FLUSH, 0, 0, 0);
      }
      channel.flush();
    }

    @Override
    public void close() {
      channel.close();
    }
  }
}
