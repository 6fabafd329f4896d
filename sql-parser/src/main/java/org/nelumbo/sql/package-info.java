/**
 * SQL text to syntax trees and back.
 *
 * <p>{@link org.nelumbo.sql.SqlParsing} is the way in; what it cannot read it refuses with a {@link
 * org.nelumbo.sql.SqlSyntaxException} that names the place. {@link org.nelumbo.sql.StatementKind}
 * sorts statements without looking into them. The planner is the caller; this package knows no
 * catalog, so names and types are checked there.
 */
package org.nelumbo.sql;
