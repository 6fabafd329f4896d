package org.nelumbo.executor.txn;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.index.tree.ScanDirection;
import org.nelumbo.dm.litmus.SteppedFabric;
import org.nelumbo.dm.litmus.SteppingEnvironment;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.superblock.PoolFormat;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.EngineOptions;
import org.nelumbo.executor.index.UniqueKeyReservations;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.Column;
import org.nelumbo.executor.row.IndexSchema;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.row.RowWriter;
import org.nelumbo.executor.row.TableSchema;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.session.Isolation;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/**
 * A table ACCOUNT (ID BIGINT primary key, BALANCE BIGINT, OWNER VARCHAR(20)) with one session on
 * it, for tests.
 */
public final class Accounts implements AutoCloseable {
  private static final int ID = 0;
  private static final int BALANCE = 1;
  private static final int OWNER = 2;

  public final Coordinator coordinator;
  public final Transaction transaction;
  public final TableStore table;
  private final KeyBuffer key = new KeyBuffer();
  private final RowBuffer row = new RowBuffer();
  private final RowWriter writer;
  private long forcedLotusKey;

  public Accounts(Engine engine, TableStore table) {
    this(engine.openCoordinator(), table);
  }

  /** Creates a session of a coordinator, which it closes. */
  Accounts(Coordinator coordinator, TableStore table) {
    this.coordinator = coordinator;
    this.transaction = coordinator.transaction();
    this.table = table;
    this.writer = new RowWriter(table.layout());
  }

  public static TableSchema schema(int versions) {
    return schema(versions, true, true);
  }

  private static TableSchema schema(int versions, boolean ordered, boolean hashed) {
    return new TableSchema(
        7,
        "ACCOUNT",
        List.of(
            new Column("ID", ColumnType.of(Kind.BIGINT).withNullable(false)),
            new Column("BALANCE", ColumnType.of(Kind.BIGINT).withNullable(false)),
            new Column("OWNER", ColumnType.of(Kind.VARCHAR, 20).withNullable(true))),
        new int[] {ID},
        ID,
        versions,
        ordered,
        hashed,
        List.of());
  }

  /** Creates an engine without background work: garbage stays until its coordinator collects it. */
  public static Engine quietEngine(long bytes, UnaryOperator<Fabric> decorator) {
    Fabric fabric = decorator.apply(new LocalFabric(bytes));
    PoolFormat.format(fabric, 1);
    return new Engine(
        new SystemEnvironment(), fabric, EngineOptions.DEFAULT.withMemoryBytes(bytes));
  }

  /** Creates an engine that calls a step before every verb and flush, and where it waits. */
  public static Engine steppedEngine(Fabric fabric, Runnable step) {
    PoolFormat.format(fabric, 1);
    return new Engine(
        new SteppingEnvironment(step), new SteppedFabric(fabric, step), EngineOptions.DEFAULT);
  }

  public static TableStore create(Engine engine, int versions) {
    try (Coordinator coordinator = engine.openCoordinator()) {
      return engine.tables().create(coordinator, schema(versions));
    }
  }

  /** Creates the table with an ordered primary index, and with or without a hash index. */
  public static TableStore create(Engine engine, int versions, boolean hashed) {
    try (Coordinator coordinator = engine.openCoordinator()) {
      return engine.tables().create(coordinator, schema(versions, true, hashed));
    }
  }

  /** Creates the table without an ordered primary index. */
  public static TableStore createUnordered(Engine engine, int versions) {
    try (Coordinator coordinator = engine.openCoordinator()) {
      return engine.tables().create(coordinator, schema(versions, false, true));
    }
  }

  public static IndexStore addOwnerIndex(Engine engine, TableStore table, boolean unique) {
    try (Coordinator coordinator = engine.openCoordinator()) {
      IndexStore index =
          engine
              .tables()
              .createIndex(coordinator, table, IndexSchema.ascending(8, "BY_OWNER", unique, OWNER));
      table.addIndex(index);
      return index;
    }
  }

  public Accounts begin() {
    transaction.begin(Isolation.SERIALIZABLE, false);
    return this;
  }

  public Accounts begin(Isolation isolation, boolean readOnly) {
    transaction.begin(isolation, readOnly);
    return this;
  }

  public Outcome commit() {
    return transaction.commit();
  }

  public void abort() {
    transaction.abort();
  }

  /** Returns the round trips of the work in this session, if the fabric counts them. */
  public long roundTrips(Runnable work) {
    long before = coordinator.counters().roundTrips();
    work.run();
    return coordinator.counters().roundTrips() - before;
  }

  /** Gives all later keys of this session the same LOTUS key, as after a hash collision. */
  public void forceLotusKey(long lotusKey) {
    forcedLotusKey = lotusKey;
  }

  private void image(long id, long balance, String owner) {
    writer.begin();
    writer.setLong(ID, id);
    writer.setLong(BALANCE, balance);
    if (owner == null) {
      writer.setNull(OWNER);
    } else {
      writer.setObject(OWNER, owner);
    }
    writer.finish(key, row);
    if (forcedLotusKey != 0) {
      key.lotusKey = forcedLotusKey;
    }
  }

  public long lotusKey(long id) {
    image(id, 0, null);
    return key.lotusKey;
  }

  /** Encodes the key of an account. */
  public void key(long id, KeyBuffer out) {
    image(id, 0, null);
    out.copyFrom(key);
  }

  /** Returns the address of the CVT of the row that was looked up last. */
  public long cvt() {
    return transaction.context().finder.cvt();
  }

