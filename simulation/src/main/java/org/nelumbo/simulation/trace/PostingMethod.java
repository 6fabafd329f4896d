package org.nelumbo.simulation.trace;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A method of the engine whose verbs all refer to one kind of object. {@link PoolContentMap} learns
 * the locations of objects from these verbs. Tests check that each of the methods exists, and that
 * traces still describe verbs.
 *
 * @param type class with its package, as in stack frames
 * @param method method name
 * @param object kind of object its verbs refer to
 */
record PostingMethod(String type, String method, Kind object) {
  /**
   * Kinds of objects that only the posting method identifies; index nodes are recognized by their
   * length.
   */
  enum Kind {
    CVT,
    /** A CVT, and as many bytes behind it as the longest inline slot of the table has. */
    CVT_AND_MORE,
    /** Adjacent blocks with new CVTs, perhaps with their records. */
    NEW_ROWS,
    /** The last cells of a CVT, and the record behind them. */
    CELLS_AND_RECORD,
    RECORD,
    LOG_BLOCK,
    DIRECTORY_BLOCK,
    COMMIT_VECTOR,
    OVERFLOW_BLOCK
  }

  static final List<PostingMethod> ALL =
      List.of(
          of("org.nelumbo.executor.version.CvtReads#add", Kind.CVT),
          of("org.nelumbo.executor.version.CvtReads#post", Kind.CVT_AND_MORE),
          of("org.nelumbo.executor.version.VersionReader#reread", Kind.CVT),
          of("org.nelumbo.executor.txn.PointBatch#readCvts", Kind.CVT),
          of("org.nelumbo.executor.version.CvtWriter#postEmptyCvts", Kind.NEW_ROWS),
          of("org.nelumbo.executor.version.VersionReader#readRecord", Kind.RECORD),
          of("org.nelumbo.executor.readahead.RowPrefetch#readRecords", Kind.RECORD),
          of("org.nelumbo.executor.version.CvtBatch#postRecords", Kind.RECORD),
          of("org.nelumbo.executor.gc.DeletedRowPurge#postRecord", Kind.RECORD),
          of("org.nelumbo.executor.commit.CellWriter#postRecord", Kind.RECORD),
          of("org.nelumbo.executor.commit.CellWriter#postCellAndRecord", Kind.CELLS_AND_RECORD),
          of("org.nelumbo.executor.commit.CellWriter#postNewRows", Kind.NEW_ROWS),
          of("org.nelumbo.executor.commit.CellWriter#postEviction", Kind.OVERFLOW_BLOCK),
          of("org.nelumbo.executor.commit.TransactionLog#postNewBlock", Kind.LOG_BLOCK),
          of("org.nelumbo.executor.commit.LogDirectory#writeEmptyBlock", Kind.DIRECTORY_BLOCK),
          of("org.nelumbo.dm.superblock.CommitVector#writeEmpty", Kind.COMMIT_VECTOR));

  private static final Map<String, PostingMethod> BY_NAME =
      ALL.stream().collect(Collectors.toUnmodifiableMap(PostingMethod::name, Function.identity()));

  private static PostingMethod of(String name, Kind object) {
    int end = name.indexOf('#');
    return new PostingMethod(name.substring(0, end), name.substring(end + 1), object);
  }

  /** Returns the method with this name, or null if its verbs give no information. */
  static PostingMethod of(String type, String method) {
    return BY_NAME.get(type + "#" + method);
  }

  private String name() {
    return type + "#" + method;
  }
}
