package org.nelumbo.executor.op.basic;

import java.util.List;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.ExplainFormat;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.txn.Transaction;

/**
 * GENERATE_SERIES: returns the values from the first to the last, at intervals of a step. Returns
 * no rows if one of the three is NULL.
 */
public final class SeriesScan extends Operator {
  private final Expression first;
  private final Expression last;
  private final Expression step;
  private final Expression following;
  private final int slot;
  private Frame frame;
  private long value;
  private long end;
  private long length;

  /** True if the value has been returned already, false if it is the next one. */
  private boolean shown;

  private boolean done = true;

  /**
   * Creates a series of values of one {@code long} type.
   *
   * @param following expression for the successor of the value in the slot; null if the successor
   *     is the sum with the step, which then has the same type
   */
  public SeriesScan(
      Expression first, Expression last, Expression step, Expression following, int slot) {
    this.first = first;
    this.last = last;
    this.step = step;
    this.following = following;
    this.slot = slot;
  }

  @Override
  public void open(Frame newFrame, Transaction transaction) {
    frame = newFrame;
    value = first.evalLong(frame);
    done = frame.takeNull();
    end = last.evalLong(frame);
    done |= frame.takeNull();
    length = step.evalLong(frame);
    done |= frame.takeNull();
    shown = false;
    if (!done && length == 0) {
      throw new NelumboException(
          ErrorCode.BAD_PARAMETER, "the step of GENERATE_SERIES must not be 0");
    }
  }

  @Override
  public boolean next() {
    if (done) {
      return false;
    }
    frame.limits().work(1);
    done = shown && !advance();
    done |= length > 0 ? value > end : value < end;
    if (done) {
      return false;
    }
    shown = true;
    frame.setSlotLong(slot, value);
    return true;
  }

  private boolean advance() {
    if (following != null) {
      frame.setSlotLong(slot, value);
      value = following.evalLong(frame);
      return true;
    }
    boolean fits =
        length > 0
            ? Long.compareUnsigned(end - value, length) >= 0
            : Long.compareUnsigned(value - end, -length) >= 0;
    value += length;
    return fits;
  }

  @Override
  public boolean readsNothing() {
    return true;
  }

  @Override
  public void close() {
    done = true;
  }

  @Override
  public Operator copy(Copier copier) {
    return new SeriesScan(first, last, step, following, slot);
  }

  @Override
  public FrameFields output() {
    return FrameFields.ofSlots(new int[] {slot});
  }

  @Override
  public String explain() {
    return "Series(" + ExplainFormat.list(new Expression[] {first, last, step}) + ")";
  }

  @Override
  public List<Operator> children() {
    return List.of();
  }
}
