package org.nelumbo.planner.frontend;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.calcite.config.CalciteConnectionConfig;
import org.apache.calcite.config.CalciteConnectionConfigImpl;
import org.apache.calcite.config.CalciteConnectionProperty;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.prepare.Prepare.PreparingTable;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.hint.HintPredicates;
import org.apache.calcite.rel.hint.HintStrategyTable;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.util.NlsString;
import org.nelumbo.dm.env.DeepStack;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.limit.StatementLimits;
import org.nelumbo.executor.row.Column;
import org.nelumbo.parser.SqlParsing;
import org.nelumbo.parser.ast.CopyingShuttle;
import org.nelumbo.parser.ast.SubQueryLocks;
import org.nelumbo.parser.dialect.SqlText;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.TableDefinition;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.convert.ConvertedStatement;
import org.nelumbo.planner.convert.ExpansionLimit;
import org.nelumbo.planner.convert.InsertConverter;
import org.nelumbo.planner.convert.LimitedRexBuilder;
import org.nelumbo.planner.convert.MetadataQueries;
import org.nelumbo.planner.literal.TextLiterals;
import org.nelumbo.planner.plain.PlainChange;
import org.nelumbo.planner.plain.PlainInsert;
import org.nelumbo.planner.plain.PlainQuery;
import org.nelumbo.planner.plain.TableChange;
import org.nelumbo.planner.plain.TableQuery;
import org.nelumbo.planner.schema.CatalogSchemas;
import org.nelumbo.planner.schema.CatalogTable;
import org.nelumbo.planner.schema.DefaultValues;
import org.nelumbo.planner.schema.InsertLiterals;
import org.nelumbo.planner.schema.NelumboCatalogReader;
import org.nelumbo.planner.type.NelumboTypeFactory;
import org.nelumbo.planner.type.SqlErrors;
import org.nelumbo.planner.type.SqlTypes;
import org.nelumbo.planner.validate.DerivedColumnNames;
import org.nelumbo.planner.validate.GivenTypes;
import org.nelumbo.planner.validate.NelumboValidator;
import org.nelumbo.planner.validate.ParameterTypes;
import org.nelumbo.planner.validate.RecursiveQueries;
import org.nelumbo.planner.validate.RepeatableExpression;
import org.nelumbo.session.ParameterInfo;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/**
 * Validates a syntax tree against a version of the catalog and converts it to a relational tree.
 * Thread-safe: validators and converters are created per statement, and the Calcite form of the
 * catalog is cached.
 */
public final class SqlFrontEnd {
  /** Numbers with this many digits fit into all numeric types that Calcite checks literals for. */
  private static final int SIMPLE_DIGITS = 9;

  /** Loaded with the first statement that Calcite converts. */
  private static final class Conversion {
    static final SqlToRelConverter.Config CONFIG =
        SqlToRelConverter.config()
            .withTrimUnusedFields(false)
            .withRemoveSortInSubQuery(false) // the planner removes redundant sorts
            .withExpand(false)
            .withInSubQueryThreshold(Integer.MAX_VALUE)
            .withHintStrategyTable(
                HintStrategyTable.builder()
                    .hintStrategy(SubQueryLocks.HINT, HintPredicates.TABLE_SCAN)
                    .build())
            // Keep conditions and expressions as written. If parts of conditions became columns of
            // the inputs, this would shift the columns of the right input under a correlated
            // subquery; JoinPlanner handles conditions as they are. Simplification would change the
            // meaning of expressions: CAST(CAST(1 AS VARCHAR(9)) AS DATE) loses the string, (a OR
            // NULL) BETWEEN FALSE AND TRUE loses the NULL. A projection merged into the one above
            // it
            // would draw a sequence number once per use of the column.
            .withRelBuilderConfigTransform(SqlFrontEnd::plainly)
            .withCreateValuesRel(false);
  }

  /** Loaded with the first statement that Calcite validates, or that names a table. */
  private static final class Connection {
    static final CalciteConnectionConfig CONFIG = connectionConfig();
  }

  /** Calcite form of the catalog version that was used last. */
  private volatile Schemas schemas;

  private record Schemas(CatalogState state, CalciteSchema root) {}

