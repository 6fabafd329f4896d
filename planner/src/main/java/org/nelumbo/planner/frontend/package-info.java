/**
 * SQL text to a relational tree, with Apache Calcite: our type system, the catalogue as Calcite
 * sees it, validation, and the rules that turn Calcite's messages into ours. Entry: {@link
 * org.nelumbo.planner.frontend.SqlFrontEnd}. Knows nothing of how a tree is run.
 */
package org.nelumbo.planner.frontend;
