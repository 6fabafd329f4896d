package org.nelumbo.sqlgen;

import java.util.ArrayList;
import java.util.List;

/** A generated table as it is at present. Its key is {@code id}, if it has one. */
final class Table {
  final String name;
  final boolean keyed;
  final List<Column> columns = new ArrayList<>();
  final List<String> indexes = new ArrayList<>();
  private int number;

  Table(String name, boolean keyed) {
    this.name = name;
    this.keyed = keyed;
  }

  /** A name that nothing of this table had before. */
  String newName(String prefix) {
    number++;
    return prefix + number;
  }

  List<Column> columns(DataType type) {
    return columns.stream().filter(column -> column.type() == type).toList();
  }
}
