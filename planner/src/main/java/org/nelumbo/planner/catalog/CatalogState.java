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

/** One version of the catalogue. Immutable. */
public final class CatalogState {
  /** What the standard calls a catalogue, which schemas are in; there is one. */
  public static final String DATABASE = "NELUMBO";

  /** The schema that always exists. */
  public static final String PUBLIC = "PUBLIC";

  /** The schema of the system views. */
  public static final String SYS = "SYS";

  /** The schema of the views that the SQL standard describes. */
  public static final String INFORMATION_SCHEMA = "INFORMATION_SCHEMA";

  /** The schemas of views that the system makes. */
  static final List<String> SYSTEM = List.of(SYS, INFORMATION_SCHEMA);

  private final long version;
  private final NavigableMap<String, NavigableMap<String, Relation>> schemas;
  private final Map<String, String> schemaComments;
  private final Map<Integer, TableEntry> byId;

  /** The temporary tables of the session that looks; null if there are none. */
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

  /** This state as a session with temporary tables sees it; null: as one without. */
  public CatalogState seenWith(TemporarySchema temporaryOrNull) {
    return temporaryOrNull == null ? common : new CatalogState(common, temporaryOrNull);
  }

  /** This state as sessions without temporary tables see it. */
  public CatalogState common() {
    return common;
  }

  /** The temporary tables of the session that looks; null if it has none. */
  public TemporarySchema temporary() {
    return temporary;
  }

  /** The schema of the session's temporary tables; null if it has none. */
  public String temporarySchema() {
    return temporary == null ? null : temporary.name();
  }

  /** The schemas that every database has, but for PUBLIC. */
  static CatalogState empty() {
    CatalogState empty = new CatalogState(0, new TreeMap<>(), Map.of());
    for (String schema : SYSTEM) {
      empty = empty.withSchema(schema);
    }
    return empty;
  }

  /** Whether a schema is the system's own, so that nobody may change what is in it. */
  public static boolean isSystem(String schema) {
    return SYSTEM.contains(schema);
  }

  /** A state that was read from the pool. */
  static CatalogState of(
      long version,
      NavigableMap<String, NavigableMap<String, Relation>> schemas,
      Map<String, String> schemaComments) {
    return new CatalogState(version, schemas, schemaComments);
  }

  /** Grows with every change, but those of temporary tables: one session only sees them. */
  public long version() {
    return version;
  }

  /** The schemas but for those of temporary tables. */
  public Collection<String> schemaNames() {
    return schemas.keySet().stream().filter(name -> !TemporarySchema.isTemporary(name)).toList();
  }

  /** The schemas of temporary tables of all sessions. */
  Collection<String> temporarySchemas() {
    return schemas.keySet().stream().filter(TemporarySchema::isTemporary).toList();
  }

  /** The comment of a schema; null if there is none. */
  public String schemaComment(String name) {
    return schemaComments.get(name);
  }

  /** Refuses a schema that there is not, with 3F000. */
  public void checkSchema(String name) {
    if (!hasSchema(name)) {
      throw new NelumboException(
          ErrorCode.NO_SUCH_SCHEMA,
          "Schema '" + name + "' not found; there are " + String.join(", ", schemaNames()));
    }
  }

  /** Whether there is a schema that the session may name. */
  public boolean hasSchema(String name) {
    return schemas.containsKey(name)
        && (!TemporarySchema.isTemporary(name) || name.equals(temporarySchema()));
  }

  /** The schema that has a relation of a name without schema: that of temporary tables first. */
  public String schemaOf(String name, String defaultSchema) {
    return temporary != null && relation(temporary.name(), name) != null
        ? temporary.name()
        : defaultSchema;
  }

  /** Relations of a schema in order of names; empty if there is no such schema. */
  public Collection<Relation> relations(String schema) {
    NavigableMap<String, Relation> relations = schemas.get(schema);
    return relations == null ? List.of() : relations.values();
  }

  /** A table or view by its exact names, null if there is none. */
  public Relation relation(String schema, String name) {
    NavigableMap<String, Relation> relations = schemas.get(schema);
    return relations == null ? null : relations.get(name);
  }

  /** A table by its exact names, null if there is none. */
  public TableEntry table(String schema, String name) {
    return relation(schema, name) instanceof TableEntry table ? table : null;
  }

  /** A table by its id, null if there is none. */
  public TableEntry table(int id) {
    return byId.get(id);
  }

  /** All views users have made. */
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

  /** This state under a new version, so that statements are planned anew. */
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

  CatalogState without(Relation relation) {
    return changed(relation.schemaName(), relation.name(), null);
  }

  /** A table under a new definition, perhaps a new name. */
  CatalogState replaced(TableEntry old, TableEntry table) {
    return changed(table.schemaName(), old.name(), table);
  }

  /** A view or sequence under another name. */
  CatalogState renamed(Relation old, Relation renamed) {
    return changed(renamed.schemaName(), old.name(), renamed);
  }

  /** The version after a change in a schema. */
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
