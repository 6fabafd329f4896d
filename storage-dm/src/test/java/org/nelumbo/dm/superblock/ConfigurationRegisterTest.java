package org.nelumbo.dm.superblock;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.ForwardingChannel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.superblock.ConfigurationRegister.Content;

/**
 * Tests that changes of the configuration register are serialized, and that readers never see a
 * part of a change.
 */
@Timeout(60)
class ConfigurationRegisterTest {
  private static final long LATCH = PoolAddress.of(0, SuperblockLayout.CONFIGURATION_LATCH_OFFSET);

  private final SystemEnvironment environment = new SystemEnvironment();
  private LocalFabric fabric;
  private Channel channel;

  @BeforeEach
  void format() {
    open(1 << 20);
  }

  private void open(long bytes) {
    fabric = new LocalFabric(bytes, environment);
    PoolFormat.format(fabric, 77);
    channel = fabric.openChannel(ConfigurationRegister.STAGING_BYTES);
  }

  @AfterEach
  void close() {
    channel.close();
    fabric.close();
  }

  private ConfigurationRegister register(int self, IntPredicate isFenced) {
    return register(channel, self, isFenced);
  }

  private ConfigurationRegister register(Channel of, int self, IntPredicate isFenced) {
    return new ConfigurationRegister(environment, of, fabric.nodeBytes(0), self, isFenced);
  }

  private static byte[] bytes(long version) {
    byte[] bytes = new byte[(int) (version * 7 % 20_000)];
    Arrays.fill(bytes, (byte) version);
    return bytes;
  }

  private static Content next(Content before) {
    long version = before.version() + 1;
    return new Content(version, bytes(version));
  }

  @Test
  void shouldBeEmptyInitially() {
    Content content = register(2, _ -> false).read();
    assertEquals(0, content.version());
    assertEquals(0, content.bytes().length);
  }

  @Test
  void shouldReadLatestChange() {
    ConfigurationRegister register = register(2, _ -> false);
    for (int version = 1; version < 10; version++) {
      register.change(ConfigurationRegisterTest::next);
      Content read = register(3, _ -> false).read();
      assertEquals(version, read.version());
      assertArrayEquals(bytes(version), read.bytes());
    }
    assertEquals(9, register.change(_ -> null).version());
  }

  /** Two threads change the register many times while two other threads read it. */
  @Test
  void shouldLoseNoChangeAndTearNoRead() throws InterruptedException {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    int changes = 1_000;
    for (int t = 0; t < 4; t++) {
      int self = 2 + t;
      boolean writes = t < 2;
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try (Channel own = fabric.openChannel(ConfigurationRegister.STAGING_BYTES)) {
                      ConfigurationRegister register = register(own, self, _ -> false);
                      for (int i = 0; i < changes; i++) {
                        Content content =
                            writes
                                ? register.change(ConfigurationRegisterTest::next)
                                : register.read();
                        assertArrayEquals(bytes(content.version()), content.bytes());
                      }
                    } catch (RuntimeException | Error e) {
                      failure.set(e);
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    if (failure.get() != null) {
      throw new AssertionError(failure.get());
    }
    assertEquals(2 * changes, register(9, _ -> false).read().version());
  }

  @Test
  void shouldTakeOverLatchOfFencedMember() {
    register(2, _ -> false).change(ConfigurationRegisterTest::next);
    channel.writeLong(LATCH, 2);
    channel.flush();
    assertEquals(
        2, register(3, number -> number == 2).change(ConfigurationRegisterTest::next).version());
  }

  @Test
  void shouldReleaseLatchIfChangeIsRejected() {
    ConfigurationRegister register = register(2, _ -> false);
    register.change(ConfigurationRegisterTest::next);
    assertThrows(
        IllegalStateException.class,
        () ->
            register.change(
                _ -> {
                  throw new IllegalStateException();
                }));
    assertThrows(
        IllegalArgumentException.class,
        () -> register.change(_ -> new Content(2, new byte[ConfigurationRegister.BYTES_MAX + 1])));
    assertEquals(2, register(3, _ -> false).change(ConfigurationRegisterTest::next).version());
  }

  /** Throws an error before each verb in turn. */
  @Test
  void shouldReleaseLatchAfterErrorAtAnyVerb() {
    boolean isDone = false;
    int thrown = 0;
    for (int verb = 1; !isDone; verb++) {
      try (ThrowingChannel own = new ThrowingChannel(channel, verb)) {
        register(own, 2, _ -> false).change(ConfigurationRegisterTest::next);
        isDone = true;
      } catch (OutOfMemoryError e) {
        thrown++;
      }
      Content now = register(3, _ -> false).change(ConfigurationRegisterTest::next);
      assertArrayEquals(bytes(now.version()), now.bytes());
    }
    assertEquals(5, thrown); // the address, the allocation, its address, the copy, the version
  }

  /**
   * A channel that throws before the n-th verb that follows the first one, which takes the latch.
   */
  private static final class ThrowingChannel extends ForwardingChannel {
    private int verbsLeft;

    ThrowingChannel(Channel channel, int verb) {
      super(channel);
      this.verbsLeft = verb;
    }

    private void post() {
      if (verbsLeft-- == 0) {
        throw new OutOfMemoryError("for a test");
      }
    }

    @Override
    public void read(long address, int stagingOffset, int length) {
      post();
      super.read(address, stagingOffset, length);
    }

    @Override
    public void write(long address, int stagingOffset, int length) {
      post();
      super.write(address, stagingOffset, length);
    }

    @Override
    public void writeLong(long address, long value) {
      post();
      super.writeLong(address, value);
    }

    @Override
    public void fetchAndAdd(long address, long delta, int stagingOffset) {
      post();
      super.fetchAndAdd(address, delta, stagingOffset);
    }

    @Override
    public void close() {
      // the channel is used again by the next round
    }
  }

  /** A verb that was sent before may still arrive. */
  @Test
  void shouldKeepLatchIfMemoryNodeDoesNotReply() {
    ConfigurationRegister failing =
        register(
            new ForwardingChannel(channel) {
              @Override
              public void write(long address, int stagingOffset, int length) {
                throw new FabricException(0, "no answer", null);
              }
            },
            2,
            _ -> false);
    assertThrows(FabricException.class, () -> failing.change(ConfigurationRegisterTest::next));
    channel.read(LATCH, 0, Long.BYTES);
    channel.flush();
    assertEquals(2, channel.staging().get(ValueLayout.JAVA_LONG, 0));
    assertEquals(
        1, register(3, number -> number == 2).change(ConfigurationRegisterTest::next).version());
  }

  @Test
  void shouldThrowWhenPoolIsFull() {
    close();
    open(8192);
    ConfigurationRegister register = register(2, _ -> false);
    for (int times = 0; times < 2; times++) {
      assertThrows(PoolOpenException.class, () -> register.change(ConfigurationRegisterTest::next));
    }
  }
}
