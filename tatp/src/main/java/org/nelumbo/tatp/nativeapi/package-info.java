/**
 * The seven transactions as key operations of our own engine, on the tables that the SQL schema and
 * the loader made. Everything belongs to one terminal and its thread.
 */
package org.nelumbo.tatp.nativeapi;