  private static RelBuilder.Config plainly(RelBuilder.Config config) {
    return config.withPushJoinCondition(false).withSimplify(false).withBloat(-1);
  }

  private static CalciteConnectionConfig connectionConfig() {
    Properties properties = new Properties();
    properties.setProperty(CalciteConnectionProperty.CASE_SENSITIVE.camelName(), "true");
    return new CalciteConnectionConfigImpl(properties);
  }

  private CalciteSchema schemas(CatalogState state) {
    Schemas known = schemas;
    CatalogState common = state.common();
    if (known == null || known.state != common) {
      CalciteSchema root =
          known == null
              ? CatalogSchemas.of(common)
              : CatalogSchemas.of(common, known.state, known.root);
      known = new Schemas(common, root);
      schemas = known;
    }
    return state.temporarySchema() == null
        ? known.root
        : CatalogSchemas.withTemporary(known.root, state);
  }

  /**
   * Validates and converts a query or a change of rows.
   *
   * @param given types of the parameter values
   */
  public ConvertedStatement convert(
      SqlNode statement,
      CatalogState state,
      String defaultSchema,
      GivenTypes given,
      StatementLimits limits,
      PlanTimes times) {
    return parts(statement, state, defaultSchema, given, limits, times).convert(statement);
  }

  /** Returns a statement that is converted in parts; begins the stage CONVERT. */
  public StatementParts parts(
      SqlNode statement,
      CatalogState state,
      String defaultSchema,
      GivenTypes given,
      StatementLimits limits,
      PlanTimes times) {
    times.enter(PlanTimes.Stage.CONVERT);
    return new StatementParts(statement, state, defaultSchema, given, limits, times);
  }

  /** The parts of a statement, which are validated and converted one by one. */
  public final class StatementParts {
    private final CatalogState state;
    private final NelumboCatalogReader reader;
    private final StatementLimits limits;
    private final PlanTimes times;
    private final int parameterCount;
    private final ParameterTypes parameters;

    private StatementParts(
        SqlNode statement,
        CatalogState state,
        String defaultSchema,
        GivenTypes given,
        StatementLimits limits,
        PlanTimes times) {
      this.parameters = new ParameterTypes(given);
      this.state = state;
      this.reader = reader(state, defaultSchema);
      this.limits = limits;
      this.times = times;
      ExpansionLimit.check(statement);
      this.parameterCount = parameterCount(statement);
    }

    /** Returns the parameters of the whole statement that the parts so far contain. */
    public List<ParameterInfo> parameters() {
      return parameters.toList(parameterCount);
    }

    /** Converts a query on the fast path; returns null if it is too complex for that. */
    public TableQuery convertPlain(SqlNode query) {
      try {
        return PlainQuery.convert(
            query, reader, new LimitedRexBuilder(limits), parameters, parameterCount);
      } catch (RuntimeException | AssertionError | StackOverflowError e) {
        throw SqlErrors.map(e);
      }
    }

    /**
     * Converts the rows of an INSERT on the fast path; returns null if it is too complex for that.
     */
    public List<List<RexNode>> plainRows(SqlInsert insert, CatalogTable table, TableEntry entry) {
      try {
        return PlainInsert.rows(
            insert, table, entry, parameters, parameterCount, new LimitedRexBuilder(limits));
      } catch (RuntimeException | AssertionError | StackOverflowError e) {
        throw SqlErrors.map(e);
      }
    }

    /** Converts an UPDATE or DELETE; returns null if it is too complex for the fast path. */
    public TableChange convertChange(SqlNode change, CatalogTable table, TableEntry entry) {
      try {
        return PlainChange.convert(
            change,
            table,
            entry,
            reader,
            parameters,
            parameterCount,
            new LimitedRexBuilder(limits));
      } catch (RuntimeException | AssertionError | StackOverflowError e) {
        throw SqlErrors.map(e);
      }
    }

