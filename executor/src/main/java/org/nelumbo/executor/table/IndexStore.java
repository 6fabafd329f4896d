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
 * primary keys) or a secondary one. Immutable, but for its name, and that it may be dropped.
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

  /** What is indexed; null for the primary index. */
  public IndexSchema schema() {
    return schema;
  }

  public boolean isPrimary() {
    return encoder == null;
  }

  /** Gives it another name; nobody uses its table meanwhile. */
  void rename(IndexSchema renamed) {
    schema = renamed;
  }

  public OrderedIndex tree() {
    return tree;
  }

  /** Address of the tree's root block, as the catalogue stores it. */
  public long root() {
    return root;
  }

  /** Makes entry keys from rows; null for the primary index. */
  public IndexKeyEncoder encoder() {
    return encoder;
  }

  /** Whether its entries are in the order of its columns, and of equal ones in that of the key. */
  public boolean isInOrder() {
    return isPrimary() || !encoder.shortens();
  }

  /** Whether bounds of a range are longer than what its entries keep of their rows' keys. */
  public boolean shortens(KeyBuffer low, KeyBuffer high) {
    return !isPrimary() && (encoder.isLong(low) || encoder.isLong(high));
  }

  /** LOTUS key of the row of an entry. */
  public long lotusKey(byte[] key, int offset, int length) {
    return isPrimary()
        ? table.layout().lotusKey(key, offset, length)
        : encoder.lotusKey(key, offset, length);
  }

  /**
   * Refuses a row whose entry's key is too long for this secondary index.
   *
   * @param scratch for the key
   * @throws NelumboException LIMIT_EXCEEDED, naming the index
   */
  public void requireFits(RowBuffer row, KeyBuffer scratch) {
    if (!fitsAllRows) {
      encoder.build(row, scratch);
      requireFits(scratch.length);
    }
  }

  /**
   * Refuses a key that is too long for the index.
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

  /** Whether nobody may touch its memory any more, see {@link #markDropped}. */
  public boolean isDropped() {
    return dropped || table.isDropped();
  }

  /** The index is no longer part of its table and about to give back its memory. */
  public void markDropped() {
    dropped = true;
  }
}
