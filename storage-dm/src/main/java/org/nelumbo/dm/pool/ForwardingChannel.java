package org.nelumbo.dm.pool;

/**
 * A channel that forwards to another one and uses its staging buffer; the other channel must not be
 * used directly meanwhile. See {@link ForwardingFabric}.
 */
public abstract class ForwardingChannel extends Channel {
  protected final Channel channel;

  protected ForwardingChannel(Channel channel) {
    super(channel.staging());
    this.channel = channel;
  }

  @Override
  public void read(long address, int stagingOffset, int length) {
    channel.read(address, stagingOffset, length);
  }

  @Override
  public void write(long address, int stagingOffset, int length) {
    channel.write(address, stagingOffset, length);
  }

  @Override
  public void writeLong(long address, long value) {
    channel.writeLong(address, value);
  }

  @Override
  public void writeRelease(long address, long held, long value) {
    channel.writeRelease(address, held, value);
  }

  @Override
  public void compareAndSwap(long address, long expected, long replacement, int stagingOffset) {
    channel.compareAndSwap(address, expected, replacement, stagingOffset);
  }

  @Override
  public void fetchAndAdd(long address, long delta, int stagingOffset) {
    channel.fetchAndAdd(address, delta, stagingOffset);
  }

  @Override
  public boolean canDigest() {
    return channel.canDigest();
  }

  @Override
  public void digest(long address, int length, long keyFirst, long keySecond, int stagingOffset) {
    channel.digest(address, length, keyFirst, keySecond, stagingOffset);
  }

  @Override
  public void prefetch(long address, int length) {
    channel.prefetch(address, length);
  }

  @Override
  public void start() {
    channel.start();
  }

  @Override
  public void flush() {
    channel.flush();
  }

  @Override
  public void flushLogged() {
    channel.flushLogged();
  }

  @Override
  public void flushRaised() {
    channel.flushRaised();
  }

  @Override
  public boolean isHeldUp() {
    return channel.isHeldUp();
  }

  @Override
  public void discard() {
    channel.discard();
  }

  @Override
  public void close() {
    channel.close();
  }
}
