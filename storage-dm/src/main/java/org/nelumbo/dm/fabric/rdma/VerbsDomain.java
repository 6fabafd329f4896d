package org.nelumbo.dm.fabric.rdma;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A protection domain of libibverbs. */
final class VerbsDomain implements ProtectionDomain {
  private final VerbsLibrary library;
  private final long context;
  private final long domain;

  VerbsDomain(long context) {
    this.library = VerbsLibrary.load();
    this.context = context;
    this.domain = library.allocateDomain(context);
  }

  @Override
  public MemoryRegion register(long address, long bytes, int access) {
    long region = library.register(domain, address, bytes, access);
    return new MemoryRegion(
        NativeMemory.getInt(region + MemoryRegion.LOCAL_KEY_OFFSET),
        NativeMemory.getInt(region + MemoryRegion.REMOTE_KEY_OFFSET),
        () -> library.deregister(region));
  }

  @Override
  public NativeQueue createQueue(int requests, int inlineBytes) {
    long completions = library.createCompletions(context, requests + 1);
    try (Arena scratch = Arena.ofConfined()) {
      long settings = scratch.allocate(QueuePairSettings.LENGTH, Long.BYTES).address();
      QueuePairSettings.set(settings, completions, requests, inlineBytes);
      long queuePair = library.createQueuePair(domain, settings);
      return new Queue(requests, QueuePairSettings.inlineBytes(settings), queuePair, completions);
    } catch (RuntimeException | Error e) {
      library.destroyCompletions(completions);
      throw e;
    }
  }

  @Override
  public void close() {
    library.freeDomain(domain);
  }

  /** One thread at a time posts and polls. */
  private final class Queue implements NativeQueue {
    private final int requests;
    private final int inlineBytes;
    private final long queuePair;
    private final long completions;
    private final MemorySegment postFunction;
    private final MemorySegment pollFunction;
    private final Arena arena = Arena.ofAuto();
    private final long refused = arena.allocate(Long.BYTES, Long.BYTES).address();

    Queue(int requests, int inlineBytes, long queuePair, long completions) {
      this.requests = requests;
      this.inlineBytes = inlineBytes;
      this.queuePair = queuePair;
      this.completions = completions;
      this.postFunction = VerbsLibrary.function(context, VerbsLibrary.POST_OFFSET);
      this.pollFunction = VerbsLibrary.function(context, VerbsLibrary.POLL_OFFSET);
    }

    @Override
    public long queuePair() {
      return queuePair;
    }

    @Override
    public int requests() {
      return requests;
    }

    @Override
    public int inlineBytes() {
      return inlineBytes;
    }

    @Override
    public int post(long first) {
      return VerbsLibrary.post(postFunction, queuePair, first, refused);
    }

    @Override
    public int poll(long completion) {
      return VerbsLibrary.poll(pollFunction, completions, 1, completion);
    }

    @Override
    public void close() {
      library.destroyQueuePair(queuePair);
      library.destroyCompletions(completions);
    }
  }
}
