package org.nelumbo.planner.catalog;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;

/** One version of the catalog. Immutable. */
public final class CatalogState {
  /**
   * Name of the only catalog in the sense of the SQL standard, that is, of the container of all
   * schemas.
   */
  public static final String DATABASE = "NELUMBO";

  /** Name of the schema that always exists. */
  public static final String PUBLIC = "PUBLIC";

  /** Name of the schema of the system views. */
  public static final String SYS = "SYS";

  /** Name of the schema of the views that the SQL standard describes. */
  public static final String INFORMATION_SCHEMA = "INFORMATION_SCHEMA";

  /** Names of the schemas of system views. */
  static final List<String> SYSTEM = List.of(SYS, INFORMATION_SCHEMA);

  private final long version;
  private final NavigableMap<String, NavigableMap<String, Relation>> schemas;
  private final Map<String, String> schemaComments;
  private final Map<Integer, TableEntry> byId;

  private final TemporarySchema temporary;

  /** This state for sessions without temporary tables. */
  private final CatalogState common;

  private CatalogState(
      long version,
      NavigableMap<String, NavigableMap<String, Relation>> schemas,
      Map<String, String> schemaComments) {
    this.version = version;
    this.schemas = schemas;
    this.schemaComments = Map.copyOf(schemaComments);
    this.byId = new HashMap<>();
    this.temporary = null;
    this.common = this;
    for (Map<String, Relation> relations : schemas.values()) {
      for (Relation relation : relations.values()) {
        if (relation instanceof TableEntry table) {
          byId.put(table.id(), table);
        }
      }
    }
  }

  private CatalogState(CatalogState common, TemporarySchema temporary) {
    this.version = common.version;
    this.schemas = common.schemas;
    this.schemaComments = common.schemaComments;
    this.byId = common.byId;
    this.temporary = temporary;
    this.common = common;
  }

  /** Returns this state as seen by a session with temporary tables; null for a session without. */
  public CatalogState seenWith(TemporarySchema temporaryOrNull) {
    return temporaryOrNull == null ? common : new CatalogState(common, temporaryOrNull);
  }

  /** Returns this state as seen by sessions without temporary tables. */
  public CatalogState common() {
    return common;
  }

  /** Returns the temporary schema of the session that reads this state, or null if it has none. */
  public TemporarySchema temporary() {
    return temporary;
  }

  /** Returns the name of the session's temporary schema, or null if it has none. */
  public String temporarySchema() {
    return temporary == null ? null : temporary.name();
  }

  /** Returns a state with the schemas that every database has, except PUBLIC. */
  static CatalogState empty() {
    CatalogState empty = new CatalogState(0, new TreeMap<>(), Map.of());
    for (String schema : SYSTEM) {
      empty = empty.withSchema(schema);
    }
    return empty;
  }

  /** Returns true if a schema belongs to the system, so that users cannot change its contents. */
  public static boolean isSystem(String schema) {
    return SYSTEM.contains(schema);
  }

  /** Creates a state that was read from the pool. */
  static CatalogState of(
      long version,
      NavigableMap<String, NavigableMap<String, Relation>> schemas,
      Map<String, String> schemaComments) {
    return new CatalogState(version, schemas, schemaComments);
  }

  /**
   * Returns the version, which grows with every change except changes of temporary tables: these
   * are visible to one session only.
   */
  public long version() {
    return version;
  }

  /** Returns the names of all schemas except those of temporary tables. */
  public Collection<String> schemaNames() {
    return schemas.keySet().stream().filter(name -> !TemporarySchema.isTemporary(name)).toList();
  }

  /** Returns the names of the temporary schemas of all sessions. */
  Collection<String> temporarySchemas() {
    return schemas.keySet().stream().filter(TemporarySchema::isTemporary).toList();
  }

  /** Returns the comment of a schema, or null if it has none. */
  public String schemaComment(String name) {
    return schemaComments.get(name);
  }

  /** Checks that a schema exists; throws 3F000 otherwise. */
  public void checkSchema(String name) {
    if (!hasSchema(name)) {
      throw new NelumboException(
          ErrorCode.NO_SUCH_SCHEMA,
          "Schema '" + name + "' not found; there are " + String.join(", ", schemaNames()));
    }
  }

  /** Returns true if a schema exists and the session may name it. */
  public boolean hasSchema(String name) {
    return schemas.containsKey(name)
        && (!TemporarySchema.isTemporary(name) || name.equals(temporarySchema()));
  }

