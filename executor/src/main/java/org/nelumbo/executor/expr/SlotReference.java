package org.nelumbo.executor.expr;

import org.nelumbo.types.ColumnType;

/** A reference to a computed value in a slot of the frame. */
public final class SlotReference extends Expression {
  private final int slot;
  private final String label;

  SlotReference(ColumnType type, int slot, String label) {
    super(type);
    this.slot = slot;
    this.label = label;
  }

  public int slot() {
    return slot;
  }

  @Override
  public long evalLong(Frame frame) {
    if (frame.isSlotNull(slot)) {
      frame.isNull = true;
    }
    return frame.slotLong(slot);
  }

  @Override
  public Object evalObject(Frame frame) {
    return frame.slotObject(slot);
  }

  @Override
  public boolean isNull(Frame frame) {
    return frame.isSlotNull(slot);
  }

  @Override
  public String toString() {
    return label;
  }
}
