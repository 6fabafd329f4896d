/**
 * From syntax trees to validated relational trees, with Apache Calcite.
 *
 * <p>{@link org.nelumbo.planner.frontend.SqlFrontEnd#convert} is the entry: it names the columns
 * that have no name, validates the statement against one version of the catalogue, infers the types
 * of parameters, and converts the statement to a tree of {@code RelNode}s. Nothing here knows how a
 * tree is run.
 *
 * <p>The other classes are what Calcite asks for: the type system and factory, our operators and
 * functions, the catalogue as Calcite schemas and tables, defaults of columns, and metadata without
 * generated code. {@link org.nelumbo.planner.frontend.SqlErrors} turns Calcite's messages into
 * ours, with SQLState, place and advice. {@link org.nelumbo.planner.frontend.RowEstimates} says how
 * large tables are.
 *
 * <p>A {@code SqlFrontEnd} is thread-safe. It keeps the Calcite form of the catalogue version used
 * last; validators and converters are made for each statement, because validation changes trees.
 */
package org.nelumbo.planner.frontend;
