/**
 * The views of INFORMATION_SCHEMA, which the SQL standard defines: schemas, tables, columns,
 * constraints and sequences for tools without support for Nelumbo.
 *
 * <p>{@link org.nelumbo.database.infoschema.InformationSchema#addTo} adds them to the catalog when
 * a database is opened. Names and contents of columns follow the standard; REMARKS, the text of
 * COMMENT ON, is an additional column as in H2. Flags are YES or NO. Views of features that Nelumbo
 * does not have are empty.
 */
package org.nelumbo.database.infoschema;
