package org.nelumbo.dm.fabric.local;

import java.util.function.BooleanSupplier;

/** Base class of node memories that forward to another one and add to its behavior. */
public abstract class ForwardingNodeMemory implements NodeMemory {
  protected final NodeMemory memory;

  protected ForwardingNodeMemory(NodeMemory memory) {
    this.memory = memory;
  }

  @Override
  public long address() {
    return memory.address();
  }

  @Override
  public long bytes() {
    return memory.bytes();
  }

  @Override
  public String name() {
    return memory.name();
  }

  @Override
  public String problem() {
    return memory.problem();
  }

  @Override
  public boolean populate(long offset, long length) {
    return memory.populate(offset, length);
  }

  @Override
  public long availableBytes() {
    return memory.availableBytes();
  }

  @Override
  public long leftBytes() {
    return memory.leftBytes();
  }

  @Override
  public void clear(long offset, long length) {
    memory.clear(offset, length);
  }

  @Override
  public void seal(BooleanSupplier isCancelled) {
    memory.seal(isCancelled);
  }

  @Override
  public void unseal() {
    memory.unseal();
  }

  @Override
  public void release() {
    memory.release();
  }
}
