package org.nelumbo.simulation.verbs;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.ForwardingChannel;
import org.nelumbo.dm.pool.ForwardingFabric;
import org.nelumbo.dm.pool.PoolAddress;

/** A fabric that records its verbs in a {@link VerbScript}. */
final class TracedFabric extends ForwardingFabric {
  private static final StackWalker WALKER = StackWalker.getInstance();
  private static final List<String> CARRIERS =
      List.of("org.nelumbo.simulation.", "org.nelumbo.dm.fabric.", "org.nelumbo.dm.pool.");

  private final VerbScript script;

  TracedFabric(Fabric fabric, VerbScript script) {
    super(fabric);
    this.script = script;
  }

  @Override
  public Channel openChannel(int stagingBytes) {
    return new TracedChannel(fabric.openChannel(stagingBytes));
  }

  private final class TracedChannel extends ForwardingChannel {
    private final List<String> verbs = new ArrayList<>();

    TracedChannel(Channel channel) {
      super(channel);
    }

    private void note(String verb, long address, int length, String effect) {
      note(verb, address, length, effect, null);
    }

    private void note(String verb, long address, int length, String effect, MemorySegment written) {
      StackWalker.StackFrame poster =
          WALKER.walk(
              frames ->
                  frames
                      .filter(each -> CARRIERS.stream().noneMatch(each.getClassName()::startsWith))
                      .findFirst()
                      .orElseThrow());
      script.map().learn(poster.getClassName(), poster.getMethodName(), address, length, written);
      String what = script.map().describe(address);
      if (what.isEmpty()) {
        what = PoolAddress.toString(address);
      }
      verbs.add(verb + " " + what + (length == Long.BYTES ? "" : " (" + length + ")") + effect);
    }

    @Override
    public void read(long address, int stagingOffset, int length) {
      note("READ  ", address, length, "");
      super.read(address, stagingOffset, length);
    }

    @Override
    public void write(long address, int stagingOffset, int length) {
      note("WRITE ", address, length, "", staging().asSlice(stagingOffset, length));
      super.write(address, stagingOffset, length);
    }

    @Override
    public void writeLong(long address, long value) {
      note("WRITE ", address, Long.BYTES, "");
      super.writeLong(address, value);
    }

    @Override
    public void writeRelease(long address, long held, long value) {
      note("UNLOCK", address, Long.BYTES, "");
      super.writeRelease(address, held, value);
    }

    @Override
    public void compareAndSwap(long address, long expected, long replacement, int stagingOffset) {
      note("CAS   ", address, Long.BYTES, "");
      super.compareAndSwap(address, expected, replacement, stagingOffset);
    }

    @Override
    public void fetchAndAdd(long address, long delta, int stagingOffset) {
      note("FAA   ", address, Long.BYTES, "");
      super.fetchAndAdd(address, delta, stagingOffset);
    }

    @Override
    public void flush() {
      List<String> posted = List.copyOf(verbs);
      verbs.clear();
      script.flush(posted, super::flush);
    }

    @Override
    public void discard() {
      verbs.clear();
      super.discard();
    }
  }
}