    /** Validates and converts a part with Calcite's validator and converter. */
    public ConvertedStatement convert(SqlNode part) {
      times.enter(PlanTimes.Stage.VALIDATE);
      try {
        if (part instanceof SqlInsert insert) {
          checkInsert(insert);
          CatalogTable table = table((SqlIdentifier) insert.getTargetTable());
          if (table.relation() instanceof TableEntry entry) {
            new DefaultValues(table, entry).replaceIn(insert);
          }
          InsertLiterals.convert(insert, reader);
        } else if (part instanceof SqlUpdate update) {
          CatalogTable table = table((SqlIdentifier) update.getTargetTable());
          if (table.relation() instanceof TableEntry entry) {
            new DefaultValues(table, entry).replaceIn(update);
          }
        }
        RecursiveQueries recursive = RecursiveQueries.widen(part, this::typeOf);
        NelumboValidator validator = new NelumboValidator(reader, parameters, limits);
        validator.setRecursive(recursive);
        SqlNode validated = validated(validator, part);
        recursive.check(validator::getValidatedNodeType, parameters.given());
        times.enter(PlanTimes.Stage.CONVERT);
        Expander expander =
            new Expander(cluster(newPlanner(), new LimitedRexBuilder(limits)), state, limits);
        return new ConvertedStatement(
            expander.converter(validator, reader).convertQuery(validated, false, true),
            parameters(),
            validator.getFieldOrigins(validated),
            validator.getValidatedNodeType(validated),
            validator.lockedTables(),
            expander.namesQueries);
      } catch (RuntimeException | AssertionError | StackOverflowError e) {
        throw SqlErrors.map(e);
      }
    }

    /**
     * Reports an INSERT with more values than columns, for which Calcite fails with an
     * IndexOutOfBoundsException.
     */
    private static SqlNode validated(NelumboValidator validator, SqlNode part) {
      try {
        return validator.validate(part);
      } catch (IndexOutOfBoundsException e) {
        if (part instanceof SqlInsert insert && insert.getTargetColumnList() == null) {
          throw SqlErrors.at(
              ErrorCode.INVALID_STATEMENT,
              "INSERT gives more values than the table has columns",
              insert.getSource().getParserPosition());
        }
        throw e;
      }
    }

    private RelDataType typeOf(SqlNode query, RecursiveQueries recursive) {
      try {
        NelumboValidator validator =
            new NelumboValidator(reader, new ParameterTypes(parameters.given()), limits);
        validator.setRecursive(recursive);
        return validator.getValidatedNodeType(validator.validate(query));
      } catch (RuntimeException | AssertionError e) {
        throw SqlErrors.map(e);
      }
    }

    /** Rewrites a change of a view as a change of its table. */
    public SqlNode resolved(SqlNode change) {
      return ChangedView.resolve(change, reader);
    }

    /** Rewrites the RETURNING clause of a change, which may be one of a view. */
    public SqlNodeList resolved(SqlNodeList returned, SqlNode change) {
      return ChangedView.resolve(returned, change, reader);
    }

    /** Returns the target table of a change; fails if it does not exist or is a view. */
    public CatalogTable table(SqlIdentifier name) {
      PreparingTable table = reader.getTable(name.names);
      if (table == null) {
        throw SqlErrors.at(
            ErrorCode.NO_SUCH_TABLE, "Table '" + name + "' not found", name.getParserPosition());
      }
      CatalogTable found = table.unwrap(CatalogTable.class);
      if (found == null) {
        throw SqlErrors.at(
            ErrorCode.UNSUPPORTED,
            "view " + name + " cannot be changed; change the tables it reads",
            name.getParserPosition());
      }
      return found;
    }
  }

  private static void checkInsert(SqlInsert insert) {
    if (insert.isUpsert()) {
      throw SqlErrors.at(
          ErrorCode.UNSUPPORTED,
          "UPSERT is not supported; use UPDATE, and INSERT if it changed no row",
          insert.getParserPosition());
    }
  }

  /** The work is idempotent: it runs again on a larger stack if needed. */
  private static <T> T deep(Supplier<T> work) {
    return DeepStack.call(
        () -> {
          try {
            return work.get();
          } catch (RuntimeException | AssertionError | StackOverflowError e) {
            throw SqlErrors.map(e);
          }
        });
  }

