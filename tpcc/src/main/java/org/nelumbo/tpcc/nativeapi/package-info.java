/**
 * The five transactions, clauses 2.4 to 2.8, as key operations of the native API, on the tables
 * that the SQL schema and the loader made: rows whose keys are known together are read in one
 * batch, and what was read to be written is not read again. {@link
 * org.nelumbo.tpcc.nativeapi.NativeTerminals} puts them on a session. Everything here belongs to
 * one terminal and its thread.
 */
package org.nelumbo.tpcc.nativeapi;
