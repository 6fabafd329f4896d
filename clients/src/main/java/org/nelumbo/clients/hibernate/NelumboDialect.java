package org.nelumbo.clients.hibernate;

import static org.hibernate.type.SqlTypes.BLOB;
import static org.hibernate.type.SqlTypes.CLOB;
import static org.hibernate.type.SqlTypes.LONG32NVARCHAR;
import static org.hibernate.type.SqlTypes.LONG32VARBINARY;
import static org.hibernate.type.SqlTypes.LONG32VARCHAR;
import static org.hibernate.type.SqlTypes.NCHAR;
import static org.hibernate.type.SqlTypes.NCLOB;
import static org.hibernate.type.SqlTypes.NVARCHAR;
import static org.hibernate.type.SqlTypes.TIMESTAMP_UTC;
import static org.hibernate.type.SqlTypes.TIMESTAMP_WITH_TIMEZONE;
import static org.hibernate.type.SqlTypes.TIME_UTC;
import static org.hibernate.type.SqlTypes.TIME_WITH_TIMEZONE;
import static org.hibernate.type.SqlTypes.UUID;

import org.hibernate.PessimisticLockException;
import org.hibernate.QueryTimeoutException;
import org.hibernate.boot.model.FunctionContributions;
import org.hibernate.boot.model.TypeContributions;
import org.hibernate.dialect.DatabaseVersion;
import org.hibernate.dialect.Dialect;
import org.hibernate.dialect.NullOrdering;
import org.hibernate.dialect.RowLockStrategy;
import org.hibernate.dialect.function.CommonFunctionFactory;
import org.hibernate.dialect.identity.IdentityColumnSupport;
import org.hibernate.dialect.lock.spi.LockingSupport;
import org.hibernate.dialect.pagination.LimitHandler;
import org.hibernate.dialect.pagination.OffsetFetchLimitHandler;
import org.hibernate.dialect.sequence.SequenceSupport;
import org.hibernate.engine.jdbc.dialect.spi.DialectResolutionInfo;
import org.hibernate.exception.spi.SQLExceptionConversionDelegate;
import org.hibernate.service.ServiceRegistry;
import org.hibernate.sql.ast.SqlAstTranslatorFactory;
import org.hibernate.tool.schema.extract.spi.SequenceInformationExtractor;
import org.hibernate.type.descriptor.jdbc.UUIDJdbcType;
import org.hibernate.type.descriptor.sql.internal.DdlTypeImpl;

/**
 * SQL dialect of this database for Hibernate ORM 7, with which it is compiled, and 6.6. The methods
 * that Hibernate 6.6 calls load no type that exists only in Hibernate 7.
 */
public class NelumboDialect extends Dialect {
  private static final DatabaseVersion FIRST = DatabaseVersion.make(0, 1);

  public NelumboDialect() {
    super(FIRST);
  }

  public NelumboDialect(DialectResolutionInfo info) {
    super(info);
  }

  @Override
  protected DatabaseVersion getMinimumSupportedVersion() {
    return FIRST;
  }

  @Override
  protected String columnType(int sqlTypeCode) {
    return switch (sqlTypeCode) {
      case NCHAR -> "char($l)";
      case NVARCHAR -> "varchar($l)";
      case CLOB, NCLOB, LONG32VARCHAR, LONG32NVARCHAR -> "varchar";
      case BLOB, LONG32VARBINARY -> "varbinary";
      case TIMESTAMP_WITH_TIMEZONE, TIMESTAMP_UTC -> "timestamp($p) with time zone";
      case TIME_WITH_TIMEZONE, TIME_UTC -> "time($p)";
      default -> super.columnType(sqlTypeCode);
    };
  }

  @Override
  public void contributeTypes(TypeContributions contributions, ServiceRegistry services) {
    super.contributeTypes(contributions, services);
    contributions
        .getTypeConfiguration()
        .getJdbcTypeRegistry()
        .addDescriptorIfAbsent(UUIDJdbcType.INSTANCE);
  }

