package org.nelumbo.planner.catalog;

import java.util.List;
import org.nelumbo.executor.row.Column;

/** A sequence as of one version of the catalog, with its numbers. */
public record SequenceEntry(SequenceDefinition definition, IdentitySequence numbers)
    implements Relation {
  @Override
  public String schemaName() {
    return definition.schema();
  }

  @Override
  public String name() {
    return definition.name();
  }

  @Override
  public List<Column> columns() {
    return List.of();
  }

  @Override
  public String toString() {
    return schemaName() + "." + name();
  }
}
