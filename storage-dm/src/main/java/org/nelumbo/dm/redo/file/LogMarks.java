package org.nelumbo.dm.redo.file;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.nelumbo.dm.redo.RedoLayout;
import org.nelumbo.dm.redo.node.LogReplacement;

/**
 * What nodes of a pool with copies know of each other's logs. A <i>mark</i> is a frame that all
 * live nodes have behind the same commits, whatever the order of these: so a node that comes back
 * needs what another one has behind the last mark that both have. What it has itself behind that
 * mark is <i>replaced</i> by what it is given ({@link LogReplacement}). Thread-safe.
 *
 * <pre>
 *   | ... | MARK m | what nobody else may have | COPIED ... COPIED | SWITCH |
 *                  ^ from                      ^ copy              ^ end
 * </pre>
 *
 * <p>With the SWITCH, which names {@code from} and {@code copy}, copied frames count instead of
 * those before them; without it none of them does. So whatever is stopped, it is the one or the
 * other.
 */
public final class LogMarks {
  /** Guards what follows. */
  private final ReentrantLock lock = new ReentrantLock();

  /** By the position at which they begin. */
  private final TreeMap<Long, Mark> marks = new TreeMap<>();

  private volatile List<Replaced> replaced = List.of();

  private record Mark(long id, long end) {}

  /** A part of the log: its frames count from {@code copy} on, and not those before. */
  public record Replaced(long from, long copy, long end) {}

  public void add(long id, long start, long end) {
    lock.lock();
    try {
      marks.put(start, new Mark(id, end));
    } finally {
      lock.unlock();
    }
  }

  public void replace(long from, long copy, long end) {
    lock.lock();
    try {
      Replaced found = new Replaced(from, copy, end);
      if (!replaced.contains(found)) {
        List<Replaced> all = new ArrayList<>(replaced);
        all.add(found);
        replaced = List.copyOf(all);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Notes what a frame says. */
  public void note(FrameReader frame) {
    if (frame.kind() == RedoLayout.MARK) {
      add(frame.transaction(), frame.start(), frame.position());
    } else if (frame.kind() == RedoLayout.SWITCH) {
      byte[] bytes = frame.bytes();
      replace(
          RedoLayout.getLong(bytes, RedoLayout.HEADER),
          RedoLayout.getLong(bytes, RedoLayout.HEADER + Long.BYTES),
          frame.start());
    }
  }

  /** Whether a frame counts, as far as what was replaced decides that. */
  public boolean counts(FrameReader frame) {
    return counts(frame.kind(), frame.start());
  }

  private boolean counts(int kind, long position) {
    boolean isAmongCopied = false;
    for (Replaced each : replaced) {
      if (position >= each.from() && position < each.copy()) {
        return false;
      }
      isAmongCopied |= position >= each.copy() && position < each.end();
    }
    return isAmongCopied == RedoLayout.isCopied(kind);
  }

  /** Where the last mark begins; less than 0 if there is none. */
  public long last() {
    lock.lock();
    try {
      for (long start : marks.descendingKeySet()) {
        if (counts(RedoLayout.MARK, start)) {
          return start;
        }
      }
      return -1;
    } finally {
      lock.unlock();
    }
  }

  /** Where the first mark from a position on begins; {@code end} if there is none before that. */
  long first(long position, long end) {
    lock.lock();
    try {
      Long start = marks.ceilingKey(position);
      return start == null ? end : Math.min(start, end);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ids of the last marks, the newest first.
   *
   * @param from those before that position are left out
   */
  public List<Long> newest(int most, long from) {
    lock.lock();
    try {
      List<Long> ids = new ArrayList<>();
      for (Map.Entry<Long, Mark> each : marks.tailMap(from, true).descendingMap().entrySet()) {
        if (ids.size() < most && counts(RedoLayout.MARK, each.getKey())) {
          ids.add(each.getValue().id());
        }
      }
      return ids;
    } finally {
      lock.unlock();
    }
  }

  /** The position behind a mark; less than 0 if there is none with that id. */
  public long behind(long id) {
    lock.lock();
    try {
      for (Map.Entry<Long, Mark> each : marks.descendingMap().entrySet()) {
        if (each.getValue().id() == id && counts(RedoLayout.MARK, each.getKey())) {
          return each.getValue().end();
        }
      }
      return -1;
    } finally {
      lock.unlock();
    }
  }

  /** What was replaced behind a position. */
  public List<Replaced> replacedBehind(long position) {
    return replaced.stream().filter(each -> each.end() > position).toList();
  }

  /** Nobody is given what lies before a position. */
  void release(long position) {
    lock.lock();
    try {
      marks.headMap(position).clear();
      replaced = replacedBehind(position);
    } finally {
      lock.unlock();
    }
  }
}