  /**
   * Returns the schema of a relation whose name has no schema: the temporary schema if it contains
   * the name, else the default.
   */
  public String schemaOf(String name, String defaultSchema) {
    return temporary != null && relation(temporary.name(), name) != null
        ? temporary.name()
        : defaultSchema;
  }

  /** Returns the relations of a schema in order of names; empty if the schema does not exist. */
  public Collection<Relation> relations(String schema) {
    NavigableMap<String, Relation> relations = schemas.get(schema);
    return relations == null ? List.of() : relations.values();
  }

  /** Returns true if a schema has not changed between this version and another one. */
  public boolean hasSameRelations(CatalogState other, String schema) {
    return schemas.get(schema) == other.schemas.get(schema);
  }

  /** Returns the relation with these exact names, or null if it does not exist. */
  public Relation relation(String schema, String name) {
    NavigableMap<String, Relation> relations = schemas.get(schema);
    return relations == null ? null : relations.get(name);
  }

  /** Returns the table with these exact names, or null if it does not exist. */
  public TableEntry table(String schema, String name) {
    return relation(schema, name) instanceof TableEntry table ? table : null;
  }

  /** Returns the table with this id, or null if it does not exist. */
  public TableEntry table(int id) {
    return byId.get(id);
  }

  /** Returns all views that were created by users. */
  public List<ViewEntry> views() {
    List<ViewEntry> views = new ArrayList<>();
    for (Map<String, Relation> relations : schemas.values()) {
      for (Relation relation : relations.values()) {
        if (relation instanceof ViewEntry view) {
          views.add(view);
        }
      }
    }
    return views;
  }

  public Collection<TableEntry> tables() {
    return byId.values();
  }

  /** Returns this state under a new version, which makes sessions plan their statements again. */
  CatalogState renewed() {
    return new CatalogState(version + 1, schemas, schemaComments);
  }

  CatalogState withSchema(String name) {
    NavigableMap<String, NavigableMap<String, Relation>> changed = new TreeMap<>(schemas);
    changed.put(name, new TreeMap<>());
    return new CatalogState(after(name), changed, schemaComments);
  }

  CatalogState withoutSchema(String name) {
    NavigableMap<String, NavigableMap<String, Relation>> changed = new TreeMap<>(schemas);
    changed.remove(name);
    return new CatalogState(after(name), changed, commented(name, null));
  }

  CatalogState withComment(String schema, String textOrNull) {
    return new CatalogState(version + 1, schemas, commented(schema, textOrNull));
  }

  private Map<String, String> commented(String schema, String textOrNull) {
    Map<String, String> changed = new HashMap<>(schemaComments);
    changed.remove(schema);
    if (textOrNull != null) {
      changed.put(schema, textOrNull);
    }
    return changed;
  }

  CatalogState with(Relation relation) {
    return changed(relation.schemaName(), null, relation);
  }

  /** Returns a state with new relations of schemas that exist. */
  CatalogState withAll(List<? extends Relation> relations) {
    NavigableMap<String, NavigableMap<String, Relation>> changed = new TreeMap<>(schemas);
    for (Relation relation : relations) {
      String schema = relation.schemaName();
      if (changed.get(schema) == schemas.get(schema)) {
        changed.put(schema, new TreeMap<>(schemas.get(schema)));
      }
      changed.get(schema).put(relation.name(), relation);
    }
    return new CatalogState(version + 1, changed, schemaComments);
  }

  CatalogState without(Relation relation) {
    return changed(relation.schemaName(), relation.name(), null);
  }

  /** Replaces a table by one with another definition, and possibly another name. */
  CatalogState replaced(TableEntry old, TableEntry table) {
    return changed(table.schemaName(), old.name(), table);
  }

  /** Replaces a view or sequence by one with another name. */
  CatalogState renamed(Relation old, Relation renamed) {
    return changed(renamed.schemaName(), old.name(), renamed);
  }

  private long after(String schema) {
    return TemporarySchema.isTemporary(schema) ? version : version + 1;
  }

  private CatalogState changed(String schema, String removed, Relation added) {
    NavigableMap<String, Relation> relations = new TreeMap<>(schemas.get(schema));
    if (removed != null) {
      relations.remove(removed);
    }
    if (added != null) {
      relations.put(added.name(), added);
    }
    NavigableMap<String, NavigableMap<String, Relation>> changed = new TreeMap<>(schemas);
    changed.put(schema, relations);
    return new CatalogState(after(schema), changed, schemaComments);
  }
}