  /** Returns true if the transaction has cached the absence of an account. */
  public boolean isKnownAbsent(long id) {
    return transaction.context().cache.negativeLookups().isAbsent(table, lotusKey(id));
  }

  public Outcome insert(long id, long balance, String owner) {
    image(id, balance, owner);
    return transaction.insert(table, key, row);
  }

  public void addTo(InsertBatch batch, long id, long balance, String owner) {
    image(id, balance, owner);
    batch.add(table, key, row);
  }

  /** Adds a reservation for the change of the owner of an account. */
  public void addTo(UniqueKeyReservations claims, long id, String oldOwner, String owner) {
    image(id, 0, oldOwner);
    RowBuffer old = new RowBuffer();
    old.copy(row.bytes, row.offset, row.length);
    image(id, 0, owner);
    claims.add(table, old, row);
  }

  public Outcome update(long id, long balance, String owner) {
    image(id, balance, owner);
    return transaction.update(table, key, row);
  }

  public Outcome delete(long id) {
    image(id, 0, null);
    return transaction.delete(table, key);
  }

  public Outcome get(long id, LockMode mode) {
    image(id, 0, null);
    return transaction.get(table, key, mode, row);
  }

  /** Returns the balance of an account, or -1 if it does not exist. */
  public long balance(long id) {
    return balance(id, LockMode.READ);
  }

  public long balance(long id, LockMode mode) {
    Outcome status = get(id, mode);
    if (status == Outcome.NOT_FOUND) {
      return -1;
    }
    if (status != Outcome.OK) {
      throw transaction.failure(status);
    }
    return table.layout().getLong(row.bytes, row.offset, BALANCE);
  }

  /** Returns the owner of an existing account, or null if the owner is NULL. */
  public String owner(long id) {
    assertEquals(Outcome.OK, get(id, LockMode.READ));
    return table.layout().isNull(row.bytes, row.offset, OWNER)
        ? null
        : (String) table.layout().getObject(row.bytes, row.offset, OWNER);
  }

  /** Returns the ids of all accounts in the order of the primary index. */
  public List<Long> ids(boolean ascending) {
    return ids(table.primary(), ascending);
  }

  public List<Long> ids(IndexStore index, boolean ascending) {
    return ids(new ScanRange().all(index).direction(ScanDirection.of(ascending)));
  }

  /**
   * Returns the ids of the accounts of an owner by an index of owners; null stands for accounts
   * without owner.
   */
  public List<Long> idsOf(IndexStore byOwner, String owner) {
    return idsOf(byOwner, owner, true);
  }

  public List<Long> idsOf(IndexStore byOwner, String owner, boolean ascending) {
    return ids(
        new ScanRange()
            .prefix(byOwner, ownerKey(byOwner, owner))
            .direction(ScanDirection.of(ascending)));
  }

  /** Returns the first id of the accounts of an owner, without reading the others. */
  public long firstOf(IndexStore byOwner, String owner) {
    RangeScan scan = transaction.newRangeScan();
    assertEquals(
        Outcome.OK,
        scan.open(new ScanRange().prefix(byOwner, ownerKey(byOwner, owner)).rowsHint(1)));
    assertEquals(Outcome.OK, scan.next(row));
    scan.close();
    return table.layout().getLong(row.bytes, row.offset, ID);
  }

  private static KeyBuffer ownerKey(IndexStore byOwner, String owner) {
    KeyBuffer value = new KeyBuffer();
    if (owner == null) {
      byOwner.encoder().format().appendNull(value, 0);
    } else {
      byOwner.encoder().format().appendObject(value, 0, owner);
    }
    return value;
  }

  private List<Long> ids(ScanRange range) {
    RangeScan scan = transaction.newRangeScan();
    List<Long> ids = new java.util.ArrayList<>();
    Outcome status = scan.open(range);
    while (status == Outcome.OK && (status = scan.next(row)) == Outcome.OK) {
      ids.add(table.layout().getLong(row.bytes, row.offset, ID));
    }
    scan.close();
    if (status != Outcome.NOT_FOUND) {
      throw transaction.failure(status);
    }
    return ids;
  }

  /** Returns the balances of all accounts by id, as a scan of the primary index shows them. */
  Map<Long, Long> balances(LockMode mode) {
    RangeScan scan = transaction.newRangeScan();
    Map<Long, Long> balances = new TreeMap<>();
    Outcome status = scan.open(new ScanRange().all(table.primary()).lockMode(mode));
    while (status == Outcome.OK && (status = scan.next(row)) == Outcome.OK) {
      balances.put(
          table.layout().getLong(row.bytes, row.offset, ID),
          table.layout().getLong(row.bytes, row.offset, BALANCE));
    }
    scan.close();
    assertEquals(Outcome.NOT_FOUND, status);
    return balances;
  }

  /**
   * Returns the number of accounts from {@code low} to {@code high}, or the negated ordinal of the
   * outcome that ended the scan.
   */
  public int count(long low, long high, LockMode mode) {
    KeyBuffer from = new KeyBuffer();
    image(low, 0, null);
    from.copyFrom(key);
    image(high, 0, null);
    RangeScan scan = transaction.newRangeScan();
    Outcome status = scan.open(new ScanRange().closed(table.primary(), from, key).lockMode(mode));
    int count = 0;
    while (status == Outcome.OK && (status = scan.next(row)) == Outcome.OK) {
      count++;
    }
    scan.close();
    return status == Outcome.NOT_FOUND ? count : -status.ordinal();
  }

  @Override
  public void close() {
    coordinator.close();
  }
}
