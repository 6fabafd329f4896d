package org.nelumbo.executor.table;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.index.hash.HashIndex;
import org.nelumbo.dm.index.tree.OrderedIndex;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.layout.RecordLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.executor.row.IndexKeyEncoder;
import org.nelumbo.executor.row.IndexSchema;
import org.nelumbo.executor.row.RowLayout;
import org.nelumbo.executor.row.TableSchema;

/**
 * A table, open on this compute node: its schema, row layout and indexes. The set of secondary
 * indexes changes only under the schema lock, when nobody uses the table.
 */
public final class TableStore {
  /** More is not worth reading on the chance that it is wanted. */
  private static final int ANNEX_READ_MAX = 1024;

  private TableSchema schema;
  private final RowLayout layout;
  private final ToLongFunction<Channel> clock;
  private final int computeNode;
  private final HashIndex hash;
  private final long hashRoot;
  private final IndexStore primary;
  private final int cvtBytes;

  /** A guess; threads may overwrite each other's. */
  private int inlineSlotBytes;

  private final long scanLockKey;
  private final boolean isPartitioned;
  private volatile IndexStore[] indexes;
  private volatile boolean dropped;

  /**
   * Opens a table.
   *
   * @param clock timestamps to retire memory of indexes with
   * @param computeNode names this compute node in latches
   */
  public TableStore(
      Environment environment,
      ToLongFunction<Channel> clock,
      int computeNode,
      TableSchema schema,
      TableRoots roots,
      List<IndexSchema> indexSchemas,
      List<Long> indexRoots) {
    this.schema = schema;
    this.clock = clock;
    this.computeNode = computeNode;
    this.layout = new RowLayout(schema);
    this.hashRoot = roots.hash();
    this.hash = new HashIndex(environment, roots.hash(), clock, computeNode);
    this.primary =
        roots.primary() == 0
            ? null
            : new IndexStore(
                this,
                null,
                new OrderedIndex(environment, roots.primary(), clock, computeNode),
                roots.primary(),
                null);
    this.cvtBytes = CvtLayout.bytes(schema.versions());
    noteInlineSlot(blockClass(Math.min(layout.likelyImageBytes(), ANNEX_READ_MAX)));
    this.scanLockKey = roots.hash();
    this.isPartitioned = !schema.columns().get(schema.critical()).hidden();
    this.indexes = new IndexStore[indexSchemas.size()];
    for (int i = 0; i < indexes.length; i++) {
      indexes[i] = newIndex(environment, indexSchemas.get(i), indexRoots.get(i));
    }
  }

  public TableSchema schema() {
    return schema;
  }

  /**
   * Gives table, columns and indexes other names; the caller holds the schema lock and nobody uses
   * the table.
   *
   * @param renamed the same schema but for names
   */
  public void rename(TableSchema renamed) {
    schema = renamed;
    layout.rename(renamed);
    for (IndexStore index : indexes) {
      for (IndexSchema each : renamed.indexes()) {
        if (each.id() == index.schema().id()) {
          index.rename(each);
        }
      }
    }
  }

  public int id() {
    return schema.id();
  }

  /** Whether a secondary index is unique. */
  public boolean hasUniqueIndex() {
    for (IndexStore index : indexes) {
      if (index.schema().unique()) {
        return true;
      }
    }
    return false;
  }

  public RowLayout layout() {
    return layout;
  }

  public HashIndex hash() {
    return hash;
  }

  public long hashRoot() {
    return hashRoot;
  }

  /** The ordered primary index, or null if the table was created {@code WITH (ordered = false)}. */
  public IndexStore primary() {
    return primary;
  }

  /** The secondary indexes; the array must not be changed. */
  public IndexStore[] indexes() {
    return indexes;
  }

  /** Cells of a CVT. */
  public int versions() {
    return schema.versions();
  }

  /** Bytes of a CVT, without its inline slot. */
  public int cvtBytes() {
    return cvtBytes;
  }

  /** Size class of the block for a new CVT whose row has an image of that many bytes. */
  public int blockClass(int imageBytes) {
    return CvtLayout.blockClass(versions(), RecordLayout.KEY_OFFSET + imageBytes);
  }

  /**
   * Bytes that are worth reading behind a CVT of which nothing is known, for the record that may be
   * in the inline slot: as many as the largest inline slot has that was seen so far, or is likely
   * if none was, up to {@link #ANNEX_READ_MAX}.
   */
  public int inlineSlotBytes() {
    return inlineSlotBytes;
  }

  /** Bytes of a CVT and of the record beside it, as a rule. */
  public int rowBytes() {
    return cvtBytes + inlineSlotBytes;
  }

  /** A CVT of the table was met in a block of that class. */
  public void noteInlineSlot(int blockClass) {
    int bytes = Math.min(CvtLayout.inlineSlotBytes(versions(), blockClass), ANNEX_READ_MAX);
    if (bytes > inlineSlotBytes) {
      inlineSlotBytes = bytes;
    }
  }

  /**
   * The lock that keeps inserts out of full scans when there is no ordered index to lock leaves of.
   */
  public long scanLockKey() {
    return scanLockKey;
  }

  /**
   * Memory for something of a row, on the node of its shard; of a table without primary key, whose
   * rows are numbered, where the coordinator's last row went.
   *
   * @return its address, or {@code PoolAddress.NULL} if the pool is exhausted
   */
  public long allocate(PoolAllocator allocator, int sizeClass, long lotusKey) {
    return isPartitioned ? allocator.allocate(sizeClass, lotusKey) : allocator.allocate(sizeClass);
  }

  /** An index on this table that is not in {@link #indexes} yet. */
  public IndexStore newIndex(Environment environment, IndexSchema index, long root) {
    return new IndexStore(
        this,
        index,
        new OrderedIndex(environment, root, clock, computeNode),
        root,
        new IndexKeyEncoder(schema, index));
  }

  /** Adds a secondary index; the caller holds the schema lock. */
  public void addIndex(IndexStore index) {
    IndexStore[] grown = Arrays.copyOf(indexes, indexes.length + 1);
    grown[indexes.length] = index;
    indexes = grown;
  }

  /** Removes a secondary index; the caller holds the schema lock. */
  public void removeIndex(IndexStore index) {
    indexes = Arrays.stream(indexes).filter(each -> each != index).toArray(IndexStore[]::new);
  }

  /** Whether nobody may touch its memory any more, see {@link #markDropped}. */
  public boolean isDropped() {
    return dropped;
  }

  /** No transaction uses the table any more, and it is about to give back its memory. */
  public void markDropped() {
    dropped = true;
  }

  /** Pool addresses of a table's indexes; {@code primary} is 0 without an ordered index. */
  public record TableRoots(long hash, long primary) {}
}
