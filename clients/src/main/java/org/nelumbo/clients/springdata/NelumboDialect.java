package org.nelumbo.clients.springdata;

import java.sql.Timestamp;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import org.springframework.core.convert.converter.Converter;
import org.springframework.data.convert.ReadingConverter;
import org.springframework.data.jdbc.core.dialect.JdbcDialect;
import org.springframework.data.jdbc.core.dialect.JdbcPostgresDialect;
import org.springframework.data.relational.core.dialect.AbstractDialect;
import org.springframework.data.relational.core.dialect.LimitClause;
import org.springframework.data.relational.core.dialect.LockClause;
import org.springframework.data.relational.core.sql.render.UpsertRenderContext;

/** SQL dialect of this database for Spring Data JDBC. */
public final class NelumboDialect extends AbstractDialect implements JdbcDialect {
  public static final NelumboDialect INSTANCE = new NelumboDialect();

  private NelumboDialect() {}

  @Override
  public String getName() {
    return "Nelumbo";
  }

  @Override
  public LimitClause limit() {
    return Pages.INSTANCE;
  }

  @Override
  public LockClause lock() {
    return RowLocks.INSTANCE;
  }

  /** Returns the context for INSERT ... ON CONFLICT in PostgreSQL's syntax. */
  @Override
  public UpsertRenderContext getUpsertRenderContext() {
    return JdbcPostgresDialect.INSTANCE.getUpsertRenderContext();
  }

  @Override
  public Collection<Object> getConverters() {
    Collection<Object> converters = new ArrayList<>(super.getConverters());
    converters.add(OffsetReader.INSTANCE);
    return converters;
  }

  /** Reads TIMESTAMP WITH TIME ZONE in the time zone of the JVM. */
  @ReadingConverter
  enum OffsetReader implements Converter<Timestamp, OffsetDateTime> {
    INSTANCE;

    @Override
    public OffsetDateTime convert(Timestamp value) {
      return OffsetDateTime.ofInstant(value.toInstant(), ZoneId.systemDefault());
    }
  }
}
