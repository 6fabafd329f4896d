/**
 * The views of INFORMATION_SCHEMA, which the SQL standard describes: schemas, tables, columns,
 * constraints and sequences for tools that do not know Nelumbo.
 *
 * <p>{@link org.nelumbo.database.infoschema.InformationSchema#addTo} puts them into the catalogue
 * when a database is opened. Names and contents of columns are those of the standard; REMARKS, the
 * text of COMMENT ON, is added as H2 does. Flags are YES or NO. Views of what Nelumbo does not have
 * are empty.
 */
package org.nelumbo.database.infoschema;
