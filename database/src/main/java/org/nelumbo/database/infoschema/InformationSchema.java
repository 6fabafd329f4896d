package org.nelumbo.database.infoschema;

import java.util.List;
import org.nelumbo.planner.catalog.Catalog;

/** Adds the views of INFORMATION_SCHEMA to a catalog. */
public final class InformationSchema {
  private InformationSchema() {}

  /** Adds all views. */
  public static void addTo(Catalog catalog) {
    new RelationViews(catalog).register();
    new ConstraintViews(catalog).register();
    addAbsent(catalog);
  }

  /** Adds empty views of features that tools query, but that Nelumbo does not have. */
  private static void addAbsent(Catalog catalog) {
    empty(
        catalog,
        "ROUTINES",
        "SPECIFIC_CATALOG SPECIFIC_SCHEMA SPECIFIC_NAME ROUTINE_CATALOG ROUTINE_SCHEMA"
            + " ROUTINE_NAME ROUTINE_TYPE DATA_TYPE ROUTINE_BODY ROUTINE_DEFINITION EXTERNAL_NAME"
            + " EXTERNAL_LANGUAGE PARAMETER_STYLE IS_DETERMINISTIC SQL_DATA_ACCESS IS_NULL_CALL"
            + " SECURITY_TYPE REMARKS");
    empty(
        catalog,
        "PARAMETERS",
        "SPECIFIC_CATALOG SPECIFIC_SCHEMA SPECIFIC_NAME ORDINAL_POSITION# PARAMETER_MODE IS_RESULT"
            + " AS_LOCATOR PARAMETER_NAME DATA_TYPE CHARACTER_MAXIMUM_LENGTH%"
            + " CHARACTER_OCTET_LENGTH% NUMERIC_PRECISION# NUMERIC_PRECISION_RADIX# NUMERIC_SCALE#"
            + " DATETIME_PRECISION# REMARKS");
    empty(
        catalog,
        "TRIGGERS",
        "TRIGGER_CATALOG TRIGGER_SCHEMA TRIGGER_NAME EVENT_MANIPULATION EVENT_OBJECT_CATALOG"
            + " EVENT_OBJECT_SCHEMA EVENT_OBJECT_TABLE ACTION_ORDER# ACTION_CONDITION"
            + " ACTION_STATEMENT ACTION_ORIENTATION ACTION_TIMING REMARKS");
    empty(
        catalog,
        "DOMAINS",
        "DOMAIN_CATALOG DOMAIN_SCHEMA DOMAIN_NAME DATA_TYPE CHARACTER_MAXIMUM_LENGTH%"
            + " CHARACTER_OCTET_LENGTH% NUMERIC_PRECISION# NUMERIC_PRECISION_RADIX# NUMERIC_SCALE#"
            + " DATETIME_PRECISION# DOMAIN_DEFAULT REMARKS");
    String privilege = " PRIVILEGE_TYPE IS_GRANTABLE";
    String table = "GRANTOR GRANTEE TABLE_CATALOG TABLE_SCHEMA TABLE_NAME";
    empty(catalog, "TABLE_PRIVILEGES", table + privilege + " WITH_HIERARCHY");
    empty(catalog, "COLUMN_PRIVILEGES", table + " COLUMN_NAME" + privilege);
  }

  private static void empty(Catalog catalog, String name, String columns) {
    StandardView.add(catalog, name, List::of, columns);
  }
}
