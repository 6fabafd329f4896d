package org.nelumbo.database.ddl;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.nelumbo.database.check.Findings;
import org.nelumbo.database.durable.Restore;
import org.nelumbo.dm.disk.Directories;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.parser.ast.AlterTable;
import org.nelumbo.parser.ast.ChangeSequence;
import org.nelumbo.parser.ast.CommentOn;
import org.nelumbo.parser.ast.CreateIndex;
import org.nelumbo.parser.ast.CreateSchema;
import org.nelumbo.parser.ast.CreateTable;
import org.nelumbo.parser.ast.CreateView;
import org.nelumbo.parser.ast.DropBehavior;
import org.nelumbo.parser.ast.DropObject;
import org.nelumbo.parser.ast.RenameObject;
import org.nelumbo.parser.ast.RestoreDatabase;
import org.nelumbo.parser.ast.TruncateTable;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.CatalogWatcher;
import org.nelumbo.planner.catalog.HeldMetadataLocks;
import org.nelumbo.planner.catalog.Relation;
import org.nelumbo.planner.catalog.SchemaChangeLease;
import org.nelumbo.planner.catalog.SequenceEntry;
import org.nelumbo.planner.catalog.TableDefinition;
import org.nelumbo.planner.catalog.TableDefinition.ForeignKeyDefinition;
import org.nelumbo.planner.catalog.TableDefinition.IdentityDefinition;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.catalog.TemporarySchema;
import org.nelumbo.planner.catalog.ViewEntry;
import org.nelumbo.planner.frontend.SqlFrontEnd;
import org.nelumbo.planner.physical.StatementPlanner;
import org.nelumbo.planner.type.SqlErrors;
import org.nelumbo.session.StatementKind;
import org.nelumbo.types.DatetimeText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs schema changes, one at a time. A change of a table first takes the table's metadata lock: it
 * waits, for at most the lock timeout, until every transaction that touched the table has ended.
 * The change is written to the pool before it is published. Publishing it invalidates earlier
 * plans.
 */
