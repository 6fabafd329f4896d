package org.nelumbo.executor.timestamp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.ForwardingChannel;
import org.nelumbo.dm.superblock.CommitVector;
import org.nelumbo.dm.superblock.PoolFormat;

class VectorClockTest {
  private static final int SECONDS_MAX = 60;

  private final Environment environment = new SystemEnvironment();
  private final LocalFabric fabric = new LocalFabric(1 << 20);
  private final Snapshot snapshot = new Snapshot();
  private Channel channel;
  private long vector;
  private VectorClock one;
  private VectorClock other;

  @BeforeEach
  void enter() {
    PoolFormat.format(fabric, 1);
    channel = fabric.openChannel(1 << 14);
    CommitVector.create(channel, fabric.nodeBytes(0), 0);
    vector = CommitVector.find(channel);
    one = VectorClock.enter(environment, channel, vector, 0);
    other = VectorClock.enter(environment, channel, vector, 5);
  }

  @AfterEach
  void close() {
    channel.close();
    fabric.close();
  }

  @Test
  void shouldDrawIncreasingTimestampsThatNameTheComputeNode() {
    long first = other.next(channel, 0);
    long second = other.next(channel, 1);
    assertTrue(first < second);
    assertEquals(5, CommitVector.slot(first));
    assertEquals(5, CommitVector.slot(second));
  }

  @Test
  void shouldShowACommitWhenItIsPublished() {
    long drawn = one.next(channel, 0);
    other.read(channel, snapshot);
    assertFalse(snapshot.sees(drawn));
    one.landed(0);
    one.publish(channel, environment, drawn);
    assertFalse(snapshot.sees(drawn), "a snapshot does not change");
    other.read(channel, snapshot);
    assertTrue(snapshot.sees(drawn));
  }

  /** The cells of an earlier commit may not be in the pool yet. */
  @Test
  void shouldPublishNothingPastAnOpenTicket() throws Exception {
    long early = one.next(channel, 0);
    long late = one.next(channel, 1);
    one.landed(1);
    try (Channel own = fabric.openChannel(1 << 14)) {
      CompletableFuture<Void> publishing =
          CompletableFuture.runAsync(() -> one.publish(own, environment, late));
      one.tick(channel);
      other.read(channel, snapshot);
      assertFalse(snapshot.sees(early));
      assertFalse(snapshot.sees(late));
      assertFalse(publishing.isDone());
      one.landed(0);
      publishing.get(SECONDS_MAX, TimeUnit.SECONDS);
    }
    other.read(channel, snapshot);
    assertTrue(snapshot.sees(early));
    assertTrue(snapshot.sees(late));
  }

  @Test
  void shouldNotPublishAfterAFailedWrite() {
    long drawn = one.next(channel, 0);
    one.landed(0);
    Channel broken =
        new ForwardingChannel(channel) {
          @Override
          public void flushRaised() {
            throw new FabricException(0, "cut", null);
          }
        };
    assertThrows(FabricException.class, () -> one.publish(broken, environment, drawn));
    assertThrows(FabricException.class, () -> one.publish(channel, environment, drawn));
  }

  @Test
  void shouldDrawAboveWhatItHasHeard() {
    long heard = other.now() + (1L << 40);
    one.raiseAbove(heard);
    assertTrue(one.next(channel, 0) > heard);
  }

  @Test
  void shouldKeepTheCommitsOfAComputeNodeThatHasLeftAndNotBeHeldBackByIt() {
    long drawn = other.next(channel, 0);
    other.landed(0);
    other.publish(channel, environment, drawn);
    CommitVector.end(channel, vector, 5);
    one.raiseAbove(drawn);
    one.tick(channel);
    one.read(channel, snapshot);
    assertTrue(snapshot.sees(drawn));
    assertTrue(snapshot.low() > drawn);
    VectorClock next = VectorClock.enter(environment, channel, vector, 5);
    assertTrue(next.next(channel, 0) > drawn);
  }