  /** Validates and converts an expression without references, such as a default. */
  public RexNode convertConstant(SqlNode expression, CatalogState state, String defaultSchema) {
    return deep(
        () -> {
          ExpansionLimit.check(expression);
          CalciteCatalogReader reader = reader(state, defaultSchema);
          NelumboValidator validator = new NelumboValidator(reader, new StatementLimits());
          SqlNode validated =
              validator.validateParameterizedExpression(expression, java.util.Map.of());
          return converter(validator, reader, state, new StatementLimits())
              .convertExpression(validated);
        });
  }

  /** Validates and converts an expression over the columns of a table, such as a CHECK. */
  public RexNode convertExpression(
      SqlNode expression, CatalogTable table, CatalogState state, String defaultSchema) {
    return deep(
        () -> {
          ExpansionLimit.check(expression);
          CalciteCatalogReader reader = reader(state, defaultSchema);
          NelumboValidator validator = new NelumboValidator(reader, new StatementLimits());
          Map<String, RelDataType> types = new HashMap<>();
          Map<String, RexNode> columns = new HashMap<>();
          RexBuilder rexBuilder = new RexBuilder(NelumboTypeFactory.INSTANCE);
          table
              .rowType()
              .getFieldList()
              .forEach(
                  field -> {
                    types.put(field.getName(), field.getType());
                    columns.put(
                        field.getName(),
                        rexBuilder.makeInputRef(field.getType(), field.getIndex()));
                  });
          SqlNode validated = validator.validateParameterizedExpression(expression, types);
          return converter(validator, reader, state, new StatementLimits())
              .convertExpression(validated, columns);
        });
  }

  /** Returns true if values of a type can be stored in a column of another. */
  public static boolean isAssignable(ColumnType column, ColumnType value) {
    return NelumboValidator.isAssignable(
        SqlTypes.toRelType(NelumboTypeFactory.INSTANCE, column),
        SqlTypes.toRelType(NelumboTypeFactory.INSTANCE, value));
  }

  /** Returns the type in a column definition. */
  public ColumnType columnType(SqlDataTypeSpec type, CatalogState state, String defaultSchema) {
    try {
      ColumnType found =
          SqlTypes.toColumnType(
              type.getTypeNameSpec() instanceof SqlBasicTypeNameSpec basic
                  ? basicType(basic)
                  : type.deriveType(
                      new NelumboValidator(reader(state, defaultSchema), new StatementLimits()),
                      true));
      if (found.kind().isCharacter() && found.precision() == 0) {
        throw SqlErrors.at(
            ErrorCode.BAD_PARAMETER,
            "a column of " + found.sqlName() + " would have the length 0; give it a length",
            type.getParserPosition());
      }
      return found;
    } catch (RuntimeException | AssertionError | StackOverflowError e) {
      NelumboException failure = SqlErrors.map(e);
      throw failure.code() == ErrorCode.NO_SUCH_COLUMN
          ? SqlErrors.at(
              ErrorCode.NO_SUCH_TYPE,
              "there is no type " + type.getTypeName() + "; use one that the guide lists",
              type.getParserPosition())
          : failure;
    }
  }

  /** Returns a type that needs no validator, whose creation loads Calcite's functions. */
  private static RelDataType basicType(SqlBasicTypeNameSpec type) {
    NelumboTypeFactory factory = NelumboTypeFactory.INSTANCE;
    SqlTypeName name = SqlTypeName.get(type.getTypeName().getSimple());
    RelDataType basic;
    if (type.getPrecision() < 0) {
      basic = factory.createSqlType(name);
    } else if (type.getScale() < 0) {
      basic = factory.createSqlType(name, type.getPrecision());
    } else {
      basic = factory.createSqlType(name, type.getPrecision(), type.getScale());
    }
    return factory.createTypeWithNullability(basic, true);
  }

  /**
   * Checks that an expression can be the default of a column: it has no references, and its value
   * can be stored.
   */
  public void checkDefault(
      SqlNode expression, ColumnType type, CatalogState state, String defaultSchema) {
    if (isSimpleDefault(expression, type)) {
      TextLiterals.check(expression, type);
      return;
    }
    SqlFrontEnd.<Void>deep(
        () -> {
          ExpansionLimit.check(expression);
          CalciteCatalogReader reader = reader(state, defaultSchema);
          NelumboValidator validator = new NelumboValidator(reader, new StatementLimits());
          SqlNode validated =
              validator.validateParameterizedExpression(expression, java.util.Map.of());
          RelDataType given = validator.getValidatedNodeType(validated);
          RelDataType wanted = SqlTypes.toRelType(NelumboTypeFactory.INSTANCE, type);
          if (!NelumboValidator.isAssignable(wanted, given)) {
            throw SqlErrors.at(
                ErrorCode.TYPE_MISMATCH,
                "a default of type "
                    + given
                    + " cannot be stored in a column of type "
                    + type.sqlName(),
                expression.getParserPosition());
          }
          TextLiterals.check(expression, type); // now, not when the first row is inserted
          return null;
        });
  }

