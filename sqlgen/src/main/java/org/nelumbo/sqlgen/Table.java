package org.nelumbo.sqlgen;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A generated table as it is at present. Its key is {@code id}, if it has one. */
final class Table {
  final String name;
  final boolean keyed;
  final List<Column> columns = new ArrayList<>();
  final List<String> indexes = new ArrayList<>();

  /** Constraints by name, and the columns that they are about. */
  final Map<String, String> constraints = new TreeMap<>();

  /** Columns of foreign keys, and the tables that they refer to. */
  final Map<String, Table> references = new HashMap<>();

  /** What becomes of the rows that refer to one that goes, by the column of the foreign key. */
  final Map<String, String> onDelete = new HashMap<>();

  /** Columns that others are computed from. */
  final Set<String> bases = new HashSet<>();

  /** Columns of unique indexes and constraints. */
  final Set<String> unique = new HashSet<>();

  /** Some of the ids that rows may have. */
  final List<Integer> ids = new ArrayList<>();

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

  /** Whether a column is part of no constraint, so that it can be dropped. */
  boolean isFree(Column column) {
    return !constraints.containsValue(column.name()) && !unique.contains(column.name());
  }
}