  @Override
  protected void registerColumnTypes(TypeContributions contributions, ServiceRegistry services) {
    super.registerColumnTypes(contributions, services);
    contributions
        .getTypeConfiguration()
        .getDdlTypeRegistry()
        .addDescriptor(new DdlTypeImpl(UUID, "uuid", this));
  }

  @Override
  public void initializeFunctionRegistry(FunctionContributions contributions) {
    super.initializeFunctionRegistry(contributions);
    CommonFunctionFactory functions = new CommonFunctionFactory(contributions);
    functions.windowFunctions();
    functions.listagg(null);
    functions.trunc();
    functions.stddev();
    functions.variance();
  }

  @Override
  public SqlAstTranslatorFactory getSqlAstTranslatorFactory() {
    return SqlTranslator.factory();
  }

  @Override
  public IdentityColumnSupport getIdentityColumnSupport() {
    return GeneratedIdentity.INSTANCE;
  }

  @Override
  public SequenceSupport getSequenceSupport() {
    return Sequences.INSTANCE;
  }

  @Override
  public SequenceInformationExtractor getSequenceInformationExtractor() {
    return SequenceMetadata.INSTANCE;
  }

  /** Returns 1000, because timestamps have microseconds. */
  @Override
  public long getFractionalSecondPrecisionInNanos() {
    return 1000;
  }

  @Override
  public LimitHandler getLimitHandler() {
    return OffsetFetchLimitHandler.INSTANCE;
  }

  /**
   * Called only by Hibernate 7. Hibernate 6, which does not have this class, calls the next
   * methods.
   */
  @Override
  public LockingSupport getLockingSupport() {
    return RowLocks.support();
  }

  /** Returns false: the lock timeout is a property of the connection. */
  @Override
  @SuppressWarnings("deprecation") // not deprecated in Hibernate 6
  public boolean supportsLockTimeouts() {
    return false;
  }

  @Override
  @SuppressWarnings("deprecation") // not deprecated in Hibernate 6
  public boolean supportsNoWait() {
    return true;
  }

  @Override
  @SuppressWarnings("deprecation") // not deprecated in Hibernate 6
  public boolean supportsSkipLocked() {
    return true;
  }

  @Override
  @SuppressWarnings("deprecation") // not deprecated in Hibernate 6
  public RowLockStrategy getWriteRowLockStrategy() {
    return RowLockStrategy.TABLE;
  }

  @Override
  public String getForUpdateNowaitString() {
    return getForUpdateString() + " nowait";
  }

  @Override
  public String getForUpdateSkipLockedString() {
    return getForUpdateString() + " skip locked";
  }

  @Override
  public SQLExceptionConversionDelegate buildSQLExceptionConversionDelegate() {
    return (failure, message, sql) ->
        switch (failure.getSQLState()) {
          case "55P03" -> new PessimisticLockException(message, failure, sql);
          case "57014" -> new QueryTimeoutException(message, failure, sql);
          case null, default -> null;
        };
  }

  @Override
  public NullOrdering getNullOrdering() {
    return NullOrdering.SMALLEST;
  }

  @Override
  public boolean supportsIfExistsBeforeTableName() {
    return true;
  }

  /** Returns false, because dropping a table also drops the foreign keys that reference it. */
  @Override
  public boolean dropConstraints() {
    return false;
  }

  @Override
  public String getCascadeConstraintsString() {
    return " cascade";
  }

  @Override
  public boolean supportsWindowFunctions() {
    return true;
  }

  @Override
  public boolean supportsLateral() {
    return true;
  }

  @Override
  public boolean supportsRecursiveCTE() {
    return true;
  }

  @Override
  public boolean supportsInsertReturning() {
    return true;
  }

  @Override
  public boolean supportsUpdateReturning() {
    return true;
  }

  @Override
  public boolean supportsValuesListForInsert() {
    return true;
  }

  @Override
  public boolean supportsJdbcConnectionLobCreation(java.sql.DatabaseMetaData metadata) {
    return false;
  }
}
