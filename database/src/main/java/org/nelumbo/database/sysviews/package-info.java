/**
 * The views of schema SYS, and the statistics that are read from the same sources.
 *
 * <p>{@link org.nelumbo.database.sysviews.SystemViews#addAll} adds them to the catalog when a
 * database is opened. A view is a supplier of rows, which runs each time a query opens the view;
 * the rows belong to that query. The columns are a stable interface for users.
 *
 * <p>Views read sessions, caches and the fabric while these continue to work. Each value was
 * correct at some time, but two values need not be from the same time. Only SYS.MEMORY takes a
 * lock, the catalog's change lock, because it walks tables that must not be dropped meanwhile; it
 * fails with 55P03 rather than wait for a schema change.
 */
package org.nelumbo.database.sysviews;
