/**
 * ReadOne and UpdateOne as key operations of the native API, on the table that the SQL schema and
 * the loader have created. Everything in this package belongs to one terminal and its thread.
 */
package org.nelumbo.kv.nativeapi;
