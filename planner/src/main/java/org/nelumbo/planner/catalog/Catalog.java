package org.nelumbo.planner.catalog;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.recovery.PoolRecovery;
import org.nelumbo.executor.row.IndexSchema;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.planner.catalog.TableDefinition.IdentityDefinition;
import org.nelumbo.planner.catalog.TableDefinition.IndexDefinition;
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
  private final ReentrantLock changeLock = new ReentrantLock();
  private final Map<String, Integer> schemaIds = new HashMap<>();
  private int nextId = CatalogStore.FIRST_ID;
  private volatile CatalogState state = CatalogState.empty();

  /** Guarded by the change lock. */
  private long changes;

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
  }

  /** The catalogue of a new pool: schemas PUBLIC and SYS, nothing in them. */
  public static Catalog create(Engine engine) {
    Catalog catalog = new Catalog(engine, CatalogStore.create(engine));
    catalog.state = catalog.state.withSchema(CatalogState.SYS);
    catalog.createSchema(CatalogState.PUBLIC);
    return catalog;
  }

  /**
   * Reads the catalogue of a pool back.
   *
   * @param roots what {@link #roots} gave
   * @param recovery puts each table in order before it is used: the catalogue's own, then those
   *     that it names
   */
  public static Catalog open(Engine engine, TableStore.TableRoots roots, PoolRecovery recovery) {
    Catalog catalog = new Catalog(engine, CatalogStore.open(engine, roots, recovery));
    catalog.state = catalog.state.withSchema(CatalogState.SYS);
    catalog.load(recovery);
    return catalog;
  }

  /** Where the catalogue's own table lies in the pool. */
  public TableStore.TableRoots roots() {
    return store.roots();
  }

  private void load(PoolRecovery recovery) {
    List<TableDefinition> definitions = new ArrayList<>();
    Map<Integer, Long> sequences = new HashMap<>();
    List<ViewEntry> views = new ArrayList<>();
    List<SequenceDefinition> numbered = new ArrayList<>();
    Map<Integer, String> schemaComments = new HashMap<>();
    store.load(
        (kind, id, data) -> {
          nextId = Math.max(nextId, id + 1);
          switch (kind) {
            case CatalogStore.SCHEMA -> {
              String name = new String(data, StandardCharsets.UTF_8);
              schemaIds.put(name, id);
              state = state.withSchema(name);
            }
            case CatalogStore.TABLE -> definitions.add(DefinitionCodec.decode(data));
            case CatalogStore.VIEW -> views.add(ObjectCodec.decodeView(data));
            case CatalogStore.SEQUENCE_DEFINITION -> numbered.add(ObjectCodec.decodeSequence(data));
            case CatalogStore.SCHEMA_COMMENT ->
                schemaComments.put(id, new String(data, StandardCharsets.UTF_8));
            case CatalogStore.SEQUENCE -> sequences.put(id, ByteBuffer.wrap(data).getLong());
            default ->
                throw new NelumboException(
                    ErrorCode.DATA_CORRUPTED,
                    "the catalogue of the pool has what this version of Nelumbo does not know,"
                        + " kind="
                        + kind);
          }
        });
    schemaIds.forEach((name, id) -> state = state.withComment(name, schemaComments.get(id)));
    List<TableStore> tables = new ArrayList<>();
    for (TableDefinition definition : definitions) {
      nextId = Math.max(nextId, definition.storeId() + 1);
      for (IndexDefinition index : definition.indexes()) {
        nextId = Math.max(nextId, index.schema().id() + 1);
      }
      tables.add(openStore(definition));
      recovery.tryRecover(tables.getLast());
    }
    for (int i = 0; i < tables.size(); i++) {
      TableEntry entry = newEntry(definitions.get(i), tables.get(i), sequences);
      String damage = recovery.damage().get(tables.get(i));
      if (damage != null) {
        LOG.error("table {} is damaged, and set aside: {}", entry, damage);
      }
      state = state.with(damage == null ? entry : entry.damaged(damage));
    }
    for (SequenceDefinition sequence : numbered) {
      long next = sequences.getOrDefault(sequence.id(), sequence.start());
      state = state.with(newSequence(sequence, next));
    }
    for (ViewEntry view : views) {
      state = state.with(view);
    }
  }

  private TableStore openStore(TableDefinition definition) {
    List<IndexSchema> schemas = new ArrayList<>();
    List<Long> roots = new ArrayList<>();
    for (IndexDefinition index : definition.indexes()) {
      schemas.add(index.schema());
      roots.add(index.root());
    }
    return engine
        .tables()
        .open(
            definition.toSchema(),
            new TableStore.TableRoots(definition.hashRoot(), definition.primaryRoot()),
            schemas,
            roots);
  }

  private TableEntry newEntry(
      TableDefinition definition, TableStore tableStore, Map<Integer, Long> sequences) {
    return new TableEntry(
        definition,
        tableStore,
        new MetadataLock(engine.environment()),
        newSequence(definition, sequences));
  }

  private IdentitySequence newSequence(TableDefinition definition, Map<Integer, Long> sequences) {
    IdentityDefinition identity = definition.identity();
    if (identity == null && definition.hiddenColumn() < 0) {
      return null;
    }
    long start = identity == null ? 1 : identity.start();
    long increment = identity == null ? 1 : identity.increment();
    int column = identity == null ? definition.hiddenColumn() : identity.column();
    return new IdentitySequence(
        "the identity column " + definition.name() + "." + definition.columns().get(column).name(),
        sequences.getOrDefault(definition.id(), start),
        IdentitySequence.Bounds.of(start, increment),
        end -> saveSequence(definition.id(), end));
  }

  private SequenceEntry newSequence(SequenceDefinition definition, long next) {
    IdentitySequence numbers =
        new IdentitySequence(
            ownerName(definition),
            next,
            IdentitySequence.Bounds.of(definition),
            end -> saveSequence(definition.id(), end));
    return new SequenceEntry(definition, numbers);
  }

  private void saveSequence(int table, long end) {
    store.put(CatalogStore.SEQUENCE, table, ByteBuffer.allocate(Long.BYTES).putLong(end).array());
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
    return draft == null ? state : draft.state;
  }

  /** Held during a schema change, from its first look at the catalogue to its last. */
  public ReentrantLock changeLock() {
    return changeLock;
  }

  /** An id for a table, a store or an index; the caller holds the change lock. */
  public int newId() {
    return nextId++;
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
    return newEntry(definition, tableStore, Map.of());
  }

  public void addTable(TableEntry table) {
    CatalogState next = state.with(table);
    store.put(CatalogStore.TABLE, table.id(), DefinitionCodec.encode(table.definition()));
    changed(next);
  }

  /** Forgets the numbers that rows of a table have got that is not added after all. */
  public void discardNumbers(TableEntry table) {
    store.remove(CatalogStore.SEQUENCE, table.id());
  }

  /** Gives a table another definition, perhaps another store. */
  public void replaceTable(TableEntry old, TableDefinition definition, TableStore tableStore) {
    TableEntry replacement = old.with(definition, tableStore, engine.clock().now());
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

  /** This table, able to number the rows of a hidden key that it is about to get. */
  public TableEntry numbering(TableEntry table, TableDefinition definition) {
    return table.sequence() != null ? table : table.numberedBy(newSequence(definition, Map.of()));
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
    store.remove(CatalogStore.SEQUENCE, table.id());
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
    CatalogState next = state.with(newSequence(definition, definition.start()));
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
    old.numbers().rename(ownerName(definition));
  }

  private static String ownerName(SequenceDefinition definition) {
    return "sequence " + definition.schema() + "." + definition.name();
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

  /** Adds a view to schema SYS; views are made anew whenever a pool is opened. */
  public void addView(SystemView view) {
    state = state.with(view);
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
