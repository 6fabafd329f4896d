package org.nelumbo.benchmark.micro;

import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.ForwardingChannel;
import org.nelumbo.dm.pool.ForwardingFabric;

/**
 * A fabric that records the verbs of its channels in a trace while recording is on. It does not
 * close the underlying fabric.
 */
final class RecordingFabric extends ForwardingFabric {
  private final Trace trace;
  private volatile boolean recording;

  RecordingFabric(Fabric fabric, Trace trace) {
    super(fabric);
    this.trace = trace;
  }

  /** Switches recording on or off. Only one thread may use channels while recording is on. */
  void record(boolean on) {
    recording = on;
  }

  @Override
  public Channel openChannel(int stagingBytes) {
    return new RecordingChannel(fabric.openChannel(stagingBytes));
  }

  @Override
  public void close() {}

  private final class RecordingChannel extends ForwardingChannel {
    private final Thread owner = Thread.currentThread();

    RecordingChannel(Channel channel) {
      super(channel);
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
  }
}
