package org.nelumbo.planner.catalog;

import java.util.List;
import org.nelumbo.executor.row.Column;

/** Something with columns that SQL can name: a table or a system view. */
public sealed interface Relation permits TableEntry, SystemView {
  String schemaName();

  String name();

  /** The columns users see. */
  List<Column> columns();
}
