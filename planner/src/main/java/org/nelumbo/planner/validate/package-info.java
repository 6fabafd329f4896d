/**
 * Validation of statements. {@link org.nelumbo.planner.validate.NelumboValidator} extends Calcite's
 * validator by the syntax that PostgreSQL allows, and infers types of parameters. The other classes
 * each rewrite one construct before or during validation.
 */
package org.nelumbo.planner.validate;
