package org.nelumbo.dm.pool;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * A channel that counts the verbs of another one under the current label, usually the type of the
 * running transaction. Shares the other channel's staging buffer; the other channel must not be
 * used directly.
 */
public final class CountingChannel extends ForwardingChannel {
  /** Label of the verbs before the first {@link #label}. */
  public static final String UNLABELLED = "";

  private final Consumer<CountingChannel> onClose;
  private final Map<String, FabricCounters> byLabel = new ConcurrentHashMap<>();
  private FabricCounters current;

  private boolean posted;

  private boolean closed;

  CountingChannel(Channel channel, Consumer<CountingChannel> onClose) {
    super(channel);
    this.onClose = onClose;
    label(UNLABELLED);
  }

  /**
   * Counts verbs that are posted from now on under {@code label}; a flush counts under the label
   * that is current when it happens.
   */
  public void label(String label) {
    current = counters(label);
  }

  /** Returns the counters of one label of this channel. */
  public FabricCounters counters(String label) {
    FabricCounters counters = byLabel.get(label);
    return counters != null ? counters : byLabel.computeIfAbsent(label, l -> new FabricCounters());
  }

  Map<String, FabricCounters> byLabel() {
    return byLabel;
  }

  @Override
  public void read(long address, int stagingOffset, int length) {
    channel.read(address, stagingOffset, length);
    current.countRead(length);
    posted = true;
  }

  @Override
  public void write(long address, int stagingOffset, int length) {
    channel.write(address, stagingOffset, length);
    current.countWrite(length);
    posted = true;
  }

  @Override
  public void writeLong(long address, long value) {
    channel.writeLong(address, value);
    current.countWrite(Long.BYTES);
    posted = true;
  }

  @Override
  public void writeRelease(long address, long held, long value) {
    channel.writeRelease(address, held, value);
    current.countWrite(Long.BYTES);
    posted = true;
  }

  @Override
  public void compareAndSwap(long address, long expected, long replacement, int stagingOffset) {
    channel.compareAndSwap(address, expected, replacement, stagingOffset);
    current.countCompareAndSwap();
    posted = true;
  }

  @Override
  public void fetchAndAdd(long address, long delta, int stagingOffset) {
    channel.fetchAndAdd(address, delta, stagingOffset);
    current.countFetchAndAdd();
    posted = true;
  }

  /** Posts a digest, which is counted as a READ of the bytes of the digest. */
  @Override
  public void digest(long address, int length, long keyFirst, long keySecond, int stagingOffset) {
    channel.digest(address, length, keyFirst, keySecond, stagingOffset);
    current.countRead(WindowDigest.LENGTH);
    posted = true;
  }

  @Override
  public void flush() {
    countTrip();
    channel.flush();
  }

  @Override
  public void flushLogged() {
    countTrip();
    channel.flushLogged();
  }

  @Override
  public void flushRaised() {
    countTrip();
    channel.flushRaised();
  }

  private void countTrip() {
    if (posted) {
      current.countRoundTrip();
      posted = false;
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      onClose.accept(this);
      channel.close();
    }
  }
}
