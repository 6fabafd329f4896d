/**
 * Conversion of syntax trees to validated relational trees, with Apache Calcite.
 *
 * <p>{@link org.nelumbo.planner.frontend.SqlFrontEnd#convert} is the entry point. It names unnamed
 * columns, validates the statement against one version of the catalog ({@code validate}), and
 * converts it to a tree of {@code RelNode}s ({@code convert}). This package does not depend on the
 * execution of a tree. The packages {@code type}, {@code literal}, {@code function} and {@code
 * schema} implement interfaces of Calcite.
 *
 * <p>A {@code SqlFrontEnd} is thread-safe. It caches the Calcite form of the catalog version that
 * was used last. Validators and converters are created per statement, because validation changes
 * trees.
 */
package org.nelumbo.planner.frontend;
