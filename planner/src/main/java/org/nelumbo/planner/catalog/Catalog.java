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
 * The catalogue of an opened pool: its present version, and how it changes. Reading is a volatile
 * read; changes are made by one schema change at a time, which holds {@link #changeLock}. A change
 * is written to the pool first, then published.
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

  /** Guarded by the change lock. */
  private long changes;

  /** The temporary tables of the session whose change is in progress; null if none. As above. */
  private TemporarySchema temporary;

  /** Changes of a table that are published together; null if there are none. As above. */
  private Draft draft;

  /** Several changes of one table, which nobody else sees before the last of them. */
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

  /** The catalogue of a new pool: schema PUBLIC and those of the system, nothing in them. */
  public static Catalog create(Engine engine) {
    Catalog catalog = new Catalog(engine, CatalogStore.create(engine));
    catalog.createSchema(CatalogState.PUBLIC);
    return catalog;
  }

  /**
   * Reads the catalogue of a pool back, which this compute node has alone.
   *
   * @param roots what {@link #roots} gave
   * @param recovery puts each table in order before it is used: the catalogue's own, then those
   *     that it names
   */
  public static Catalog open(
      Engine engine, TableStore.TableRoots roots, TablePreparation recovery) {
    return open(engine, roots, recovery, Isolation.SERIALIZABLE, _ -> {});
  }

  /**
   * Reads the catalogue of a pool that other compute nodes are working on.
   *
   * @param found takes the catalogue's own table before anything is read that somebody may have
   *     died in the middle of changing
   */
  public static Catalog join(
      Engine engine, TableStore.TableRoots roots, Consumer<TableStore> found) {
    try (Coordinator coordinator = engine.openCoordinator()) {
      TablePreparation loading = new DirectoryLoading(coordinator.channel());
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
        catalog.close(); // who cannot join leaves in order
      }
    }
    return catalog;
  }

  /**
   * The catalogue of a pool that was made anew from what was elsewhere.
   *
   * @param store has all definitions, with the roots of their stores
   * @param nextId an id that none had before
   */
  static Catalog ofCopy(Engine engine, CatalogStore store, int nextId) {
    Catalog catalog = new Catalog(engine, store);
    catalog.nextId = nextId;
    try (Coordinator coordinator = engine.openCoordinator()) {
      TablePreparation loading = new DirectoryLoading(coordinator.channel());
      catalog.load(loading, CatalogContent.of(store.rows(Isolation.SERIALIZABLE)));
    }
    return catalog;
  }

  /** Where the catalogue's own table lies in the pool. */
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
      if (damage != null) {
        LOG.error("table {} is damaged, and set aside: {}", entry, damage);
      }
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
   * Reads what another compute node has changed. The caller has the change lock; tables that have
   * changed are locked, and nobody here touches afterwards what they have no longer.
   */
  void reload() {
    try (Coordinator coordinator = engine.openCoordinator()) {
      CatalogContent content = CatalogContent.of(store.rows(Isolation.SNAPSHOT));
      TablePreparation loading = new DirectoryLoading(coordinator.channel());
      long since = store.readClock();
      CatalogState next = new CatalogReload(engine, entries, state, content, loading, since).run();
      note(content);
      changed(next);
    }
  }

  /**
   * Takes over what an image has; there is nothing yet but an empty schema PUBLIC. All of it is
   * written in one transaction, the last of what is restored. The caller holds the change lock.
   *
   * @param placed the tables by their ids, with the roots of their stores
   */
  public void restore(CatalogImage image, Map<Integer, TableDefinition> placed) {
    List<CatalogStore.Row> rows = image.rows(placed);
    store.put(rows);
    try (Coordinator coordinator = engine.openCoordinator()) {
      CatalogContent content = CatalogContent.of(store.rows(Isolation.SERIALIZABLE));
      TablePreparation loading = new DirectoryLoading(coordinator.channel());
      long since = store.readClock();
      CatalogState next = new CatalogReload(engine, entries, state, content, loading, since).run();
      note(content);
      changed(next);
    } catch (RuntimeException | Error e) {
      engine.stop(e); // the pool has what nobody here knows
      throw e;
    }
  }

  /** The catalogue's own table. */
  public TableStore ownTable() {
    return store.table();
  }

  /** The catalogue as it is now. */
  public CatalogState state() {
    return state;
  }

  /**
   * The catalogue as the schema change in progress sees it: with what {@link #changeTogether} has
   * changed so far. For the holder of the change lock.
   */
  public CatalogState draft() {
    return (draft == null ? state : draft.state).seenWith(temporary);
  }

  /** Changes are made for a session with such temporary tables from now on; null: with none. */
  public void changeFor(TemporarySchema temporaryOrNull) {
    temporary = temporaryOrNull;
  }

  /** Makes a schema for the temporary tables of a session. */
  public TemporarySchema createTemporarySchema() {
    int number = 1;
    while (state.temporarySchemas().contains(TemporarySchema.of(number).name())) {
      number++;
    }
    TemporarySchema made = TemporarySchema.of(number);
    createSchema(made.name());
    return made;
  }

  /** The schemas of temporary tables of all sessions. */
  public Collection<String> temporarySchemas() {
    return state.temporarySchemas();
  }

  /** Held during a schema change, from its first look at the catalogue to its last. */
  public ReentrantLock changeLock() {
    return changeLock;
  }

  /**
   * An id for a table, a store or an index; the caller holds the change lock. If a memory node
   * keeps a log of the pool, that has no rows of a store with the id, also of one that was dropped,
   * or came to nothing.
   */
  public int newId() {
    PoolLog log = engine.fabric().log();
    if (log != null) {
      nextId = Math.max(nextId, log.lastStore() + 1);
    }
    return nextId++;
  }

  /** The first id that nobody has, as far as is known here; as above. */
  public int nextId() {
    return nextId;
  }

  /** Others may have smaller ids. */
  public void skipIds(int next) {
    nextId = Math.max(nextId, next);
  }

  // Changes; the caller holds the change lock and has checked that they make sense. The next state
  // is made before the pool is changed, so that nothing but an assignment is left when it is:
  // memory may run out at any time.

  private void changed(CatalogState next) {
    state = next;
    changes++;
  }

  /** A number that changes when the schema does; for the holder of the change lock. */
  public long changes() {
    return changes;
  }

  public void createSchema(String name) {
    int id = newId();
    CatalogState next = state.withSchema(name);
    schemaIds.put(name, id); // counts only for schemas that there are
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

  /** Gives a schema a comment; null takes it away. */
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

  /** A table whose indexes have been made in the pool, still to be added. */
  public TableEntry newTable(TableDefinition definition, TableStore tableStore) {
    return entries.table(definition, tableStore, id -> 0);
  }

  public void addTable(TableEntry table) {
    CatalogState next = state.with(table);
    store.put(CatalogStore.TABLE, table.id(), DefinitionCodec.encode(table.definition()));
    changed(next);
  }

  /** Forgets the numbers of a table that is gone, or is not added after all. */
  public void discardNumbers(TableEntry table) {
    table.sequences().keySet().forEach(this::discardNumbers);
  }

  /** Forgets the numbers of a column that is gone, or is not added after all. */
  public void discardNumbers(int sequenceId) {
    store.remove(CatalogStore.SEQUENCE, sequenceId);
  }

  /** Gives a table another definition, perhaps another store. */
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
   * Runs changes of one table that are published, and written to the pool, all at once; or not at
   * all if one of them throws. The table's metadata lock is held.
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

  /** Does something when the changes in progress are published; at once if there is no draft. */
  public void whenPublished(Runnable action) {
    if (draft == null) {
      action.run();
    } else {
      draft.ifPublished.add(action);
    }
  }

  /** Takes something back if the changes in progress come to nothing; the last one first. */
  public void whenDiscarded(Runnable action) {
    if (draft != null) {
      draft.ifDiscarded.push(action);
    }
  }

  /** This table, able to number the rows of columns that it is about to get. */
  public TableEntry numbering(TableEntry table, TableDefinition definition) {
    return entries.numbered(table, definition, id -> 0);
  }

  /** Gives a table another definition, and leaves its store as it is, damaged or not. */
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

  // Views and sequences; as above.

  public void createView(ViewEntry view) {
    CatalogState next = state.with(view);
    store.put(CatalogStore.VIEW, view.id(), ObjectCodec.encode(view));
    changed(next);
  }

  /** Gives a view another name or other comments. */
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
   * Gives a sequence another definition. Plans that draw its numbers go on with the new one.
   *
   * @param restart the number to go on with; null for the one that would be next
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

  /** Gives a sequence another name or comment. */
  public void renameSequence(SequenceEntry old, SequenceDefinition definition) {
    CatalogState next = state.renamed(old, new SequenceEntry(definition, old.numbers()));
    byte[] data = ObjectCodec.encode(definition);
    store.put(CatalogStore.SEQUENCE_DEFINITION, definition.id(), data);
    changed(next);
    old.numbers().rename(CatalogEntries.owner(definition));
  }

  /** Numbers the rows of a table from a number on. */
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
   * Has statements planned anew, because tables are of another size than when they were planned.
   * The caller has the {@link #changeLock}.
   *
   * @param prepare gets the catalogue's next version before others see it
   */
  public void publishNewVersion(Consumer<CatalogState> prepare) {
    CatalogState next = state.renewed();
    try {
      prepare.accept(next);
    } finally {
      state = next; // plans may already count as good for it
    }
  }

  /**
   * Adds a view to one of the system's schemas; views are made anew whenever a pool is opened. A
   * table that had its name before the view came into the world stays.
   */
  public void addView(SystemView view) {
    if (state.relation(view.schemaName(), view.name()) == null) {
      state = state.with(view);
    }
  }

  /** Lets go of the pool's memory without touching it. */
  public void abandon() {
    store.abandon();
  }

  @Override
  public void close() {
    store.close();
  }
}
