package org.nelumbo.executor.limit;

import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;

/**
 * The limits of one execution of a plan. Loops say what they have done by {@link #work}; after
 * every thousand units, about a row or sixteen characters each, it looks whether the statement is
 * to stop. One thread at a time.
 */
public final class StatementLimits {
  private static final int WORK_PER_POLL = 1024;
  private static final int CHARACTERS_PER_WORK = 16;

  /** The longest text or binary value that an expression may yield, in characters or bytes. */
  public static final int LONGEST_VALUE = 16 << 20;

  /** A value may have this part of the memory of its statement. */
  private static final int VALUE_SHARE = 8;

  private final int longestValue;

  /** Null while nobody can stop the statement. */
  private SessionLimits session;

  private MemoryBudget memory;
  private int workLeft = WORK_PER_POLL;
  private long spilledBytes;

  /** Bytes that were refused the last time; the structure that fails may be another one. */
  private long refusedBytes;

  public StatementLimits() {
    this(LONGEST_VALUE);
  }

  private StatementLimits(int longestValue) {
    this.longestValue = longestValue;
  }

  /** Limits for what is computed while a statement is planned: values stay small. */
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

  /** The budget of the statement; null if nothing is limited. */
  public MemoryBudget memory() {
    if (memory == null && session != null) {
      memory = session.newStatementMemory();
    }
    return memory;
  }

  /** An account for a structure that grows with the data. */
  public MemoryAccount newAccount(String owner) {
    return new MemoryAccount(this, owner);
  }

  /** Counts work done; now and then throws 57014 if the statement is to stop. */
  public void work(int units) {
    workLeft -= units;
    if (workLeft < 0) {
      check();
    }
  }

  /** Counts work on so many characters or bytes. */
  public void workOnText(long characters) {
    work((int) Math.min(WORK_PER_POLL, 1 + characters / CHARACTERS_PER_WORK));
  }

  /** Throws 57014 if the statement is to stop. */
  public void check() {
    workLeft = WORK_PER_POLL;
    if (session != null) {
      session.check();
    }
  }

  /** Refuses a text or binary value of more characters or bytes than a statement may have. */
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

  /** Notes that rows were written to a temporary file. */
  public void noteSpill(long bytes) {
    spilledBytes += bytes;
    if (memory() != null) {
      memory().noteSpill(bytes);
    }
  }

  /** The most memory that was reserved at a time; 0 if a little was enough. */
  public long peakMemory() {
    return memory == null ? 0 : memory.peak();
  }

  public long spilledBytes() {
    return spilledBytes;
  }
}
