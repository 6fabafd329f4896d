package org.nelumbo.clients.hibernate;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.hibernate.boot.model.naming.Identifier;
import org.hibernate.boot.model.relational.QualifiedSequenceName;
import org.hibernate.tool.schema.extract.internal.SequenceInformationImpl;
import org.hibernate.tool.schema.extract.spi.ExtractionContext;
import org.hibernate.tool.schema.extract.spi.SequenceInformation;
import org.hibernate.tool.schema.extract.spi.SequenceInformationExtractor;

/** Reads sequences and their increments from the metadata of the driver. */
final class SequenceMetadata implements SequenceInformationExtractor {
  public static final SequenceMetadata INSTANCE = new SequenceMetadata();

  private static final String INCREMENT = "INCREMENT BY ";

  private SequenceMetadata() {}

  @Override
  public Iterable<SequenceInformation> extractMetadata(ExtractionContext context)
      throws SQLException {
    List<SequenceInformation> found = new ArrayList<>();
    try (ResultSet sequences =
        context
            .getJdbcConnection()
            .getMetaData()
            .getTables(null, null, "%", new String[] {"SEQUENCE"})) {
      while (sequences.next()) {
        String remarks = sequences.getString("REMARKS");
        QualifiedSequenceName name =
            new QualifiedSequenceName(
                null,
                Identifier.toIdentifier(sequences.getString("TABLE_SCHEM")),
                Identifier.toIdentifier(sequences.getString("TABLE_NAME")));
        Number increment =
            remarks.startsWith(INCREMENT)
                ? Long.valueOf(remarks.substring(INCREMENT.length()))
                : null;
        found.add(new SequenceInformationImpl(name, null, null, null, increment));
      }
    }
    return found;
  }
}
