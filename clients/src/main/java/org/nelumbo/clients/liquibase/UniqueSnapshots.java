package org.nelumbo.clients.liquibase;

import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import liquibase.database.Database;
import liquibase.database.jvm.JdbcConnection;
import liquibase.exception.DatabaseException;
import liquibase.snapshot.CachedRow;
import liquibase.snapshot.DatabaseSnapshot;
import liquibase.snapshot.SnapshotGenerator;
import liquibase.snapshot.jvm.UniqueConstraintSnapshotGenerator;
import liquibase.structure.DatabaseObject;
import liquibase.structure.core.Relation;
import liquibase.structure.core.Schema;
import liquibase.structure.core.Table;
import liquibase.structure.core.UniqueConstraint;

/** Reads unique columns for Liquibase from the metadata of the driver. */
@SuppressWarnings({"unchecked", "rawtypes"}) // as in the classes of Liquibase
public class UniqueSnapshots extends UniqueConstraintSnapshotGenerator {
  @Override
  public int getPriority(Class<? extends DatabaseObject> objectType, Database database) {
    int priority = super.getPriority(objectType, database);
    return database instanceof NelumboDatabase && priority > PRIORITY_NONE
        ? priority + PRIORITY_DATABASE
        : PRIORITY_NONE;
  }

  @Override
  public Class<? extends SnapshotGenerator>[] replaces() {
    return new Class[] {UniqueConstraintSnapshotGenerator.class};
  }

  @Override
  protected List<CachedRow> listConstraints(Table table, DatabaseSnapshot snapshot, Schema schema)
      throws DatabaseException, SQLException {
    List<CachedRow> found = new ArrayList<>();
    for (String name : columns(table, snapshot.getDatabase()).keySet()) {
      found.add(new CachedRow(Map.of("CONSTRAINT_NAME", name, "TABLE_NAME", table.getName())));
    }
    return found;
  }

  @Override
  protected List<Map<String, ?>> listColumns(
      UniqueConstraint example, Database database, DatabaseSnapshot snapshot)
      throws DatabaseException {
    List<Map<String, ?>> found = new ArrayList<>();
    try {
      for (String column :
          columns(example.getRelation(), database).getOrDefault(example.getName(), List.of())) {
        found.add(Map.of("CONSTRAINT_NAME", example.getName(), "COLUMN_NAME", column));
      }
    } catch (SQLException e) {
      throw new DatabaseException(e);
    }
    return found;
  }

  /**
   * Returns the columns of each unique index by its name, except for the index of the primary key.
   */
  private static Map<String, List<String>> columns(Relation table, Database database)
      throws SQLException, DatabaseException {
    DatabaseMetaData metadata = ((JdbcConnection) database.getConnection()).getMetaData();
    String schema = table.getSchema() == null ? null : table.getSchema().getName();
    Map<String, List<String>> columns = new LinkedHashMap<>();
    try (ResultSet rows = metadata.getIndexInfo(null, schema, table.getName(), true, true)) {
      while (rows.next()) {
        if (rows.getString("COLUMN_NAME") != null) {
          columns
              .computeIfAbsent(rows.getString("INDEX_NAME"), name -> new ArrayList<>())
              .add(rows.getString("COLUMN_NAME"));
        }
      }
    }
    try (ResultSet rows = metadata.getPrimaryKeys(null, schema, table.getName())) {
      while (rows.next()) {
        columns.remove(rows.getString("PK_NAME"));
      }
    }
    return columns;
  }
}
