/**
 * The five transactions, clauses 2.4 to 2.8, as key operations of the native API, on the tables
 * that the SQL schema and the loader have created. Rows whose keys are known at the same time are
 * read in one batch, and rows that were read for update are not read again. {@link
 * org.nelumbo.tpcc.nativeapi.NativeTerminals} creates the transactions on a session. Everything in
 * this package belongs to one terminal and its thread.
 */
package org.nelumbo.tpcc.nativeapi;
