package org.nelumbo.dm.index.tree;

/** Inserts entries into private copies of latched nodes, as far as they have room. */
final class NodeInserts {
  private NodeInserts() {}

  /**
   * Adds a new entry at its position, encoding the node anew if that makes room.
   *
   * @return false, with the node unchanged, if it is full
   */
  static boolean add(Workspace w, Node node, int at, byte[] key, int length, long value) {
    assert at == node.lowerBound(key, length) && !node.hasKeyAt(at, key, length);
    if (node.hasRoom(key, length)) {
      node.insert(at, key, length, value);
      return true;
    }
    Node anew = w.other;
    anew.become(node);
    if (!w.builder
        .fencesOf(node)
        .entries(node, 0, node.count())
        .add(at, key, length, value)
        .build(anew, node.level())) {
      return false;
    }
    node.copyFrom(anew);
    node.noteAllChanged();
    return true;
  }

  /**
   * Adds the next entries of the run to a leaf, as long as they belong there, are new, and fit.
   *
   * @return true if it stopped at an entry that belongs there, is new, and does not fit
   */
  static boolean addRun(Workspace w, Node leaf, EntryRun run) {
    for (; run.next < run.size(); run.next++) {
      byte[] key = run.key(run.next);
      int length = run.length(run.next);
      if (!Navigator.covers(leaf, Navigator.AT, key, length)) {
        return false;
      }
      int at = leaf.lowerBound(key, length);
      if (leaf.hasKeyAt(at, key, length)) {
        return false;
      }
      if (!add(w, leaf, at, key, length, run.value(run.next))) {
        return true;
      }
      run.setResult(run.next, IndexResult.INSERTED);
    }
    return false;
  }

  /**
   * Divides the full leaf {@code w.node} to make room for the next entry of the run, which belongs
   * there, and adds as many entries of the run to the halves as fit.
   */
  static void divide(Workspace w, long spare, int version, EntryRun run) {
    int i = run.next;
    int at = w.node.lowerBound(run.key(i), run.length(i));
    if (NodeSplit.divide(w, spare, version, at, run.key(i), run.length(i), run.value(i))) {
      run.setResult(i, IndexResult.INSERTED);
      run.next++;
    }
    fill(w, run);
  }

  /** Adds as many entries of the run as fit to the halves in the workspace. */
  static void fill(Workspace w, EntryRun run) {
    addRun(w, w.left, run);
    addRun(w, w.right, run);
  }
}
