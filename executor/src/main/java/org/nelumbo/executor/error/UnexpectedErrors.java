package org.nelumbo.executor.error;

import org.nelumbo.dm.index.DamagedIndexException;
import org.nelumbo.dm.pool.DamagedPageException;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.OutsidePoolException;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;

/**
 * Converts unexpected exceptions and errors to the errors that users see. The caller ensures that
 * the transaction in progress ends, as the error codes promise.
 */
public final class UnexpectedErrors {
  private UnexpectedErrors() {}

  /**
   * Returns the error to report for any throwable; a {@link NelumboException} is returned
   * unchanged.
   */
  public static NelumboException of(Throwable thrown) {
    return switch (thrown) {
      case NelumboException known -> known;
      case FabricException lost ->
          new NelumboException(
              ErrorCode.CONNECTION_LOST,
              lost.getMessage() + "; the transaction is committed completely or not at all",
              lost);
      case OutsidePoolException wild ->
          new NelumboException(
              ErrorCode.DATA_CORRUPTED,
              "data is damaged: it contains an address "
                  + wild.getMessage()
                  + "; the transaction has been rolled back",
              wild);
      case DamagedIndexException damaged ->
          new NelumboException(
              ErrorCode.DATA_CORRUPTED,
              "data is damaged: " + damaged.getMessage() + "; the transaction has been rolled back",
              damaged);
      case DamagedPageException lost ->
          new NelumboException(
              ErrorCode.DATA_CORRUPTED,
              "data is damaged: " + lost.getMessage() + "; the transaction has been rolled back",
              lost);
      case OutOfMemoryError full ->
          new NelumboException(
              ErrorCode.HEAP_EXHAUSTED,
              "the heap of the JVM is full ("
                  + full.getMessage()
                  + "), and the transaction has been rolled back: read or change fewer rows"
                  + " at once, or give the JVM more memory (-Xmx)",
              full);
      case StackOverflowError deep ->
          new NelumboException(
              ErrorCode.STACK_EXHAUSTED,
              "the stack of the thread is full, and the transaction has been rolled back: simplify"
                  + " the statement, or run it in a thread with a larger stack (-Xss)",
              deep);
      case LinkageError broken ->
          new NelumboException(
              ErrorCode.HEAP_EXHAUSTED,
              "a class cannot be used in this JVM any more ("
                  + broken.getMessage()
                  + "), and the transaction has been rolled back: the heap or the stack was"
                  + " full when it was first used, or the class path has changed; restart"
                  + " the JVM with more memory (-Xmx)",
              broken);
      default ->
          new NelumboException(
              ErrorCode.INTERNAL,
              "internal error, and the transaction has been rolled back: "
                  + thrown
                  + "; please report it with the stack trace",
              thrown);
    };
  }
}