  /** Returns true if a literal suits a column for certain, so that it needs no validator. */
  private static boolean isSimpleDefault(SqlNode expression, ColumnType type) {
    return switch (expression) {
      case SqlCharStringLiteral text -> text.getValueAs(NlsString.class).getCharsetName() == null;
      case SqlNumericLiteral number ->
          number.isInteger()
              && type.kind().isNumeric()
              && number.bigDecimalValue().precision() <= SIMPLE_DIGITS;
      case SqlLiteral literal ->
          literal.getTypeName() == SqlTypeName.BOOLEAN && type.kind() == Kind.BOOLEAN;
      default -> false;
    };
  }

  /** Checks that a text can be the CHECK condition of a table that is about to be created. */
  public void checkCondition(
      String text, TableDefinition definition, CatalogState state, String defaultSchema) {
    SqlFrontEnd.<Void>deep(
        () -> {
          Map<String, RelDataType> types = columnTypes(definition);
          NelumboValidator validator =
              new NelumboValidator(reader(state, defaultSchema), new StatementLimits());
          SqlNode condition = SqlParsing.parseExpression(text);
          ExpansionLimit.check(condition);
          SqlNode validated = validator.validateParameterizedExpression(condition, types);
          if (!SqlTypeUtil.isBoolean(validator.getValidatedNodeType(validated))) {
            throw new NelumboException(
                ErrorCode.TYPE_MISMATCH, "CHECK (" + text + ") is not a condition");
          }
          return null;
        });
  }

  /**
   * Checks that a text can be the expression of a generated column: it is deterministic for each
   * row, and its value can be stored.
   */
  public void checkGeneration(
      String text, TableDefinition definition, int column, CatalogState state) {
    SqlFrontEnd.<Void>deep(
        () -> {
          Map<String, RelDataType> types = columnTypes(definition);
          NelumboValidator validator =
              new NelumboValidator(reader(state, definition.schema()), new StatementLimits());
          SqlNode expression = SqlParsing.parseExpression(text);
          ExpansionLimit.check(expression);
          SqlNode validated = validator.validateParameterizedExpression(expression, types);
          RepeatableExpression check =
              new RepeatableExpression(validator, types.keySet(), "a generated column");
          validated.accept(check);
          ColumnType type = definition.columns().get(column).type();
          RelDataType given = validator.getValidatedNodeType(validated);
          RelDataType wanted = SqlTypes.toRelType(NelumboTypeFactory.INSTANCE, type);
          if (!NelumboValidator.isAssignable(wanted, given)) {
            throw new NelumboException(
                ErrorCode.TYPE_MISMATCH,
                "an expression of type "
                    + given
                    + " cannot be stored in generated column "
                    + definition.columns().get(column).name()
                    + " of type "
                    + type.sqlName());
          }
          check.checkStored(wanted, given, expression);
          return null;
        });
  }

  /**
   * Returns the type of an expression over the columns of a table that can be indexed, that is, has
   * one value per row.
   */
  public ColumnType repeatableType(String text, TableDefinition definition, CatalogState state) {
    return deep(
        () -> {
          Map<String, RelDataType> types = columnTypes(definition);
          NelumboValidator validator =
              new NelumboValidator(reader(state, definition.schema()), new StatementLimits());
          SqlNode expression = SqlParsing.parseExpression(text);
          ExpansionLimit.check(expression);
          RepeatableExpression check =
              new RepeatableExpression(validator, types.keySet(), "what an index is on");
          check.refuseQueries(expression);
          SqlNode validated = validator.validateParameterizedExpression(expression, types);
          validated.accept(check);
          return SqlTypes.toColumnType(validator.getValidatedNodeType(validated));
        });
  }

