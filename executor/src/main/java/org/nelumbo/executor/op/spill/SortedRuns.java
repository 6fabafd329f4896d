package org.nelumbo.executor.op.spill;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.FrameFields;

/**
 * Files of rows, each sorted by its keys, which are merged into one order. Rows with equal keys are
 * in the order of their files. Not thread-safe.
 */
public final class SortedRuns implements AutoCloseable {
  /** Maximum number of files that are merged at a time; each takes a buffer. */
  private static final int MOST_RUNS = 64;

  private final FrameFields fields;
  private final Frame frame;
  private final List<RowFile> runs = new ArrayList<>();
  private PriorityQueue<Head> heads;

  private Head passed;

  private record Head(RowFile run, int number) implements Comparable<Head> {
    @Override
    public int compareTo(Head other) {
      int order =
          Arrays.compareUnsigned(
              run.keyBytes(),
              run.keyOffset(),
              run.keyOffset() + run.keyLength(),
              other.run.keyBytes(),
              other.run.keyOffset(),
              other.run.keyOffset() + other.run.keyLength());
      return order != 0 ? order : Integer.compare(number, other.number);
    }
  }

  public SortedRuns(FrameFields fields, Frame frame) {
    this.fields = fields;
    this.frame = frame;
  }

  /** Creates a file, to be filled with rows in the order of their keys. */
  public RowFile newRun() {
    if (runs.size() == MOST_RUNS) {
      mergeAll();
    }
    RowFile run = new RowFile(fields, frame);
    runs.add(run);
    return run;
  }

  /** The frame shows other rows afterwards. */
  private void mergeAll() {
    RowFile merged = new RowFile(fields, frame);
    boolean done = false;
    try {
      start();
      while (advance()) {
        RowFile run = heads.peek().run;
        run.show(frame);
        merged.write(frame, run.keyBytes(), run.keyOffset(), run.keyLength());
      }
      done = true;
    } finally {
      if (!done) {
        merged.close();
      }
    }
    runs.forEach(RowFile::close);
    runs.clear();
    runs.add(merged);
    heads = null;
  }

  private void start() {
    heads = new PriorityQueue<>();
    passed = null;
    for (int i = 0; i < runs.size(); i++) {
      RowFile run = runs.get(i);
      run.rewind();
      if (run.next()) {
        heads.add(new Head(run, i));
      }
    }
  }

  private boolean advance() {
    if (passed != null) {
      Head head = heads.poll();
      if (head.run.next()) {
        heads.add(head);
      }
    }
    passed = heads.peek();
    return passed != null;
  }

  /** Shows the next row in the order of the keys in the frame; returns false after the last. */
  public boolean next() {
    if (heads == null) {
      start();
    }
    if (!advance()) {
      return false;
    }
    heads.peek().run.show(frame);
    return true;
  }

  @Override
  public void close() {
    runs.forEach(RowFile::close);
    runs.clear();
    heads = null;
    passed = null;
  }
}
