package org.nelumbo.dm.redo.file;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.nelumbo.dm.redo.RedoLayout;
import org.nelumbo.dm.redo.node.LogReplacement;

/**
 * The log checkpoints of a log, by which nodes of a replicated pool compare their logs. A <i>log
 * checkpoint</i> is a frame that all live nodes have behind the same commits, whatever their order.
 * So a returning node needs the frames that another node has behind the last common log checkpoint.
 * Its own frames behind that log checkpoint are <i>replaced</i> by these ({@link LogReplacement}).
 * Thread-safe.
 *
 * <pre>
 *   | ... | MARK m | frames that other nodes may lack | COPIED ... COPIED | SWITCH |
 *                  ^ from                             ^ copy              ^ end
 * </pre>
 *
 * <p>With the SWITCH, which contains {@code from} and {@code copy}, copied frames are valid instead
 * of those before them; without it no copied frame is valid. So a crash leaves one or the other.
 */
public final class LogCheckpoints {
  /** Guards the fields below. */
  private final ReentrantLock lock = new ReentrantLock();

  private final TreeMap<Long, Checkpoint> checkpoints = new TreeMap<>();

  private volatile List<Replaced> replaced = List.of();

  private record Checkpoint(long id, long end) {}

  /** A replaced part of the log: its frames are valid from {@code copy} on, but not before. */
  public record Replaced(long from, long copy, long end) {}

  public void add(long id, long start, long end) {
    lock.lock();
    try {
      checkpoints.put(start, new Checkpoint(id, end));
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

  /** Records a MARK or SWITCH frame; ignores other frames. */
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

  /**
   * Returns true if replacements leave a frame valid: it is not in a replaced range, and it is a
   * copied frame if and only if it is in the copied range of a replacement.
   */
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

  /** Returns the start position of the last log checkpoint; negative if there is none. */
  public long last() {
    lock.lock();
    try {
      for (long start : checkpoints.descendingKeySet()) {
        if (counts(RedoLayout.MARK, start)) {
          return start;
        }
      }
      return -1;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the start position of the first log checkpoint from a position on; {@code end} if there
   * is none before it.
   */
  long first(long position, long end) {
    lock.lock();
    try {
      Long start = checkpoints.ceilingKey(position);
      return start == null ? end : Math.min(start, end);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the ids of the last log checkpoints, the newest first.
   *
   * @param from position; earlier log checkpoints are omitted
   */
  public List<Long> newest(int most, long from) {
    lock.lock();
    try {
      List<Long> ids = new ArrayList<>();
      for (Map.Entry<Long, Checkpoint> each :
          checkpoints.tailMap(from, true).descendingMap().entrySet()) {
        if (ids.size() < most && counts(RedoLayout.MARK, each.getKey())) {
          ids.add(each.getValue().id());
        }
      }
      return ids;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the position behind a log checkpoint; negative if there is none with that id. */
  public long behind(long id) {
    lock.lock();
    try {
      for (Map.Entry<Long, Checkpoint> each : checkpoints.descendingMap().entrySet()) {
        if (each.getValue().id() == id && counts(RedoLayout.MARK, each.getKey())) {
          return each.getValue().end();
        }
      }
      return -1;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the replaced parts behind a position. */
  public List<Replaced> replacedBehind(long position) {
    return replaced.stream().filter(each -> each.end() > position).toList();
  }

  /** Forgets the log checkpoints before a position, which no other node can be given any more. */
  void release(long position) {
    lock.lock();
    try {
      checkpoints.headMap(position).clear();
      replaced = replacedBehind(position);
    } finally {
      lock.unlock();
    }
  }
}