  private static Map<String, RelDataType> columnTypes(TableDefinition table) {
    Map<String, RelDataType> types = new HashMap<>();
    for (Column column : table.columns().subList(0, table.visibleColumns())) {
      types.put(column.name(), SqlTypes.toRelType(NelumboTypeFactory.INSTANCE, column.type()));
    }
    return types;
  }

  private NelumboCatalogReader reader(CatalogState state, String defaultSchema) {
    return new NelumboCatalogReader(schemas(state), state, defaultSchema, Connection.CONFIG);
  }

  private SqlToRelConverter converter(
      NelumboValidator validator,
      CalciteCatalogReader reader,
      CatalogState state,
      StatementLimits limits) {
    return new Expander(cluster(newPlanner(), new LimitedRexBuilder(limits)), state, limits)
        .converter(validator, reader);
  }

  private static RelOptPlanner newPlanner() {
    RelOptPlanner planner = new HepPlanner(HepProgram.builder().build());
    planner.setExecutor((rexBuilder, expressions, reduced) -> reduced.addAll(expressions));
    return planner;
  }

  private static RelOptCluster cluster(RelOptPlanner planner, RexBuilder rex) {
    RelOptCluster cluster = RelOptCluster.create(planner, rex);
    cluster.setMetadataQuerySupplier(MetadataQueries::create);
    return cluster;
  }

  private final class Expander implements RelOptTable.ViewExpander {
    private final RelOptCluster cluster;
    private final CatalogState state;
    private final StatementLimits limits;

    private boolean namesQueries;

    Expander(RelOptCluster cluster, CatalogState state, StatementLimits limits) {
      this.cluster = cluster;
      this.state = state;
      this.limits = limits;
    }

    SqlToRelConverter converter(NelumboValidator validator, CalciteCatalogReader reader) {
      return new InsertConverter(
          this, validator, reader, cluster, Conversion.CONFIG, limits, () -> namesQueries = true);
    }

    @Override
    public RelRoot expandView(
        RelDataType rowType, String text, List<String> schemaPath, List<String> viewPath) {
      limits.work(text.length());
      SqlNode query = SqlParsing.parseStatement(text, () -> limits.work(1));
      CalciteCatalogReader reader = reader(state.common(), schemaPath.getFirst());
      NelumboValidator validator = new NelumboValidator(reader, limits);
      SqlNode validated = validator.validate(query);
      return converter(validator, reader).convertQuery(validated, false, true);
    }
  }

  /** Returns the query of a view as SQL, with its stars expanded to the current columns. */
  public String viewText(SqlNode query, CatalogState state, String defaultSchema) {
    return deep(
        () -> {
          ExpansionLimit.check(query);
          if (parameterCount(query) > 0) {
            throw SqlErrors.at(
                ErrorCode.UNSUPPORTED,
                "the query of a view takes no parameters; write the values",
                query.getParserPosition());
          }
          NelumboValidator validator =
              new NelumboValidator(reader(state, defaultSchema), new StatementLimits());
          StarPinning.pin(query, validator.validate(query.accept(new CopyingShuttle())));
          return SqlText.of(query);
        });
  }

  private static int parameterCount(SqlNode statement) {
    Set<Integer> indexes = new HashSet<>();
    statement.accept(
        new SqlBasicVisitor<Void>() {
          @Override
          public Void visit(SqlDynamicParam parameter) {
            indexes.add(parameter.getIndex());
            return null;
          }
        });
    return indexes.size();
  }

  /** Returns the Calcite form of a table. */
  public static CatalogTable table(TableEntry table) {
    return new CatalogTable(table);
  }

  /** Returns the catalog table of a scan or a change. */
  public static CatalogTable table(RelOptTable table) {
    CatalogTable found = table.unwrap(CatalogTable.class);
    if (found == null) {
      throw new NelumboException(
          ErrorCode.UNSUPPORTED,
          "a recursive query may name itself in its FROM only, not in a subquery; write a join");
    }
    return found;
  }

  /** Returns the label of a query field in results. */
  public static String label(RelDataTypeField field) {
    return DerivedColumnNames.orNumbered(field.getName());
  }
}
