package org.nelumbo.executor.op.basic;

import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.core.UnaryOperator;
import org.nelumbo.executor.txn.Transaction;

/** OFFSET and FETCH: skips a number of rows, then passes at most a number of rows. */
public final class Limit extends UnaryOperator {
  private final Expression offset;
  private final Expression fetch;
  private Frame frame;
  private long toSkip;
  private long left;

  /**
   * Creates a limit on the rows of the child.
   *
   * @param offset number of rows to skip, of a {@code long} type with scale 0; or null
   * @param fetch number of rows to pass, of the same kind of type; null for all
   */
  public Limit(Operator child, Expression offset, Expression fetch) {
    super(child);
    this.offset = offset;
    this.fetch = fetch;
  }

  /** Returns the value of an OFFSET or FETCH, or {@code absent} if there is none or it is NULL. */
  static long count(Expression expression, Frame frame, long absent, String what) {
    if (expression == null) {
      return absent;
    }
    long count = expression.evalLong(frame);
    if (frame.takeNull()) {
      return absent;
    }
    if (count < 0) {
      throw new NelumboException(
          ErrorCode.BAD_PARAMETER, what + " must not be negative value=" + count);
    }
    return count;
  }

  @Override
  public void open(Frame newFrame, Transaction transaction) {
    frame = newFrame;
    toSkip = count(offset, frame, 0, "OFFSET");
    left = count(fetch, frame, Long.MAX_VALUE, "LIMIT");
    if (left > 0) {
      child.open(frame, transaction);
    }
  }

  @Override
  public boolean next() {
    if (left == 0) {
      return false;
    }
    for (; toSkip > 0; toSkip--) {
      frame.limits().work(1);
      if (!child.next()) {
        left = 0;
        return false;
      }
    }
    left--;
    return child.next();
  }

  @Override
  public void close() {
    left = 0;
    child.close();
  }

  @Override
  public Operator copy(Copier copier) {
    return new Limit(copier.copy(child), offset, fetch);
  }

  @Override
  public String explain() {
    return "Limit("
        + (offset == null ? "" : "OFFSET " + offset + (fetch == null ? "" : " "))
        + (fetch == null ? "" : "FETCH " + fetch)
        + ")";
  }
}
