/**
 * Compiled statements and their validity.
 *
 * <p>{@link org.nelumbo.database.plancache.StatementCompiler} parses and plans a text. {@link
 * org.nelumbo.database.plancache.PlanCache} is the database's cache of the results, {@link
 * org.nelumbo.database.plancache.SessionPlanCache} a session's cache in front of it: preparing a
 * known text takes one lookup without a lock.
 *
 * <h2>Validity</h2>
 *
 * <p>A {@link org.nelumbo.database.plancache.CachedStatement} is valid for one version of the
 * catalog, one default schema and one isolation level. Every schema change creates a new version,
 * and a session compiles a statement of an older version again before it runs it. The session
 * checks the version when it prepares a text, and again after it has locked the metadata of the
 * statement's tables, which prevents changes of the version during the run.
 *
 * <p>Changes of table sizes create versions, too. {@link
 * org.nelumbo.database.plancache.PlanInvalidator} checks once a second for tables whose size has
 * changed by a factor of ten, and replans their statements before the new version is published. An
 * unchanged plan is confirmed and stays the same object, so that running statements are not
 * affected.
 *
 * <p>{@code PlanCache}, {@code StatementCompiler} and {@code CachedStatement} are thread-safe; a
 * {@code SessionPlanCache} belongs to the thread that is inside the session. The {@code
 * PlanInvalidator} has its own thread, and works under the catalog's change lock.
 */
package org.nelumbo.database.plancache;
