/**
 * The views of schema SYS, and the statistics that are read from the same places.
 *
 * <p>{@link org.nelumbo.database.sysviews.SystemViews#addAll} puts them into the catalogue when a
 * database is opened. A view is a supplier of rows that is asked each time a query opens it: rows
 * are made for that query and shared with nobody. Their columns are promises to users.
 *
 * <p>Views look at sessions, caches and the fabric while these go on working. Each value is one
 * that was there, but two values need not be of the same moment. Only SYS.MEMORY takes a lock, the
 * catalogue's change lock, since it walks tables that must not be dropped meanwhile; it refuses
 * with 55P03 rather than wait for a schema change.
 */
package org.nelumbo.database.sysviews;
