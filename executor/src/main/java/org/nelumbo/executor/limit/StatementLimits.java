package org.nelumbo.executor.limit;

import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;

/**
 * The limits of one execution of a plan. Loops report their work with {@link #work}; after every
 * 1024 units (about a row or sixteen characters each) the statement checks whether it has been
 * cancelled. Used by one thread at a time.
 */
public final class StatementLimits {
  private static final int WORK_PER_POLL = 1024;
  private static final int CHARACTERS_PER_WORK = 16;

  /**
   * Maximum length of a text or binary value that an expression may return, in characters or bytes.
   */
  public static final int LONGEST_VALUE = 16 << 20;

  /** A value may take this fraction of the memory of its statement. */
  private static final int VALUE_SHARE = 8;

  private final int longestValue;

  private SessionLimits session;

  private MemoryBudget memory;
  private int workLeft = WORK_PER_POLL;
  private long spilledBytes;

  /** Size of the last refused reservation; another structure may be the one that fails. */
  private long refusedBytes;

  public StatementLimits() {
    this(LONGEST_VALUE);
  }

  private StatementLimits(int longestValue) {
    this.longestValue = longestValue;
  }

  /** Creates the limits for expressions that are evaluated during planning: values stay small. */
  public static StatementLimits ofPlanning() {
    return new StatementLimits(1 << 16);
  }

  /** Begins an execution in a session. */
  public void start(SessionLimits newSession) {
    if (memory != null) {
      memory.close();
      memory = null;
    }
    session = newSession;
    spilledBytes = 0;
    refusedBytes = 0;
  }

  void noteRefusal(long bytes) {
    refusedBytes = bytes;
  }

  long refusedBytes() {
    return refusedBytes;
  }

  void setMemory(MemoryBudget budget) {
    memory = budget;
  }

  /** Returns the budget of the statement, or null if nothing is limited. */
  public MemoryBudget memory() {
    if (memory == null && session != null) {
      memory = session.newStatementMemory();
    }
    return memory;
  }

  /** Creates an account for a structure that grows with the data. */
  public MemoryAccount newAccount(String owner) {
    return new MemoryAccount(this, owner);
  }

  /** Counts units of work. At intervals, throws 57014 if the statement has been cancelled. */
  public void work(int units) {
    workLeft -= units;
    if (workLeft < 0) {
      check();
    }
  }

  /** Counts the work on a number of characters or bytes. */
  public void workOnText(long characters) {
    work((int) Math.min(WORK_PER_POLL, 1 + characters / CHARACTERS_PER_WORK));
  }

  /** Throws 57014 if the statement has been cancelled. */
  public void check() {
    workLeft = WORK_PER_POLL;
    if (session != null) {
      session.check();
    }
  }

  /**
   * Fails with LIMIT_EXCEEDED if a text or binary value would have more characters or bytes than a
   * statement may have.
   */
  public void checkLength(long length, String function) {
    long longest = longestValue;
    if (session != null) {
      longest = Math.min(longest, session.statementBytes() / VALUE_SHARE);
    }
    if (length > longest) {
      throw new NelumboException(
          ErrorCode.LIMIT_EXCEEDED,
          "the result of "
              + function
              + " would have "
              + length
              + " characters or bytes; the limit is "
              + longest
              + (longest < longestValue ? ", an eighth of maxStatementMemory" : ""));
    }
  }

  /** Counts rows written to a temporary file. */
  public void noteSpill(long bytes) {
    spilledBytes += bytes;
    if (memory() != null) {
      memory().noteSpill(bytes);
    }
  }

  /**
   * Returns the maximum memory that was reserved at a time; 0 if no structure exceeded its free
   * bytes.
   */
  public long peakMemory() {
    return memory == null ? 0 : memory.peak();
  }

  /** Returns the bytes written to temporary files by the current execution. */
  public long spilledBytes() {
    return spilledBytes;
  }
}
