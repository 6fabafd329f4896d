package org.nelumbo.executor.table;

import org.nelumbo.dm.index.tree.OrderedIndex;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.row.IndexKeyEncoder;
import org.nelumbo.executor.row.IndexSchema;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;

/**
 * An ordered index of a table, open on this compute node: the primary one (keys are normalised
 * primary keys) or a secondary one. Immutable, except for its name and its dropped mark.
 */
public final class IndexStore {
  private final TableStore table;
  private volatile IndexSchema schema;
  private final OrderedIndex tree;
  private final long root;
  private final IndexKeyEncoder encoder;
  private final boolean fitsAllRows;
  private volatile boolean dropped;

  IndexStore(
      TableStore table, IndexSchema schema, OrderedIndex tree, long root, IndexKeyEncoder encoder) {
    this.table = table;
    this.schema = schema;
    this.tree = tree;
    this.root = root;
    this.encoder = encoder;
    this.fitsAllRows = encoder != null && fitsAllRows(encoder);
  }

  private static boolean fitsAllRows(IndexKeyEncoder encoder) {
    return encoder.shortens() || encoder.longest() <= OrderedIndex.KEY_LENGTH_MAX;
  }

  public TableStore table() {
    return table;
  }

  /** Returns the definition of the index; null for the primary index. */
  public IndexSchema schema() {
    return schema;
  }

  public boolean isPrimary() {
    return encoder == null;
  }

  /** Renames the index; no transaction uses its table meanwhile. */
  void rename(IndexSchema renamed) {
    schema = renamed;
  }

  public OrderedIndex tree() {
    return tree;
  }

  /** Returns the address of the tree's root block, as the catalogue stores it. */
  public long root() {
    return root;
  }

  /** Returns the encoder that builds entry keys from rows; null for the primary index. */
  public IndexKeyEncoder encoder() {
    return encoder;
  }

  /**
   * Returns true if the entries are ordered by the index columns and, for equal values, by the
   * primary key.
   */
  public boolean isInOrder() {
    return isPrimary() || !encoder.shortens();
  }

  /**
   * Returns true if a bound of the range is longer than the part of rows' keys that entries keep.
   */
  public boolean shortens(KeyBuffer low, KeyBuffer high) {
    return !isPrimary() && (encoder.isLong(low) || encoder.isLong(high));
  }

  /** Returns the LOTUS key of the row of an entry. */
  public long lotusKey(byte[] key, int offset, int length) {
    return isPrimary()
        ? table.layout().lotusKey(key, offset, length)
        : encoder.lotusKey(key, offset, length);
  }

  /**
   * Copies the primary key of the row of an entry; returns false if the entry has only a part of
   * it.
   */
  public boolean primaryKey(byte[] key, int offset, int length, KeyBuffer out) {
    if (!isPrimary()) {
      return encoder.primaryKey(key, offset, length, out);
    }
    out.clear();
    out.append(key, offset, length);
    return true;
  }

  /**
   * Rejects a row whose key is too long for this secondary index.
   *
   * @param scratch buffer for the key
   * @throws NelumboException LIMIT_EXCEEDED, naming the index
   */
  public void requireFits(RowBuffer row, KeyBuffer scratch) {
    if (!fitsAllRows) {
      encoder.build(row, scratch);
      requireFits(scratch.length);
    }
  }

  /**
   * Rejects a key that is too long for the index.
   *
   * @throws NelumboException LIMIT_EXCEEDED, naming the index
   */
  public void requireFits(int keyLength) {
    if (keyLength > OrderedIndex.KEY_LENGTH_MAX) {
      throw new NelumboException(
          ErrorCode.LIMIT_EXCEEDED,
          (isPrimary()
                  ? "primary key too long table=" + table.schema().name()
                  : "value too long for index " + schema.name())
              + " bytes="
              + keyLength
              + " limit="
              + OrderedIndex.KEY_LENGTH_MAX);
    }
  }

  /**
   * Returns true if the index was dropped, so that its memory must not be touched; see {@link
   * #markDropped}.
   */
  public boolean isDropped() {
    return dropped || table.isDropped();
  }

  /**
   * Marks the index as dropped: it is no longer part of its table, and its memory is about to be
   * freed.
   */
  public void markDropped() {
    dropped = true;
  }
}
