package org.nelumbo.planner.catalog;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.nelumbo.dm.pool.PoolLog;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.recovery.DirectoryLoading;
import org.nelumbo.executor.recovery.TablePreparation;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.session.Isolation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The catalog of an opened pool: its current version, and the operations that change it.
 *
 * <p>Reading the catalog is a volatile read. Changes are made by one schema change at a time, which
 * holds {@link #changeLock}. A change is first written to the pool, then published.
 */
public final class Catalog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Catalog.class);
  private final Engine engine;
  private final CatalogStore store;
  private final CatalogEntries entries;
  private final ReentrantLock changeLock = new ReentrantLock();
  private final Map<String, Integer> schemaIds = new HashMap<>();
  private int nextId = CatalogStore.FIRST_ID;
  private volatile CatalogState state = CatalogState.empty();

  /** System views that are not published yet. */
  private final List<SystemView> newViews = new ArrayList<>();

  /** Guarded by the change lock, as are the next two fields. */
  private long changes;

  /** Temporary tables of the session whose schema change is in progress; null if it has none. */
  private TemporarySchema temporary;

  private Draft draft;

  private static final class Draft {
    private CatalogState state;
    private TableDefinition changed;
    private final List<Runnable> ifPublished = new ArrayList<>();
    private final Deque<Runnable> ifDiscarded = new ArrayDeque<>();

    Draft(CatalogState state) {
      this.state = state;
    }
  }

  private Catalog(Engine engine, CatalogStore store) {
    this.engine = engine;
    this.store = store;
    this.entries = new CatalogEntries(engine, store);
  }

  /** Creates the catalog of a new pool, with an empty schema PUBLIC and the system schemas. */
  public static Catalog create(Engine engine) {
    Catalog catalog = new Catalog(engine, CatalogStore.create(engine));
    catalog.createSchema(CatalogState.PUBLIC);
    return catalog;
  }

  /**
   * Reads the catalog of a pool that no other compute node uses.
   *
   * @param roots the result of {@link #roots} when the catalog was last open
   * @param recovery recovers each table before it is used: first the catalog table, then the tables
   *     that it names
   */
  public static Catalog open(
      Engine engine, TableStore.TableRoots roots, TablePreparation recovery) {
    Catalog catalog = open(engine, roots, recovery, Isolation.SERIALIZABLE, _ -> {});
    for (TableEntry entry : catalog.state.tables()) {
      if (entry.damage() != null) {
        LOG.error("table {} is damaged, and set aside: {}", entry, entry.damage());
      }
    }
    return catalog;
  }

  /**
   * Reads the catalog of a pool that other compute nodes are using.
   *
   * @param damaged damaged tables by id, with reasons
   * @param found receives the catalog table before the first read, because a compute node may have
   *     failed while changing it
   */
  public static Catalog join(
      Engine engine,
      TableStore.TableRoots roots,
      Map<Integer, String> damaged,
      Consumer<TableStore> found) {
    try (Coordinator coordinator = engine.openCoordinator()) {
      TablePreparation loading = new DirectoryLoading(coordinator.channel(), damaged);
      return open(engine, roots, loading, Isolation.SNAPSHOT, found);
    }
  }

  private static Catalog open(
      Engine engine,
      TableStore.TableRoots roots,
      TablePreparation preparation,
      Isolation isolation,
      Consumer<TableStore> found) {
    Catalog catalog = new Catalog(engine, CatalogStore.open(engine, roots, preparation));
    boolean opened = false;
    try {
      found.accept(catalog.ownTable());
      catalog.load(preparation, CatalogContent.of(catalog.store.rows(isolation)));
      opened = true;
    } finally {
      if (!opened && isolation == Isolation.SNAPSHOT) {
        catalog.close(); // a failed join releases its resources
      }
    }
    return catalog;
  }

  /**
   * Opens the catalog of a new pool that was built from a copy of another one.
   *
   * @param store contains all definitions, with the roots of their stores
   * @param nextId an id that was never used in the original
   */
  static Catalog ofCopy(Engine engine, CatalogStore store, int nextId) {
    Catalog catalog = new Catalog(engine, store);
    catalog.nextId = nextId;
    try (Coordinator coordinator = engine.openCoordinator()) {
      TablePreparation loading = new DirectoryLoading(coordinator.channel(), Map.of());
      catalog.load(loading, CatalogContent.of(store.rows(Isolation.SERIALIZABLE)));
    }
    return catalog;
  }

  /** Returns the location of the catalog table in the pool. */
  public TableStore.TableRoots roots() {
    return store.roots();
  }

  private void load(TablePreparation preparation, CatalogContent content) {
    note(content);
    for (String schema : content.schemaIds().keySet()) {
      state = state.withSchema(schema).withComment(schema, content.comment(schema));
    }
    List<TableStore> tables = new ArrayList<>();
    for (TableDefinition definition : content.tables()) {
      tables.add(entries.open(definition));
      preparation.tryRecover(tables.getLast());
    }
    for (int i = 0; i < tables.size(); i++) {
      TableDefinition definition = content.tables().get(i);
      TableEntry entry = entries.table(definition, tables.get(i), content::restarts);
      String damage = preparation.damage().get(tables.get(i));
      state = state.with(damage == null ? entry : entry.damaged(damage));
    }
    for (SequenceDefinition sequence : content.sequences()) {
      state = state.with(entries.sequence(sequence, content.restarts(sequence.id())));
    }
    for (ViewEntry view : content.views()) {
      state = state.with(view);
    }
  }

  private void note(CatalogContent content) {
    nextId = Math.max(nextId, content.nextId());
    schemaIds.clear();
    schemaIds.putAll(content.schemaIds());
  }

  /**
   * Reads the changes that another compute node has made. The caller holds the change lock. Changed
   * tables are locked, and this compute node does not touch stores and indexes that they have lost.
   */
  void reload() {
    try (Coordinator coordinator = engine.openCoordinator()) {
      CatalogContent content = CatalogContent.of(store.rows(Isolation.SNAPSHOT));
      TablePreparation loading = new DirectoryLoading(coordinator.channel(), Map.of());
      long since = store.readClock();
      CatalogState next = new CatalogReload(engine, entries, state, content, loading, since).run();
      note(content);
      changed(next);
    }
  }

  /**
   * Adds the contents of an image to a catalog that contains only the empty schema PUBLIC.
   * Everything is written in one transaction, as the last step of a restore. The caller holds the
   * change lock.
   *
   * @param placed the tables by id, with the roots of their stores
   */
  public void restore(CatalogImage image, Map<Integer, TableDefinition> placed) {
    List<CatalogStore.Row> rows = image.rows(placed);
    store.put(rows);
    try (Coordinator coordinator = engine.openCoordinator()) {
      CatalogContent content = CatalogContent.of(store.rows(Isolation.SERIALIZABLE));
      TablePreparation loading = new DirectoryLoading(coordinator.channel(), Map.of());
      long since = store.readClock();
      CatalogState next = new CatalogReload(engine, entries, state, content, loading, since).run();
      note(content);
      changed(next);
    } catch (RuntimeException | Error e) {
      engine.stop(e); // the pool has changes that are not published here
      throw e;
    }
  }

  /** Returns the table in which the catalog is stored. */
  public TableStore ownTable() {
    return store.table();
  }

  /** Returns the current version of the catalog. */
  public CatalogState state() {
    return state;
  }

  /**
   * Returns the catalog as seen by the schema change in progress, including the changes that {@link
   * #changeTogether} has made so far. The caller holds the change lock.
   */
  public CatalogState draft() {
    return (draft == null ? state : draft.state).seenWith(temporary);
  }

  /**
   * Sets the temporary tables of the session for which the following changes are made; null for
   * none.
   */
  public void changeFor(TemporarySchema temporaryOrNull) {
    temporary = temporaryOrNull;
  }

  /** Creates a schema for the temporary tables of a session. */
  public TemporarySchema createTemporarySchema() {
    int number = 1;
    while (state.temporarySchemas().contains(TemporarySchema.of(number).name())) {
      number++;
    }
    TemporarySchema made = TemporarySchema.of(number);
    createSchema(made.name());
    return made;
  }

  /** Returns the names of the temporary schemas of all sessions. */
  public Collection<String> temporarySchemas() {
    return state.temporarySchemas();
  }

  /** Returns the lock that a schema change holds from its first read of the catalog to its last. */
  public ReentrantLock changeLock() {
    return changeLock;
  }

  /**
   * Returns a new id for a table, a store or an index. The caller holds the change lock. If a
   * memory node keeps a log of the pool, the log contains no rows of a store with this id, not even
   * of a store that was dropped or whose creation failed.
   */
  public int newId() {
    PoolLog log = engine.fabric().log();
    if (log != null) {
      nextId = Math.max(nextId, log.lastStore() + 1);
    }
    return nextId++;
  }

  /**
   * Returns the first id that is not in use as far as this compute node has read. The caller holds
   * the change lock.
   */
  public int nextId() {
    return nextId;
  }

  /**
   * Makes {@link #newId} return at least the given id: smaller ones may be in use by other compute
   * nodes.
   */
  public void skipIds(int next) {
    nextId = Math.max(nextId, next);
  }

  // Changes. The caller holds the change lock and has validated the change. The next state is built
  // before the pool is changed, so that publishing it is only an assignment: any allocation may run
  // out of memory.

  private void changed(CatalogState next) {
    state = next;
    changes++;
  }

  /**
   * Returns a counter that increases with each change of the schema. The caller holds the change
   * lock.
   */
  public long changes() {
    return changes;
  }

  public void createSchema(String name) {
    int id = newId();
    CatalogState next = state.withSchema(name);
    schemaIds.put(name, id); // has no effect without the schema itself
    store.put(CatalogStore.SCHEMA, id, name.getBytes(StandardCharsets.UTF_8));
    changed(next);
  }

  /** Removes an empty schema. */
  public void dropSchema(String name) {
    CatalogState next = state.withoutSchema(name);
    store.remove(CatalogStore.SCHEMA, schemaIds.get(name));
    changed(next);
    store.remove(CatalogStore.SCHEMA_COMMENT, schemaIds.get(name));
  }

  /** Sets the comment of a schema; null removes it. */
  public void commentSchema(String name, String textOrNull) {
    CatalogState next = state.withComment(name, textOrNull);
    if (textOrNull == null) {
      store.remove(CatalogStore.SCHEMA_COMMENT, schemaIds.get(name));
    } else {
      byte[] data = textOrNull.getBytes(StandardCharsets.UTF_8);
      store.put(CatalogStore.SCHEMA_COMMENT, schemaIds.get(name), data);
    }
    changed(next);
  }

  /**
   * Creates the entry of a table whose store and indexes exist in the pool. The entry is not added
   * to the catalog.
   */
  public TableEntry newTable(TableDefinition definition, TableStore tableStore) {
    return entries.table(definition, tableStore, id -> 0);
  }

  public void addTable(TableEntry table) {
    CatalogState next = state.with(table);
    store.put(CatalogStore.TABLE, table.id(), DefinitionCodec.encode(table.definition()));
    changed(next);
  }

  /** Removes the sequence numbers of a table that was dropped, or whose creation failed. */
  public void discardNumbers(TableEntry table) {
    table.sequences().keySet().forEach(this::discardNumbers);
  }

  /** Removes the sequence numbers of a column that was dropped, or whose creation failed. */
  public void discardNumbers(int sequenceId) {
    store.remove(CatalogStore.SEQUENCE, sequenceId);
  }

  /** Replaces the definition of a table, and possibly its store. */
  public void replaceTable(TableEntry old, TableDefinition definition, TableStore tableStore) {
    TableEntry replacement = old.with(definition, tableStore, store.readClock());
    if (draft != null) {
      draft.state = draft.state.replaced(old, replacement);
      draft.changed = definition;
      return;
    }
    CatalogState next = state.replaced(old, replacement);
    store.put(CatalogStore.TABLE, definition.id(), DefinitionCodec.encode(definition));
    changed(next);
  }

  /**
   * Runs changes of one table that are published, and written to the pool, together; if one of them
   * throws, none of them is. The caller holds the metadata lock of the table exclusively.
   */
  public void changeTogether(Runnable tableChanges) {
    Draft together = new Draft(state);
    draft = together;
    boolean good = false;
    try {
      tableChanges.run();
      if (together.changed != null) {
        byte[] data = DefinitionCodec.encode(together.changed);
        store.put(CatalogStore.TABLE, together.changed.id(), data);
        good = true;
        changed(together.state);
      }
      good = true;
    } finally {
      draft = null;
      if (!good) {
        together.ifDiscarded.forEach(Runnable::run);
      }
    }
    together.ifPublished.forEach(Runnable::run);
  }

  /**
   * Runs an action when the changes in progress are published; immediately if there is no draft.
   */
  public void whenPublished(Runnable action) {
    if (draft == null) {
      action.run();
    } else {
      draft.ifPublished.add(action);
    }
  }

  /**
   * Registers an action that undoes a change if the changes in progress are discarded. Actions run
   * in reverse order. Without a draft the action is ignored.
   */
  public void whenDiscarded(Runnable action) {
    if (draft != null) {
      draft.ifDiscarded.push(action);
    }
  }

  /**
   * Returns a table entry with number sequences for all numbered columns of its next definition.
   */
  public TableEntry numbering(TableEntry table, TableDefinition definition) {
    return entries.numbered(table, definition, id -> 0);
  }

  /** Replaces the definition of a table without touching its store, which may be damaged. */
  public void replaceDefinition(TableEntry old, TableDefinition definition) {
    CatalogState next = state.replaced(old, old.with(definition));
    store.put(CatalogStore.TABLE, definition.id(), DefinitionCodec.encode(definition));
    changed(next);
  }

  public void dropTable(TableEntry table) {
    CatalogState next = state.without(table);
    store.remove(CatalogStore.TABLE, table.id());
    changed(next);
    discardNumbers(table);
  }

  // Views and sequences. The rules for changes apply.

  public void createView(ViewEntry view) {
    CatalogState next = state.with(view);
    store.put(CatalogStore.VIEW, view.id(), ObjectCodec.encode(view));
    changed(next);
  }

  /** Replaces a view by the same view with another name or other comments. */
  public void replaceView(ViewEntry old, ViewEntry view) {
    CatalogState next = state.renamed(old, view);
    store.put(CatalogStore.VIEW, view.id(), ObjectCodec.encode(view));
    changed(next);
  }

  public void dropView(ViewEntry view) {
    CatalogState next = state.without(view);
    store.remove(CatalogStore.VIEW, view.id());
    changed(next);
  }

  public void createSequence(SequenceDefinition definition) {
    CatalogState next = state.with(entries.sequence(definition, 0));
    store.put(CatalogStore.SEQUENCE_DEFINITION, definition.id(), ObjectCodec.encode(definition));
    changed(next);
  }

  /**
   * Replaces the definition of a sequence. Existing plans that draw its numbers continue with the
   * new definition.
   *
   * @param restart the next number; null to continue with the number that would be next
   */
  public void replaceSequence(SequenceEntry old, SequenceDefinition definition, Long restart) {
    CatalogState next = state.with(new SequenceEntry(definition, old.numbers()));
    byte[] data = ObjectCodec.encode(definition);
    old.numbers()
        .alter(
            IdentitySequence.Bounds.of(definition),
            restart,
            () -> store.put(CatalogStore.SEQUENCE_DEFINITION, definition.id(), data));
    changed(next);
  }

  /** Replaces the definition of a sequence by one with another name or comment. */
  public void renameSequence(SequenceEntry old, SequenceDefinition definition) {
    CatalogState next = state.renamed(old, new SequenceEntry(definition, old.numbers()));
    byte[] data = ObjectCodec.encode(definition);
    store.put(CatalogStore.SEQUENCE_DEFINITION, definition.id(), data);
    changed(next);
    old.numbers().rename(CatalogEntries.owner(definition));
  }

  /** Restarts an identity column at a number. */
  public void restart(TableEntry table, int identityColumn, long number) {
    table.sequence(identityColumn).restart(number);
    changes++;
  }

  public void dropSequence(SequenceEntry sequence) {
    CatalogState next = state.without(sequence);
    store.remove(CatalogStore.SEQUENCE_DEFINITION, sequence.definition().id());
    changed(next);
    store.remove(CatalogStore.SEQUENCE, sequence.definition().id());
  }

  /**
   * Publishes a new version of the catalog without changes, so that statements are planned again
   * after the sizes of tables have changed. The caller holds the {@link #changeLock}.
   *
   * @param prepare receives the next version of the catalog before it is published
   */
  public void publishNewVersion(Consumer<CatalogState> prepare) {
    CatalogState next = state.renewed();
    try {
      prepare.accept(next);
    } finally {
      state = next; // plans may already be marked as valid for it
    }
  }

  /**
   * Adds a view to one of the system schemas when {@link #publishViews} is called; system views are
   * created again each time a pool is opened. If a table of an older pool already has the name of
   * the view, the table stays.
   */
  public void addView(SystemView view) {
    newViews.add(view);
  }

  /** Publishes the views that were added so far. */
  public void publishViews() {
    newViews.removeIf(view -> state.relation(view.schemaName(), view.name()) != null);
    state = state.withAll(newViews);
    newViews.clear();
  }

  /** Releases the resources of this catalog without touching the memory of the pool. */
  public void abandon() {
    store.abandon();
  }

  @Override
  public void close() {
    store.close();
  }
}
