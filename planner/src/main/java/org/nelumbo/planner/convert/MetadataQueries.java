package org.nelumbo.planner.convert;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.calcite.plan.RelOptPredicateList;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.metadata.BuiltInMetadata;
import org.apache.calcite.rel.metadata.DefaultRelMetadataProvider;
import org.apache.calcite.rel.metadata.MetadataDef;
import org.apache.calcite.rel.metadata.MetadataHandler;
import org.apache.calcite.rel.metadata.MetadataHandlerProvider;
import org.apache.calcite.rel.metadata.ProxyingMetadataHandlerProvider;
import org.apache.calcite.rel.metadata.RelMetadataQuery;

/**
 * Calcite's metadata queries without generated code. The default provider compiles a class for each
 * kind of metadata, which makes the first statement slow.
 */
public final class MetadataQueries {
  private static final MetadataHandlerProvider PROVIDER = new CachingProvider();

  private MetadataQueries() {}

  public static RelMetadataQuery create() {
    return new RelMetadataQuery(PROVIDER);
  }

  /** The handlers are stateless, so one of each kind is enough. */
  private static final class CachingProvider implements MetadataHandlerProvider {
    private final MetadataHandlerProvider inner =
        new ProxyingMetadataHandlerProvider(DefaultRelMetadataProvider.INSTANCE);
    private final Map<Class<?>, MetadataHandler<?>> handlers = new ConcurrentHashMap<>();

    @Override
    public <H extends MetadataHandler<?>> H handler(Class<H> type) {
      MetadataHandler<?> handler = handlers.get(type);
      if (handler == null) {
        handler = inner.handler(type);
        if (handler instanceof BuiltInMetadata.Predicates.Handler predicates) {
          handler = new CautiousPredicates(predicates);
        }
        handlers.put(type, handler);
      }
      return type.cast(handler);
    }
  }

  /**
   * Returns no predicates if Calcite fails to compute them. Calcite asserts that no predicate
   * compares with NULL, but a HAVING may do so.
   */
  private record CautiousPredicates(BuiltInMetadata.Predicates.Handler inner)
      implements BuiltInMetadata.Predicates.Handler {
    @Override
    public RelOptPredicateList getPredicates(RelNode relation, RelMetadataQuery query) {
      try {
        return inner.getPredicates(relation, query);
      } catch (RuntimeException | AssertionError e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
          if (cause instanceof AssertionError) {
            return RelOptPredicateList.EMPTY;
          }
        }
        throw e;
      }
    }

    @Override
    public MetadataDef<BuiltInMetadata.Predicates> getDef() {
      return inner.getDef();
    }
  }
}
