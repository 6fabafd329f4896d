package org.nelumbo.sqlgen;

/** A column of a generated table. */
record Column(String name, DataType type, boolean nullable) {}
