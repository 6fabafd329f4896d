package org.nelumbo.executor.table;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.index.RowEstimate;
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
 * indexes changes only under the schema lock, when no transaction uses the table.
 */
public final class TableStore {
  /** Limit in bytes of speculative reads of inline slots. */
  private static final int ANNEX_READ_MAX = 1024;

  private TableSchema schema;
  private final RowLayout layout;
  private final ToLongFunction<Channel> clock;
  private final int computeNode;
  private final HashIndex hash;
  private final long hashRoot;
  private final IndexStore primary;
  private final int cvtBytes;

  /** An estimate; concurrent updates may overwrite each other. */
  private int inlineSlotBytes;

  private final long scanLockKey;
  private final boolean isPartitioned;
  private volatile IndexStore[] indexes;
  private volatile boolean dropped;

  /**
   * Opens a table.
   *
   * @param clock source of the timestamps with which index memory is retired
   * @param computeNode number that identifies this compute node in latches
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
    this.hash =
        roots.hash() == 0 ? null : new HashIndex(environment, roots.hash(), clock, computeNode);
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
    this.scanLockKey = hash == null ? roots.primary() : roots.hash();
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
   * Renames table, columns and indexes. The caller holds the schema lock, and no transaction uses
   * the table.
   *
   * @param renamed the same schema with other names
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

  /** Returns true if a secondary index is unique. */
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

  /**
   * Returns the hash index, or null if the table was created {@code WITH (hash = false)}. Then the
   * ordered primary index is the only one that leads to all rows, and takes the place of the hash
   * index.
   */
  public HashIndex hash() {
    return hash;
  }

  /** Returns the tree of the ordered primary index of a table without a hash index. */
  public OrderedIndex keyTree() {
    assert hash == null : "rows are found by the hash index";
    return primary.tree();
  }

  /**
   * Checks every invariant of the index that finds rows by their keys, which does not change
   * meanwhile; reads all of it.
   *
   * @return the number of entries: the rows, including recently deleted ones
   * @throws IllegalStateException if an invariant is violated; the message says which one and where
   */
  public long verify(Channel channel) {
    return hash == null ? primary.tree().verify(channel) : hash.verify(channel);
  }

  /** Returns the estimate of the number of rows. */
  public RowEstimate estimate() {
    return hash == null ? primary.tree().estimate() : hash.estimate();
  }

  /** Creates a cursor over the CVTs of all rows. */
  public CvtCursor newCursor() {
    return new CvtCursor(hash, hash == null ? keyTree() : null);
  }

  /** Creates a random sample of the CVTs of all rows. */
  public CvtSample newSample() {
    return new CvtSample(hash, hash == null ? keyTree() : null);
  }

  /** Hints that a row will be looked up soon; no effect without a hash index. */
  public void prefetch(Channel channel, long lotusKey) {
    if (hash != null) {
      hash.prefetch(channel, lotusKey);
    }
  }

  /** Hints that a row will be looked up soon and, if it is absent, inserted. */
  public void prefetchForInsert(Channel channel, long lotusKey) {
    if (hash != null) {
      hash.prefetchForInsert(channel, lotusKey);
    }
  }

  /** Returns the root of the hash index; 0 if the table has no hash index. */
  public long hashRoot() {
    return hashRoot;
  }

  /**
   * Returns the ordered primary index, or null if the table was created {@code WITH (ordered =
   * false)}.
   */
  public IndexStore primary() {
    return primary;
  }

  /** Returns the secondary indexes; the array must not be changed. */
  public IndexStore[] indexes() {
    return indexes;
  }

  /** Returns the number of cells of a CVT. */
  public int versions() {
    return schema.versions();
  }

  /** Returns the bytes of a CVT, without its inline slot. */
  public int cvtBytes() {
    return cvtBytes;
  }

  /**
   * Returns the size class of the block for a new CVT whose row has an image of {@code imageBytes}
   * bytes.
   */
  public int blockClass(int imageBytes) {
    return CvtLayout.blockClass(versions(), RecordLayout.KEY_OFFSET + imageBytes);
  }

  /**
   * Returns the number of bytes to be read behind an unknown CVT for the record that may be in the
   * inline slot. This is the size of the largest inline slot found so far, or a likely size before
   * that, up to {@link #ANNEX_READ_MAX}.
   */
  public int inlineSlotBytes() {
    return inlineSlotBytes;
  }

  /** Returns the usual number of bytes of a CVT and its inline record. */
  public int rowBytes() {
    return cvtBytes + inlineSlotBytes;
  }

  /** Records that a CVT of the table is in a block of that class. */
  public void noteInlineSlot(int blockClass) {
    int bytes = Math.min(CvtLayout.inlineSlotBytes(versions(), blockClass), ANNEX_READ_MAX);
    if (bytes > inlineSlotBytes) {
      inlineSlotBytes = bytes;
    }
  }

  /**
   * Returns the key of the lock that blocks inserts during full scans if there is no ordered index
   * with leaves to lock.
   */
  public long scanLockKey() {
    return scanLockKey;
  }

  /**
   * Allocates memory for a row on the node of its shard. For a table without primary key, whose
   * rows are numbered, uses the node of the coordinator's last row.
   *
   * @return the address, or {@code PoolAddress.NULL} if the pool is exhausted
   */
  public long allocate(PoolAllocator allocator, int sizeClass, long lotusKey) {
    return isPartitioned ? allocator.allocate(sizeClass, lotusKey) : allocator.allocate(sizeClass);
  }

  /** Returns a new index on this table, which is not in {@link #indexes} yet. */
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

  /**
   * Returns true if the table was dropped, so that its memory must not be touched; see {@link
   * #markDropped}.
   */
  public boolean isDropped() {
    return dropped;
  }

  /** Marks the table as dropped: no transaction uses it, and its memory is about to be freed. */
  public void markDropped() {
    dropped = true;
  }

  /**
   * The pool addresses of a table's indexes; {@code hash} is 0 without a hash index, {@code
   * primary} without an ordered one.
   */
  public record TableRoots(long hash, long primary) {}
}
