/**
 * From syntax trees to validated relational trees, with Apache Calcite.
 *
 * <p>{@link org.nelumbo.planner.frontend.SqlFrontEnd#convert} is the entry: it names the columns
 * that have no name, validates the statement against one version of the catalogue ({@code
 * validate}), and converts it to a tree of {@code RelNode}s ({@code convert}). Nothing here depends
 * on how a tree is run. The packages {@code type}, {@code literal}, {@code function} and {@code
 * schema} contain what Calcite asks for.
 *
 * <p>A {@code SqlFrontEnd} is thread-safe. It keeps the Calcite form of the catalogue version used
 * last; validators and converters are made for each statement, because validation changes trees.
 */
package org.nelumbo.planner.frontend;
