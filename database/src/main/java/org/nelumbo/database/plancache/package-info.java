/**
 * Compiled statements, and how long they are good.
 *
 * <p>{@link org.nelumbo.database.plancache.StatementCompiler} parses and plans a text. {@link
 * org.nelumbo.database.plancache.PlanCache} is the database's cache of the results, {@link
 * org.nelumbo.database.plancache.SessionPlanCache} that of one session in front of it: preparing a
 * known text takes one look-up without a lock.
 *
 * <h2>Validity</h2>
 *
 * <p>A {@link org.nelumbo.database.plancache.CachedStatement} is good for one version of the
 * catalogue, one default schema and one isolation level. Every schema change makes a new version,
 * and whoever runs a statement of an older one has it compiled again. A session notices when it
 * prepares a text, and again when it has locked the metadata of the statement's tables, which keeps
 * the version from changing under the run.
 *
 * <p>Sizes of tables make versions, too: {@link org.nelumbo.database.plancache.PlanInvalidator}
 * looks once a second for tables that have become ten times as large or small, and has their
 * statements planned again before the new version is published. A plan that comes out as it was is
 * confirmed and stays the same object, so that running statements notice nothing.
 *
 * <p>{@code PlanCache}, {@code StatementCompiler} and {@code CachedStatement} are thread-safe; a
 * {@code SessionPlanCache} belongs to the thread that is inside the session. The {@code
 * PlanInvalidator} has a thread of its own, and works under the catalogue's change lock.
 */
package org.nelumbo.database.plancache;