  /** The clock of the one before was ahead of that of the next one. */
  @Test
  void shouldBeginAboveTheCommitsOfTheOneBeforeInItsEntry() {
    other.raiseAbove(other.now() + (1L << 40));
    long drawn = other.next(channel, 0);
    other.landed(0);
    other.publish(channel, environment, drawn);
    CommitVector.end(channel, vector, 5);
    VectorClock next = VectorClock.enter(environment, channel, vector, 5);
    next.read(channel, snapshot);
    assertTrue(snapshot.sees(drawn));
    assertTrue(next.next(channel, 0) > drawn);
  }

  @Test
  void shouldSeeMoreComputeNodesThanALineHasWords() {
    VectorClock last = VectorClock.enter(environment, channel, vector, 63);
    long drawn = last.next(channel, 0);
    last.landed(0);
    last.publish(channel, environment, drawn);
    one.read(channel, snapshot);
    assertTrue(snapshot.sees(drawn));
  }

  @Test
  void shouldNoticeThatATentativeSnapshotHasMissedAVersion() {
    long drawn = other.next(channel, 0);
    other.landed(0);
    other.publish(channel, environment, drawn);
    one.readTentatively(channel, snapshot);
    assertTrue(snapshot.sees(1));
    assertFalse(snapshot.hasMissed());
    assertFalse(snapshot.sees(drawn));
    assertTrue(snapshot.hasMissed());
    one.read(channel, snapshot);
    assertFalse(snapshot.hasMissed());
    one.readTentatively(channel, snapshot);
    assertTrue(snapshot.sees(drawn), "it was read before");
  }

  @Test
  void shouldCutAtOneTimestampWhenAllHavePublishedUpToIt() throws Exception {
    long drawn = other.next(channel, 0);
    other.landed(0);
    other.publish(channel, environment, drawn);
    try (Channel own = fabric.openChannel(1 << 14)) {
      CompletableFuture<Void> cutting =
          CompletableFuture.runAsync(() -> one.readCut(own, environment, snapshot));
      while (!cutting.isDone()) {
        one.tick(channel);
        other.tick(channel);
      }
      cutting.get(SECONDS_MAX, TimeUnit.SECONDS);
    }
    assertTrue(snapshot.sees(drawn));
    assertEquals(snapshot.low(), snapshot.newest());
    assertFalse(snapshot.sees(other.next(channel, 0)));
  }

  /** Schema changes compare their timestamp with the largest one of a snapshot. */
  @Test
  void shouldSeparateSnapshotsByABarrier() {
    other.read(channel, snapshot);
    long before = snapshot.newest();
    long barrier = one.barrier(channel, environment);
    other.read(channel, snapshot);
    assertTrue(before < barrier);
    assertTrue(snapshot.newest() >= barrier);
  }

  /** Snapshots that others read before the entry is active contain all versions up to their low. */
  @Test
  void shouldDrawAboveSnapshotsThatWereReadWhileItEntered() {
    Channel entering =
        new ForwardingChannel(fabric.openChannel(1 << 14)) {
          @Override
          public void writeLong(long address, long value) {
            if (address == CommitVector.slotAddress(vector, 7)) {
              publishAhead(one);
              publishAhead(other);
              one.read(VectorClockTest.this.channel, snapshot);
            }
            super.writeLong(address, value);
          }
        };
    VectorClock last = VectorClock.enter(environment, entering, vector, 7);
    assertTrue(last.next(entering, 0) > snapshot.low());
    entering.close();
  }

  private void publishAhead(VectorClock clock) {
    clock.raiseAbove(environment.epochMicros() << 20);
    clock.tick(channel);
  }

  @Test
  void shouldBeginAboveTheVersionsInThePool() {
    long version = one.now() + (1L << 40);
    CommitVector.create(channel, fabric.nodeBytes(0), version);
    VectorClock last = VectorClock.enter(environment, channel, vector, 7);
    assertTrue(last.next(channel, 0) > version);
  }

  /** So a cut separates commits that only a client connects if they are closer than this. */
  @Test
  void shouldDrawAboveWhatWasPublishedBeforeAnExchange() {
    publishAhead(one);
    one.read(channel, snapshot);
    int mark = channel.mark();
    int offset = other.postRead(channel);
    channel.flush();
    other.learnRead(channel, offset);
    channel.release(mark);
    assertTrue(other.next(channel, 0) > snapshot.newest());
  }
}
