package org.nelumbo.clients.liquibase;

import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import liquibase.database.Database;
import liquibase.database.jvm.JdbcConnection;
import liquibase.exception.DatabaseException;
import liquibase.snapshot.DatabaseSnapshot;
import liquibase.snapshot.SnapshotGenerator;
import liquibase.snapshot.jvm.SequenceSnapshotGenerator;
import liquibase.structure.DatabaseObject;
import liquibase.structure.core.Schema;
import liquibase.structure.core.Sequence;

/** Reads sequences for Liquibase from the metadata of the driver. */
@SuppressWarnings({"unchecked", "rawtypes"}) // as in the classes of Liquibase
public class SequenceSnapshots extends SequenceSnapshotGenerator {
  private static final String INCREMENT = "INCREMENT BY ";

  @Override
  public int getPriority(Class<? extends DatabaseObject> objectType, Database database) {
    return database instanceof NelumboDatabase
        ? super.getPriority(objectType, database) + PRIORITY_DATABASE
        : PRIORITY_NONE;
  }

  @Override
  public Class<? extends SnapshotGenerator>[] replaces() {
    return new Class[] {SequenceSnapshotGenerator.class};
  }

  @Override
  protected DatabaseObject snapshotObject(DatabaseObject example, DatabaseSnapshot snapshot)
      throws DatabaseException {
    for (Sequence each : sequences(example.getSchema(), snapshot.getDatabase())) {
      if (each.getName().equalsIgnoreCase(example.getName())) {
        return each;
      }
    }
    return null;
  }

  @Override
  protected void addTo(DatabaseObject found, DatabaseSnapshot snapshot) throws DatabaseException {
    if (found instanceof Schema schema
        && snapshot.getSnapshotControl().shouldInclude(Sequence.class)) {
      sequences(schema, snapshot.getDatabase()).forEach(schema::addDatabaseObject);
    }
  }

  private static List<Sequence> sequences(Schema schema, Database database)
      throws DatabaseException {
    JdbcConnection connection = (JdbcConnection) database.getConnection();
    List<Sequence> found = new ArrayList<>();
    try (ResultSet rows =
        connection.getMetaData().getTables(null, null, "%", new String[] {"SEQUENCE"})) {
      while (rows.next()) {
        if (schema == null || rows.getString("TABLE_SCHEM").equals(schema.getName())) {
          Sequence sequence = new Sequence();
          sequence.setName(rows.getString("TABLE_NAME"));
          sequence.setSchema(schema);
          String remarks = rows.getString("REMARKS");
          if (remarks.startsWith(INCREMENT)) {
            sequence.setIncrementBy(new BigInteger(remarks.substring(INCREMENT.length())));
          }
          found.add(sequence);
        }
      }
    } catch (SQLException e) {
      throw new DatabaseException(e);
    }
    return found;
  }
}