public final class SchemaChanges implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SchemaChanges.class);

  /** Minimum time for other compute nodes to load a change. */
  private static final long RELOAD_NANOS_MIN = 10_000_000_000L;

  /** A timestamp in microseconds that is later than all commits. */
  private static final long FOREVER = Long.MAX_VALUE >> 8;

  private final Engine engine;
  private final Environment environment;

  private final CancellationToken running;

  private final Catalog catalog;
  private final SqlFrontEnd frontEnd;
  private final StoreBuilder stores;
  private final ExclusiveMetadataLocks exclusiveMetadataLocks;
  private final MaintenanceQueries maintenanceQueries;
  private final TableRebuild rebuild;
  private final ViewChanges views;
  private final SequenceChanges sequences;
  private final int defaultVersions;
  private final Findings findings;
  private final Directories directories;

  /**
   * Held by a change of this compute node from its lease until all other compute nodes have loaded
   * it.
   */
  private final ReentrantLock turns = new ReentrantLock();

  private volatile CatalogWatcher watcher;

  /**
   * Creates the schema changes of a pool.
   *
   * @param metadataLocks metadata locks of all sessions, including sessions that are opened later
   * @param defaultVersions cells of a CVT for tables without their own setting
   * @param findings receives the defect reports of a salvage
   * @param directories directories that statements may name
   */
  public SchemaChanges(
      Engine engine,
      Catalog catalog,
      StatementPlanner planner,
      Iterable<HeldMetadataLocks> metadataLocks,
      int defaultVersions,
      Findings findings,
      Directories directories) {
    this.engine = engine;
    this.catalog = catalog;
    this.frontEnd = planner.frontEnd();
    this.environment = engine.environment();
    this.running = new CancellationToken(environment);
    this.stores = new StoreBuilder(engine, running);
    this.exclusiveMetadataLocks = new ExclusiveMetadataLocks(metadataLocks, running);
    this.maintenanceQueries = new MaintenanceQueries(engine, planner, running);
    this.views = new ViewChanges(catalog, planner);
    this.sequences = new SequenceChanges(catalog, frontEnd, views);
    this.rebuild = new TableRebuild(catalog, stores, exclusiveMetadataLocks, maintenanceQueries);
    this.defaultVersions = defaultVersions;
    this.findings = findings;
    this.directories = directories;
  }

  /**
   * Switches to a shared pool: from now on changes need the schema-change lease. The caller holds
   * the catalog's change lock.
   */
  public void share(CatalogWatcher newWatcher) {
    watcher = newWatcher;
  }

  /** Returns the store builder, for tests. */
  StoreBuilder stores() {
    return stores;
  }

  /**
   * Runs a schema change; the calling session has no transaction. An unexpected error leaves the
   * schema unchanged; if the schema had already been changed, the engine stops.
   *
   * @param schema default schema for unqualified names
   * @param temporaryOrNull the session's temporary tables, which unqualified names refer to first
   * @param timeoutNanos longest wait for the transactions on the table
   * @param stop cancellation of the statement, which ends long operations
   */
  public void run(
      SqlNode statement,
      String schema,
      TemporarySchema temporaryOrNull,
      long timeoutNanos,
      CancellationToken stop) {
    run(
        () -> {
          catalog.changeFor(temporaryOrNull);
          try {
            change(statement, schema, timeoutNanos);
          } finally {
            catalog.changeFor(null);
          }
        },
        timeoutNanos,
        stop);
  }

  /** Creates a schema for the temporary tables of a session. */
  public TemporarySchema createTemporarySchema(CancellationToken stop) {
    AtomicReference<TemporarySchema> made = new AtomicReference<>();
    run(() -> made.set(catalog.createTemporarySchema()), 0, stop);
    return made.get();
  }

  /** Drops the temporary tables of a session that has ended. */
  public void dropTemporarySchema(String name, long timeoutNanos, CancellationToken stop) {
    run(() -> dropSchema(name, DropBehavior.CASCADE, timeoutNanos), timeoutNanos, stop);
  }

  /** Drops a temporary table if it still exists. */
  public void dropTemporaryTable(int id, long timeoutNanos, CancellationToken stop) {
    run(
        () -> {
          TableEntry table = catalog.state().table(id);
          if (table != null) {
            dropTable(table, timeoutNanos);
          }
        },
        timeoutNanos,
        stop);
  }

  /**
   * Drops temporary tables that sessions of an earlier process have left. Called before there are
   * sessions, here or on another compute node.
   */
  public void dropTemporarySchemas() {
    for (String name : catalog.temporarySchemas()) {
      dropTemporarySchema(name, 0, new CancellationToken(environment));
    }
  }

  private void run(Runnable change, long timeoutNanos, CancellationToken stop) {
    if (watcher != null) {
      runUnderLease(change, timeoutNanos, stop);
      return;
    }
    lock(catalog.changeLock(), stop);
    try {
      runLocked(change, stop);
    } finally {
      catalog.changeLock().unlock();
      engine.awaitSettled(); // the change becomes visible despite commits in progress
      stores.eraseDropped();
    }
  }

  /** Only one change of this compute node waits for the lease at a time. */
  private void runUnderLease(Runnable change, long timeoutNanos, CancellationToken stop) {
    lock(turns, stop);
    try {
      SchemaChangeLease lease = new SchemaChangeLease(environment, catalog, watcher, stop);
      if (!lease.await()) {
        throw stop.failure();
      }
      boolean ended = false;
      try {
        begin(lease, stop);
        try {
          runLocked(change, stop);
        } finally {
          end(lease);
          ended = true;
        }
      } finally {
        if (ended) {
          eraseDropped(lease, timeoutNanos);
        }
      }
    } finally {
      turns.unlock();
    }
  }

  private void begin(SchemaChangeLease lease, CancellationToken stop) {
    boolean begun = false;
    try {
      lock(catalog.changeLock(), stop);
      try {
        lease.begin();
        begun = true;
      } finally {
        if (!begun) {
          catalog.changeLock().unlock();
        }
      }
    } finally {
      if (!begun) {
        lease.giveUp();
      }
    }
    exclusiveMetadataLocks.setLease(lease);
  }

  /** Other compute nodes wait for the release: if it fails, the engine of this one stops. */
  private void end(SchemaChangeLease lease) {
    try {
      lease.end();
    } catch (RuntimeException | Error e) {
      engine.stop(e);
      throw e;
    } finally {
      exclusiveMetadataLocks.setLease(null);
      catalog.changeLock().unlock();
    }
  }

  /**
   * Waits until all other compute nodes have loaded the change. If a compute node has failed
   * meanwhile, the memory is left, because its unfinished changes in there may not have been
   * recovered yet.
   */
  private void eraseDropped(SchemaChangeLease lease, long timeoutNanos) {
    if (!lease.awaitReloads(Math.max(timeoutNanos, RELOAD_NANOS_MIN))) {
      LOG.warn("other compute nodes of the pool have not reloaded a schema change in time");
    } else if (lease.hasLostAnybody()) {
      stores.leaveDropped();
    } else {
      stores.eraseDropped();
    }
  }

  private void runLocked(Runnable change, CancellationToken stop) {
    long before = catalog.changes();
    try {
      running.follow(stop);
      change.run();
    } catch (FabricException e) {
      throw e;
    } catch (RuntimeException | Error e) {
      if (!isRefusal(e)) {
        brokenOff(catalog.changes() != before, e);
      }
      throw e;
    } finally {
      running.follow(null);
    }
  }

  private static boolean isRefusal(Throwable why) {
    return why instanceof NelumboException && !(why.getCause() instanceof Error);
  }

  /** Memory allocated for the change may be leaked until the next attach. */
  private void brokenOff(boolean changed, Throwable why) {
    engine.markUnclean();
    if (changed) {
      engine.stop(why);
      throw new NelumboException(
          ErrorCode.OUTCOME_UNKNOWN,
          "an exception interrupted a schema change: "
              + why
              + "; its outcome is known when the pool is opened again",
          why);
    }
  }

  private void change(SqlNode statement, String schema, long timeoutNanos) {
    switch (statement) {
      case CreateTable create -> createTable(create, schema, timeoutNanos);
      case TruncateTable truncate -> truncate(truncate, schema, timeoutNanos);
      case CreateIndex create -> newIndexChanges().create(create, schema, timeoutNanos);
      case CreateSchema create -> createSchema(create);
      case CreateView create -> views.create(create, schema);
      case ChangeSequence sequence -> {
        if (sequence.statementKind() == StatementKind.CREATE_SEQUENCE) {
          sequences.create(sequence, schema);
        } else {
          sequences.alter(sequence, schema);
        }
      }
      case DropObject drop -> drop(drop, schema, timeoutNanos);
      case RenameObject rename -> rename(rename, schema, timeoutNanos);
      case CommentOn comment ->
          new CommentChanges(catalog, exclusiveMetadataLocks, sequences)
              .run(comment, schema, timeoutNanos);
      case RestoreDatabase restore -> restore(restore);
      case AlterTable alter ->
          new TableChanges(
                  catalog,
                  frontEnd,
                  stores,
                  exclusiveMetadataLocks,
                  maintenanceQueries,
                  rebuild,
                  views,
                  sequences)
              .run(alter, schema, timeoutNanos);
      default ->
          throw new NelumboException(
              ErrorCode.UNSUPPORTED, statement.getKind() + " is not supported");
    }
  }

  private void restore(RestoreDatabase restore) {
    if (restore.isSalvage()) {
      new Restore(engine, catalog, running)
          .salvage(() -> directories.openToRead(restore.directory()), findings);
      return;
    }
    List<Disk> log = new ArrayList<>();
    for (String name : restore.logs()) {
      log.add(openToRead(name));
    }
    long until = restore.until() == null ? FOREVER : DatetimeText.parseInstant(restore.until());
    new Restore(engine, catalog, running)
        .run(() -> directories.openToRead(restore.directory()), log, until);
  }

  /** The directory need not be closed. */
  private Disk openToRead(String name) {
    try {
      return directories.openToRead(name);
    } catch (PoolOpenException e) {
      throw new NelumboException(ErrorCode.BAD_PARAMETER, e.getMessage(), e);
    }
  }

  private void lock(ReentrantLock lock, CancellationToken stop) {
    for (int attempt = 0; !lock.tryLock(); attempt++) {
      if (stop.isSet()) {
        throw stop.failure();
      }
      environment.backoff(attempt);
    }
  }

  private IndexChanges newIndexChanges() {
    return new IndexChanges(catalog, stores, exclusiveMetadataLocks, frontEnd, rebuild);
  }

  private void drop(DropObject drop, String schema, long timeoutNanos) {
    switch (drop.statementKind()) {
      case DROP_TABLE -> dropTables(drop, schema, timeoutNanos);
      case DROP_INDEX -> newIndexChanges().drop(drop, schema, timeoutNanos);
      case DROP_SCHEMA -> dropSchema(drop, timeoutNanos);
      case DROP_VIEW -> views.drop(drop, schema);
      case DROP_SEQUENCE -> dropSequences(drop, schema, timeoutNanos);
      default -> throw new IllegalStateException("drops nothing, statement=" + drop);
    }
  }

  private void dropSequences(DropObject drop, String schema, long timeoutNanos) {
    ColumnChanges columns = new ColumnChanges(catalog, frontEnd, exclusiveMetadataLocks, rebuild);
    for (SqlNode name :
        drop.behavior() == DropBehavior.CASCADE ? drop.names() : List.<SqlNode>of()) {
      SequenceEntry sequence = sequences.find((SqlIdentifier) name, schema, drop.ifExists());
      SequenceChanges.Use use = sequence == null ? null : sequences.use(sequence, List.of());
      while (use != null) {
        columns.dropDefault(use.table(), use.column(), timeoutNanos);
        use = sequences.use(sequence, List.of());
      }
    }
    sequences.drop(drop, schema);
  }

  private void rename(RenameObject rename, String schema, long timeoutNanos) {
    switch (rename.statementKind()) {
      case ALTER_INDEX -> newIndexChanges().rename(rename, schema, timeoutNanos);
      case ALTER_VIEW -> views.rename(rename, schema);
      case ALTER_SEQUENCE -> sequences.rename(rename, schema);
      default -> throw new IllegalStateException("renames nothing, statement=" + rename);
    }
  }

  private void createTable(CreateTable create, String defaultSchema, long timeoutNanos) {
    CatalogState state = catalog.draft();
    String schema =
        create.onCommit() == null
            ? ObjectNames.writableSchema(state, create.name(), defaultSchema)
            : ObjectNames.temporarySchema(state, create.name());
    if (state.relation(schema, ObjectNames.simple(create.name())) != null) {
      if (create.ifNotExists()) {
        return;
      }
      throw SqlErrors.at(
          ErrorCode.OBJECT_EXISTS,
          "Table '"
              + create.name()
              + "' exists already; drop it, or write CREATE TABLE IF NOT EXISTS",
          create.name().getParserPosition());
    }
    if (create.query() != null) {
      new TableFiller(catalog, frontEnd, stores, maintenanceQueries, defaultVersions)
          .create(create, schema, defaultSchema);
      return;
    }
    TableDefinition definition =
        new TableBuilder(create, state, schema, defaultSchema, frontEnd, catalog::newId)
            .build(defaultVersions);
    checkConstraints(definition, state, defaultSchema);
    IndexChanges.checkNames(definition);
    exclusiveMetadataLocks.runExclusively(
        parents(definition, state),
        timeoutNanos,
        () -> {
          TableStore store = stores.create(definition);
          catalog.addTable(catalog.newTable(definition.withRoots(store), store));
        });
  }

  /**
   * Empty in an exclusive pool. Statements of other compute nodes that delete rows must be aware of
   * the new table before it has rows.
   */
  private List<TableEntry> parents(TableDefinition definition, CatalogState state) {
    return definition.foreignKeys().stream()
        .map(ForeignKeyDefinition::referencedTable)
        .filter(id -> exclusiveMetadataLocks.isShared() && id != definition.id())
        .filter(_ -> !TemporarySchema.isTemporary(definition.schema()))
        .distinct()
        .map(state::table)
        .toList();
  }

  private void checkConstraints(TableDefinition definition, CatalogState state, String schema) {
    definition
        .checks()
        .forEach(check -> frontEnd.checkCondition(check.text(), definition, state, schema));
  }

  private void dropTables(DropObject drop, String schema, long timeoutNanos) {
    List<TableEntry> tables = new ArrayList<>();
    for (SqlNode name : drop.names()) {
      TableEntry table = ObjectNames.find(catalog.draft(), (SqlIdentifier) name, schema);
      if (table == null && !drop.ifExists()) {
        ObjectNames.table(catalog.draft(), (SqlIdentifier) name, schema);
      } else if (table != null) {
        tables.add(table);
      }
    }
    for (TableEntry table : tables) {
      views.release(table.id(), "table " + table, drop.behavior());
      releaseReferences(table, tables, drop, timeoutNanos);
    }
    tables.forEach(table -> dropTable(table, timeoutNanos));
  }

  private void releaseReferences(
      TableEntry table, List<TableEntry> dropped, DropObject drop, long timeoutNanos) {
    for (TableEntry child : List.copyOf(catalog.draft().tables())) {
      List<ForeignKeyDefinition> kept = new ArrayList<>(child.definition().foreignKeys());
      kept.removeIf(key -> key.referencedTable() == table.id());
      boolean refers = kept.size() < child.definition().foreignKeys().size();
      if (!refers || dropped.stream().anyMatch(each -> each.id() == child.id())) {
        continue;
      }
      if (drop.behavior() != DropBehavior.CASCADE) {
        throw new NelumboException(
            ErrorCode.DEPENDENT_OBJECTS,
            "table "
                + table
                + " is referred to by a foreign key of "
                + child
                + "; drop that first, or write DROP TABLE ... CASCADE");
      }
      exclusiveMetadataLocks.runExclusively(
          child,
          timeoutNanos,
          () -> catalog.replaceDefinition(child, child.definition().withForeignKeys(kept)));
    }
  }

  private void dropTable(TableEntry table, long timeoutNanos) {
    sequences.releaseOwned(table);
    exclusiveMetadataLocks.runExclusively(table, timeoutNanos, () -> catalog.dropTable(table));
    sequences.dropOwned(table, null);
    if (table.damage() == null) {
      stores.drop(table.store());
    } // otherwise its blocks may have other owners: the next attach finds the free memory
  }

  private void truncate(TruncateTable truncate, String schema, long timeoutNanos) {
    Set<TableEntry> tables = new LinkedHashSet<>();
    for (SqlNode name : truncate.names()) {
      tables.add(ObjectNames.table(catalog.draft(), (SqlIdentifier) name, schema));
    }
    for (TableEntry child; (child = anyReferring(tables)) != null; ) {
      if (truncate.behavior() != DropBehavior.CASCADE) {
        throw SqlErrors.at(
            ErrorCode.OBJECT_IN_USE,
            "table "
                + tables.iterator().next()
                + " is referred to by a foreign key of "
                + child
                + "; truncate both, write CASCADE, or use DELETE",
            truncate.getParserPosition());
      }
      tables.add(child);
    }
    rebuild.empty(
        List.copyOf(tables),
        table -> {
          if (truncate.restartsIdentity()) {
            for (IdentityDefinition identity : table.definition().identities()) {
              catalog.restart(table, identity.column(), identity.start());
            }
          }
        },
        timeoutNanos);
  }

  private TableEntry anyReferring(Set<TableEntry> tables) {
    for (TableEntry child : catalog.draft().tables()) {
      for (ForeignKeyDefinition key : child.definition().foreignKeys()) {
        boolean refers = tables.stream().anyMatch(each -> each.id() == key.referencedTable());
        if (refers && tables.stream().noneMatch(each -> each.id() == child.id())) {
          return child;
        }
      }
    }
    return null;
  }

  private void createSchema(CreateSchema create) {
    String name = ObjectNames.simple(create.name());
    if (TemporarySchema.isTemporary(name)) {
      throw SqlErrors.at(
          ErrorCode.INVALID_STATEMENT,
          "schemas that are called " + TemporarySchema.ALIAS + "_... are for temporary tables",
          create.name().getParserPosition());
    }
    if (!catalog.draft().hasSchema(name)) {
      catalog.createSchema(name);
    } else if (!create.ifNotExists()) {
      throw SqlErrors.at(
          ErrorCode.OBJECT_EXISTS,
          "Schema '" + name + "' exists already",
          create.name().getParserPosition());
    }
  }

  private void dropSchema(DropObject drop, long timeoutNanos) {
    String name = ObjectNames.simple(drop.name());
    CatalogState state = catalog.draft();
    if (!state.hasSchema(name)) {
      if (drop.ifExists()) {
        return;
      }
      throw SqlErrors.at(
          ErrorCode.NO_SUCH_SCHEMA,
          "Schema '" + name + "' not found",
          drop.name().getParserPosition());
    }
    if (name.equals(CatalogState.PUBLIC) || CatalogState.isSystem(name)) {
      throw SqlErrors.at(
          ErrorCode.INVALID_STATEMENT,
          "schema " + name + " cannot be dropped",
          drop.name().getParserPosition());
    }
    if (TemporarySchema.isTemporary(name)) {
      throw SqlErrors.at(
          ErrorCode.INVALID_STATEMENT,
          "the schema of temporary tables is dropped when the session ends",
          drop.name().getParserPosition());
    }
    Collection<Relation> relations = state.relations(name);
    if (!relations.isEmpty() && drop.behavior() != DropBehavior.CASCADE) {
      throw SqlErrors.at(
          ErrorCode.DEPENDENT_OBJECTS,
          "schema "
              + name
              + " is not empty, it has "
              + relations.iterator().next().name()
              + "; drop its objects first, or write CASCADE",
          drop.name().getParserPosition());
    }
    dropSchema(name, drop.behavior(), timeoutNanos);
  }

  private void dropSchema(String name, DropBehavior behavior, long timeoutNanos) {
    Collection<Relation> relations = catalog.draft().relations(name);
    List<TableEntry> tables = only(TableEntry.class, relations);
    List<SequenceEntry> dropped = only(SequenceEntry.class, relations);
    checkNotReferred(tables);
    dropped.forEach(sequence -> sequences.checkUnused(sequence, tables));
    for (ViewEntry view : only(ViewEntry.class, relations)) {
      if (catalog.draft().relation(name, view.name()) == view) {
        views.release(view.id(), "view " + view, behavior);
        catalog.dropView(view);
      }
    }
    tables.forEach(table -> views.release(table.id(), "table " + table, behavior));
    tables.forEach(table -> dropTable(table, timeoutNanos));
    dropped.forEach(sequence -> sequences.drop(sequence, behavior));
    catalog.dropSchema(name);
  }

  private static <T> List<T> only(Class<T> type, Collection<Relation> relations) {
    return relations.stream().filter(type::isInstance).map(type::cast).toList();
  }

  private void checkNotReferred(List<TableEntry> tables) {
    for (TableEntry child : catalog.draft().tables()) {
      for (ForeignKeyDefinition key : child.definition().foreignKeys()) {
        boolean refers = tables.stream().anyMatch(table -> table.id() == key.referencedTable());
        if (refers && tables.stream().noneMatch(table -> table.id() == child.id())) {
          throw new NelumboException(
              ErrorCode.OBJECT_IN_USE,
              "foreign key " + key.name() + " of " + child + " refers to a table of the schema");
        }
      }
    }
  }

  /** Releases the memory that is reserved for schema changes in a full pool. */
  @Override
  public void close() {
    stores.close();
  }

  /** Closes like {@link #close}, without touching the pool. */
  public void abandon() {
    stores.abandon();
  }
}
