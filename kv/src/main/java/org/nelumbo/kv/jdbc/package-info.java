/** ReadOne and UpdateOne in SQL, and what they share with key operations. */
package org.nelumbo.kv.jdbc;
