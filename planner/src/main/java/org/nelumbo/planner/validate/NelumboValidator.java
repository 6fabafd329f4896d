package org.nelumbo.planner.validate;

import com.google.common.collect.ImmutableSet;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.calcite.config.NullCollation;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlIntervalLiteral;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlTableRef;
import org.apache.calcite.sql.SqlUnknownLiteral;
import org.apache.calcite.sql.SqlUnresolvedFunction;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.fun.SqlQuantifyOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeCoercionRule;
import org.apache.calcite.sql.type.SqlTypeMappingRule;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.SelectNamespace;
import org.apache.calcite.sql.validate.SqlMonotonicity;
import org.apache.calcite.sql.validate.SqlValidatorImpl;
import org.apache.calcite.sql.validate.SqlValidatorNamespace;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.apache.calcite.sql.validate.SqlValidatorTable;
import org.apache.calcite.util.Static;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.executor.limit.StatementLimits;
import org.nelumbo.parser.ast.BitOperators;
import org.nelumbo.parser.ast.PatternList;
import org.nelumbo.parser.ast.SubQueryLocks;
import org.nelumbo.parser.ast.ZoneOperator;
import org.nelumbo.parser.dialect.NelumboConformance;
import org.nelumbo.planner.function.AddedFunctions;
import org.nelumbo.planner.function.CoalesceFunction;
import org.nelumbo.planner.function.DateNames;
import org.nelumbo.planner.function.NelumboOperators;
import org.nelumbo.planner.function.NextValueFunction;
import org.nelumbo.planner.function.OperatorFunctions;
import org.nelumbo.planner.function.OrderedFunction;
import org.nelumbo.planner.function.ReplacedFunctions;
import org.nelumbo.planner.function.SeriesFunction;
import org.nelumbo.planner.literal.IntervalLiterals;
import org.nelumbo.planner.literal.ParameterizedLiteral;
import org.nelumbo.planner.schema.NelumboCatalogReader;
import org.nelumbo.planner.type.NelumboTypeFactory;
import org.nelumbo.planner.type.SqlErrors;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Decimals;
import org.nelumbo.types.Uuids;

/**
 * Calcite's validator, extended by rules for parameters and assignments. Values are converted when
 * they are stored, so that a string that is too long is an error and not truncated. Strings may be
 * stored in a column of any type if they can be parsed. A validator is used for one statement.
 */
public final class NelumboValidator extends SqlValidatorImpl {
  private static final Config CONFIG =
      Config.DEFAULT
          .withConformance(NelumboConformance.INSTANCE)
          .withTypeCoercionEnabled(true)
          .withTypeCoercionFactory(ImplicitCasts::new)
          .withIdentifierExpansion(true)
          .withDefaultNullCollation(NullCollation.LOW);

  private static final SqlTypeMappingRule CASTS = casts();

  /** Work units charged for deriving the type of one expression. */
  private static final int DERIVATION_WORK = 8;

  private final ParameterTypes parameters;

  /** Calls whose markers have types. Inferring them again would take 2^n steps for n levels. */
  private final Set<SqlNode> inferred = Collections.newSetFromMap(new IdentityHashMap<>());

  private final MarkerTypes inference;
  private final SetOperationTypes columnTypes;
  private final StatementLimits limits;

  /** The kind of the current call, the call, and its expected type. */
  private SqlKind context;

  private SqlCall caller;
  private RelDataType wanted;

  private RecursiveQueries recursive;

  private final List<SqlTableRef> lockedTables = new ArrayList<>();
  private final MergedColumns mergedColumns = new MergedColumns(this);
  private final GroupedColumns groupedColumns;

  /** Creates a validator for a text without parameters. */
  public NelumboValidator(CalciteCatalogReader reader, StatementLimits limits) {
    this(reader, new ParameterTypes(GivenTypes.NONE), limits);
  }

  /** Creates a validator for a part of a statement, whose parts share their parameters. */
  public NelumboValidator(
      CalciteCatalogReader reader, ParameterTypes parameters, StatementLimits limits) {
    super(NelumboOperators.TABLE, reader, NelumboTypeFactory.INSTANCE, CONFIG);
    this.limits = limits;
    this.parameters = parameters;
    this.inference = new MarkerTypes(this);
    this.groupedColumns = new GroupedColumns(reader);
    this.columnTypes = new SetOperationTypes(this, inference, parameters);
  }

  public void setRecursive(RecursiveQueries queries) {
    recursive = queries;
  }

  /** Returns the tables of subqueries whose rows are locked, see {@link SubQueryLocks}. */
  public List<SqlTableRef> lockedTables() {
    return lockedTables;
  }

  @Override
  protected void validateFrom(SqlNode from, RelDataType target, SqlValidatorScope scope) {
    super.validateFrom(from, target, scope);
    if (SubQueryLocks.isLocked(from) && !lockedTables.contains(from)) {
      lockedTables.add((SqlTableRef) from);
    }
    if (scope.getNode() instanceof SqlSelect select && select.getFrom() == from) {
      completeNames(select, scope);
    }
  }

  @Override
  protected void validateSelect(SqlSelect select, RelDataType target) {
    if (select.getFrom() == null) {
      completeNames(select, getFromScope(select));
    }
    super.validateSelect(select, target);
  }

  private void completeNames(SqlSelect select, SqlValidatorScope scope) {
    mergedColumns.replaceIn(select, scope);
    groupedColumns.complete(select);
  }

  /** Validates the sides first: the meaning of USING and NATURAL depends on their columns. */
  @Override
  protected void validateJoin(SqlJoin join, SqlValidatorScope scope) {
    if (mergedColumns.isDone(join)) {
      return;
    }
    SqlValidatorScope joinScope = getJoinScope(join);
    validateFrom(join.getLeft(), unknownType, joinScope);
    mergedColumns.noteLeft(join, joinScope);
    validateFrom(join.getRight(), unknownType, joinScope);
    mergedColumns.merge(join, joinScope);
    super.validateJoin(join, scope);
  }

  @Override
  public RelDataType deriveType(SqlValidatorScope scope, SqlNode expression) {
    limits.work(DERIVATION_WORK);
    if (expression instanceof ParameterizedLiteral literal) {
      RelDataType type = literal.type(typeFactory);
      setValidatedNodeType(literal, type);
      parameters.record(literal, type);
      return type;
    } else if (expression instanceof SqlDynamicParam parameter) {
      RelDataType given = parameters.given(typeFactory, parameter.getIndex());
      if (given != null) {
        setValidatedNodeType(parameter, given);
        return given;
      }
    }
    return super.deriveType(scope, expression);
  }

  @Override
  protected SqlNode performUnconditionalRewrites(SqlNode written, boolean underFrom) {
    SqlNode node = AliasCall.of(written);
    if (node instanceof SqlSelect select) {
      NamedWindows.replaceIn(select);
      if (isDual(select.getFrom())) {
        select.setFrom(null);
      }
      SeriesFunction.moveToFrom(select);
    } else if (node instanceof SqlWith with) {
      checkNames(with);
    }
    if (node instanceof SqlIdentifier name && drawsNumber(name)) {
      return NextValueFunction.ofName(name);
    }
    if (node != null && node.getKind() == SqlKind.CURRENT_VALUE) {
      return performUnconditionalRewrites(
          NextValueFunction.ofCurrentValue((SqlCall) node), underFrom);
    }
    if (node != null && node.getKind() == SqlKind.NEXT_VALUE) {
      return NextValueFunction.ofNextValue((SqlCall) node);
    }
    if (node instanceof SqlIntervalLiteral literal && IntervalLiterals.isFine(literal)) {
      return IntervalLiterals.ofText(literal);
    } else if (node instanceof SqlUnknownLiteral literal) {
      if (isInstant(literal)) {
        return instant(literal);
      } else if (literal.tag.equals(SqlTypeName.UUID.getName())) {
        UUID value = Uuids.parse(literal.getValueAs(String.class));
        return SqlLiteral.createUuid(value, literal.getParserPosition());
      }
    }
    SqlNode named = node == null || !underFrom ? null : NamedRows.replacement(node);
    if (named != null) {
      return super.performUnconditionalRewrites(named, true);
    }
    SqlNode ofWord = node == null ? null : DateNames.replacement(node);
    if (ofWord != null) {
      return super.performUnconditionalRewrites(ofWord, underFrom);
    }
    if (node instanceof SqlBasicCall call) {
      SqlNode ofPatterns = PatternList.comparison(call);
      if (ofPatterns != null) {
        return super.performUnconditionalRewrites(ofPatterns, underFrom);
      }
      if (CoalesceFunction.isMeantBy(call.getOperator())) {
        if (call.operandCount() == 0) {
          throw newValidationError(call, Static.RESOURCE.invalidArgCount("COALESCE", 1));
        }
        call.setOperator(CoalesceFunction.INSTANCE);
      } else if (call.getOperator().equals(SqlLibraryOperators.INFIX_CAST)) {
        call.setOperator(SqlStdOperatorTable.CAST);
      }
      SqlNode rank = HypotheticalRank.replacement(call);
      if (rank != null) {
        return performUnconditionalRewrites(rank, underFrom);
      } else if (IntervalLiterals.isBareCast(call)) {
        return performUnconditionalRewrites(IntervalLiterals.ofBareCast(call), underFrom);
      } else if (call.getOperator().equals(ZoneOperator.INSTANCE)) {
        SqlNode replacement =
            AddedFunctions.AT_ZONE.createCall(
                call.getParserPosition(), call.operand(1), call.operand(0));
        return performUnconditionalRewrites(replacement, underFrom);
      } else if (call.getOperator().getKind() == SqlKind.OTHER_FUNCTION
          && call.getOperator().getName().equalsIgnoreCase("ROUND")) {
        call.setOperator(AddedFunctions.ROUND);
      } else if (call.getOperator().getName().equalsIgnoreCase("TRUNCATE")) {
        call.setOperator(AddedFunctions.TRUNCATE);
      } else if (call.getKind() == SqlKind.OVER && call.operand(0).getKind() == SqlKind.FILTER) {
        call.setOperand(0, FilteredAggregate.withoutFilter(call.operand(0)));
      } else if (OperatorFunctions.isReplaced(call.getOperator())) {
        return performUnconditionalRewrites(OperatorFunctions.call(call), underFrom);
      } else if (call.getKind() == SqlKind.ROLLUP || call.getKind() == SqlKind.CUBE) {
        SqlNode sets = RepeatedSets.replacement(call);
        if (sets != null) {
          return super.performUnconditionalRewrites(sets, underFrom);
        }
      } else if (RowComparison.isRowComparison(call)) {
        return performUnconditionalRewrites(RowComparison.of(call), underFrom);
      } else if (call.getOperator() instanceof SqlQuantifyOperator) {
        spreadArray(call);
      } else if (call.getKind() == SqlKind.WITHIN_GROUP) {
        SqlNode replacement = OrderedFunction.replacement(call);
        if (replacement != null) {
          return super.performUnconditionalRewrites(replacement, underFrom);
        }
      } else if (isOfCatalog(call.getOperator())) {
        return performUnconditionalRewrites(withoutSchema(call), underFrom);
      } else if (call.getOperator() instanceof SqlFunction
          || call.getOperator().equals(BitOperators.DIV)) {
        checkCount(call);
        SqlNode replacement = ReplacedFunctions.replacement(call);
        if (replacement != null) {
          return performUnconditionalRewrites(replacement, underFrom);
        }
      }
    }
    return super.performUnconditionalRewrites(node, underFrom);
  }

  /** Rewrites {@code a = ANY (ARRAY[1, 2])} as {@code a = ANY (1, 2)}. */
  private static void spreadArray(SqlBasicCall call) {
    if (call.operand(1) instanceof SqlNodeList values
        && values.size() == 1
        && values.get(0) instanceof SqlBasicCall array
        && array.getKind() == SqlKind.ARRAY_VALUE_CONSTRUCTOR
        && array.operandCount() > 0) {
      call.setOperand(1, new SqlNodeList(array.getOperandList(), array.getParserPosition()));
    }
  }

  /** Returns true if a function is qualified with PostgreSQL's system catalog, as in dumps. */
  private static boolean isOfCatalog(SqlOperator operator) {
    return operator instanceof SqlUnresolvedFunction function
        && function.getSqlIdentifier() != null
        && function.getSqlIdentifier().names.size() == 2
        && function.getSqlIdentifier().names.getFirst().equals("PG_CATALOG");
  }

  private static SqlNode withoutSchema(SqlCall call) {
    SqlParserPos pos = call.getParserPosition();
    return new SqlUnresolvedFunction(
            new SqlIdentifier(call.getOperator().getName(), pos),
            null,
            null,
            null,
            null,
            SqlFunctionCategory.USER_DEFINED_FUNCTION)
        .createCall(call.getFunctionQuantifier(), pos, call.getOperandList());
  }

  private boolean drawsNumber(SqlIdentifier name) {
    return NextValueFunction.isNamed(name)
        && getCatalogReader() instanceof NelumboCatalogReader reader
        && reader.isSequence(name.skipLast(1).names);
  }

  private boolean isDual(SqlNode from) {
    return from instanceof SqlIdentifier name
        && name.isSimple()
        && name.getSimple().equals("DUAL")
        && getCatalogReader().getTable(name.names) == null;
  }

  private static void checkNames(SqlWith with) {
    Set<String> names = new HashSet<>();
    for (SqlNode each : with.withList) {
      SqlIdentifier name = ((SqlWithItem) each).name;
      if (!names.add(name.getSimple())) {
        throw SqlErrors.at(
            ErrorCode.INVALID_STATEMENT,
            "WITH gives the name " + name + " twice",
            name.getParserPosition());
      }
    }
  }

  /**
   * Calcite would count the rows in which none of the values is NULL, which other databases do not
   * support.
   */
  private static void checkCount(SqlCall call) {
    boolean isCount = call.getOperator().getName().equalsIgnoreCase("COUNT");
    if (isCount && call.operandCount() > 1 && call.getFunctionQuantifier() == null) {
      throw SqlErrors.at(
          ErrorCode.INVALID_STATEMENT, "COUNT takes one argument", call.getParserPosition());
    }
  }

  @Override
  protected void registerNamespace(
      SqlValidatorScope usingScope, String alias, SqlValidatorNamespace ns, boolean forceNullable) {
    super.registerNamespace(usingScope, alias, AliasCall.named(this, ns), forceNullable);
  }

  @Override
  public void validateWithItem(SqlWithItem item) {
    if (item.columnList != null) {
      AliasCall.complete(item.columnList, getNamespace(item.query).getRowType());
    }
    super.validateWithItem(item);
  }

  private static boolean isInstant(SqlUnknownLiteral literal) {
    return literal.tag.startsWith("TIMESTAMP WITH");
  }

  /**
   * The text is parsed when the statement runs because it may depend on the session's time zone.
   */
  private static SqlNode instant(SqlUnknownLiteral literal) {
    SqlParserPos position = literal.getParserPosition();
    SqlBasicTypeNameSpec type =
        new SqlBasicTypeNameSpec(SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE, 6, position);
    return SqlStdOperatorTable.CAST.createCall(
        position,
        SqlLiteral.createCharString(literal.getValueAs(String.class), position),
        new SqlDataTypeSpec(type, position));
  }

  /**
   * Treats no column as monotonic: monotonicity is not used, and computing it takes 2^n steps for n
   * nested queries.
   */
  @Override
  protected SelectNamespace createSelectNamespace(SqlSelect select, SqlNode enclosing) {
    return new SelectNamespace(this, select, enclosing) {
      @Override
      public SqlMonotonicity getMonotonicity(String column) {
        return SqlMonotonicity.NOT_MONOTONIC;
      }
    };
  }

  /** Accepts numbers with more digits than DECIMAL has as NUMERIC. */
  @Override
  public void validateLiteral(SqlLiteral literal) {
    BigDecimal number =
        literal.getTypeName() == SqlTypeName.DECIMAL ? literal.bigDecimalValue() : null;
    boolean isNumeric =
        number != null
            && Math.max(number.precision(), number.scale()) > ColumnType.MAX_DECIMAL_PRECISION
            && Decimals.fitsNumeric(number)
            && number.scale() <= Decimals.NUMERIC_DIGITS;
    if (!isNumeric) {
      super.validateLiteral(literal);
    }
  }

  ParameterTypes parameters() {
    return parameters;
  }

  @Override
  public SqlTypeMappingRule getTypeMappingRule() {
    return CASTS;
  }

  /** Returns the permitted casts: those of the standard, and from booleans to integers. */
  private static SqlTypeMappingRule casts() {
    Map<SqlTypeName, ImmutableSet<SqlTypeName>> casts =
        new HashMap<>(SqlTypeCoercionRule.instance().getTypeMapping());
    for (SqlTypeName number : SqlTypeName.INT_TYPES) {
      Set<SqlTypeName> from = new HashSet<>(casts.get(number));
      from.add(SqlTypeName.BOOLEAN);
      casts.put(number, ImmutableSet.copyOf(from));
    }
    return SqlTypeCoercionRule.instance(casts);
  }

  @Override
  public SqlNode validate(SqlNode topNode) {
    groupedColumns.prepare(topNode);
    DerivedColumnNames.give(topNode);
    OuterAggregates.split(topNode, (CalciteCatalogReader) getCatalogReader());
    return super.validate(topNode);
  }

  /** Infers the types of markers in a query independently of the call that contains the query. */
  @Override
  protected void validateNamespace(SqlValidatorNamespace namespace, RelDataType target) {
    SqlKind outer = context;
    SqlCall outerCall = caller;
    RelDataType outerWanted = wanted;
    context = null;
    caller = null;
    wanted = null;
    try {
      if (namespace.getNode() instanceof SqlCall call
          && SqlKind.SET_QUERY.contains(call.getKind())) {
        validateSetOperation(call, namespace, target);
      } else {
        super.validateNamespace(namespace, target);
      }
    } finally {
      context = outer;
      caller = outerCall;
      wanted = outerWanted;
    }
  }

  private void validateSetOperation(
      SqlCall call, SqlValidatorNamespace namespace, RelDataType target) {
    if (!target.isStruct() && (recursive == null || !recursive.contains(call))) {
      columnTypes.infer(call);
    }
    try {
      super.validateNamespace(namespace, target);
    } catch (CalciteContextException e) {
      throw columnTypes.explained(call, e);
    }
  }

  @Override
  protected void inferUnknownTypes(
      RelDataType inferredType, SqlValidatorScope scope, SqlNode node) {
    if (node instanceof ParameterizedLiteral) {
      deriveType(scope, node);
      return;
    } else if (node instanceof SqlDynamicParam parameter) {
      inferParameter(inferredType, scope, parameter);
      return;
    } else if (node instanceof SqlNodeList list && isListOfRows(list, inferredType)) {
      for (SqlNode row : list) {
        inferUnknownTypes(inferredType, scope, row);
      }
      return;
    }
    SqlNode query = node.getKind() == SqlKind.SCALAR_QUERY ? ((SqlCall) node).operand(0) : node;
    if (query.isA(SqlKind.QUERY) && context != null) {
      columnTypes.infer(query, inferredType, context);
    }
    SqlKind outer = context;
    SqlCall outerCall = caller;
    RelDataType outerWanted = wanted;
    if (node instanceof SqlCall call && !node.isA(SqlKind.QUERY)) {
      boolean keeps =
          node.getKind() == SqlKind.ROW && ParameterTypes.isComparison(outer)
              || node.getKind() == SqlKind.AS;
      context = keeps ? outer : node.getKind();
      caller = node.getKind() == SqlKind.AS ? outerCall : call;
      wanted = inferredType;
    }
    try {
      if (context != null && node instanceof SqlCall call && inference.hasMarkers(call)) {
        if (inferred.add(call)) {
          inferOperands(inferredType, scope, call);
        }
      } else {
        super.inferUnknownTypes(inferredType, scope, node);
      }
    } finally {
      context = outer;
      caller = outerCall;
      wanted = outerWanted;
    }
  }

  /** Inner calls are first, because the type of a marker may follow from their results. */
  private void inferOperands(RelDataType inferredType, SqlValidatorScope scope, SqlCall call) {
    if (call instanceof SqlCase caseCall && caseCall.getValueOperand() == null) {
      inferCase(inferredType, scope, caseCall);
      return;
    }
    inferRow(scope, call);
    if (call instanceof SqlWindow window) {
      inferBound(scope, window, window.getLowerBound());
      inferBound(scope, window, window.getUpperBound());
    }
    for (SqlNode operand : call.getOperandList()) {
      if (operand instanceof SqlCall && inference.hasMarkers(operand)) {
        inferUnknownTypes(inference.wanted(scope, call, inferredType), scope, operand);
      }
    }
    for (SqlNode operand : MarkerTypes.operands(call)) {
      if (operand instanceof SqlDynamicParam parameter) {
        MarkerTypes.Guess guess = inference.beforeOperator(scope, call, parameter, inferredType);
        if (guess != null) {
          setParameter(guess, scope, parameter);
        }
      }
    }
    super.inferUnknownTypes(inferredType, scope, call);
  }

  private void inferRow(SqlValidatorScope scope, SqlCall call) {
    RelDataType row = inference.comparedRow(scope, call);
    if (row == null || !(call.operand(0) instanceof SqlCall left)) {
      return;
    }
    for (int i = 0; i < Math.min(left.operandCount(), row.getFieldCount()); i++) {
      if (left.operand(i) instanceof SqlDynamicParam parameter) {
        RelDataType type = row.getFieldList().get(i).getType();
        setParameter(new MarkerTypes.Guess(type, false), scope, parameter);
      }
    }
  }

  private void inferBound(SqlValidatorScope scope, SqlWindow window, SqlNode bound) {
    MarkerTypes.Guess guess = inference.bound(scope, window, bound);
    if (guess != null) {
      setParameter(guess, scope, ((SqlCall) bound).operand(0));
    }
  }

  private void inferCase(RelDataType inferredType, SqlValidatorScope scope, SqlCase call) {
    for (SqlNode condition : call.getWhenOperands()) {
      inferUnknownTypes(typeFactory.createSqlType(SqlTypeName.BOOLEAN), scope, condition);
    }
    List<SqlNode> results = new ArrayList<>(call.getThenOperands().getList());
    results.add(call.getElseOperand());
    for (SqlNode result : results) {
      if (result instanceof SqlCall && inference.hasMarkers(result)) {
        inferUnknownTypes(inferredType, scope, result);
      }
    }
    MarkerTypes.Guess guess = inference.ofCase(scope, call, inferredType);
    for (SqlNode result : results) {
      if (result instanceof SqlDynamicParam parameter) {
        setParameter(guess, scope, parameter);
      }
    }
    super.inferUnknownTypes(inferredType, scope, call);
  }

  /**
   * Returns true for the right side of {@code (a, b) IN ((?, ?), (?, ?))}, where each element is a
   * row of that type.
   */
  private static boolean isListOfRows(SqlNodeList list, RelDataType type) {
    return type.isStruct() && list.stream().allMatch(each -> each.getKind() == SqlKind.ROW);
  }

  /** Infers markers in expressions of ORDER BY, which Calcite does not do. */
  @Override
  protected void validateOrderList(SqlSelect select) {
    SqlNodeList items = select.getOrderList();
    if (items != null) {
      for (SqlNode item : items) {
        if (inference.hasMarkers(item)) {
          inferUnknownTypes(unknownType, getOrderScope(select), item);
        }
      }
    }
    super.validateOrderList(select);
  }

  /**
   * Gives the markers of one column of VALUES a common type: that of the other rows, or of their
   * values.
   */
  @Override
  protected void validateValues(
      SqlCall values, RelDataType targetRowType, SqlValidatorScope scope) {
    if (!targetRowType.isStruct()
        && values.getOperandList().stream().anyMatch(inference::hasMarkers)) {
      for (int column = 0; MarkerTypes.hasColumn(values, column); column++) {
        inferColumn(MarkerTypes.column(values, column), scope);
      }
    }
    super.validateValues(values, targetRowType, scope);
  }

  private void inferColumn(List<SqlNode> column, SqlValidatorScope scope) {
    MarkerTypes.Guess guess = inference.ofColumn(scope, column);
    for (SqlNode value : column) {
      if (value instanceof SqlDynamicParam parameter && !(value instanceof ParameterizedLiteral)) {
        setParameter(guess, scope, parameter);
      }
    }
  }

  private void inferParameter(
      RelDataType inferredType, SqlValidatorScope scope, SqlDynamicParam parameter) {
    boolean known = MarkerTypes.isKnown(inferredType);
    setParameter(
        known
            ? new MarkerTypes.Guess(inferredType, false)
            : inference.otherwise(
                scope, caller, parameter, caller == null || wanted == null ? unknownType : wanted),
        scope,
        parameter);
  }

  /** A type that was recorded before is kept. */
  private void setParameter(
      MarkerTypes.Guess guess, SqlValidatorScope scope, SqlDynamicParam parameter) {
    int index = parameter.getIndex();
    RelDataType type = parameters.given(typeFactory, index);
    if (type != null) {
      parameters.record(index, type, false, true);
    } else {
      if (!parameters.isRecorded(index)) {
        boolean assignment = (context == null || context == SqlKind.ROW) && !guess.open();
        parameters.record(
            index,
            ParameterTypes.widen(typeFactory, guess.type(), context),
            assignment,
            guess.open());
      }
      type = parameters.recorded(typeFactory, index);
    }
    super.inferUnknownTypes(type, scope, parameter);
  }

  @Override
  protected void checkTypeAssignment(
      SqlValidatorScope sourceScope,
      SqlValidatorTable table,
      RelDataType sourceRowType,
      RelDataType targetRowType,
      SqlNode query) {
    List<RelDataTypeField> targets = targetRowType.getFieldList();
    List<RelDataTypeField> sources = sourceRowType.getFieldList();
    int offset = sources.size() - targets.size();
    for (int i = 0; i < targets.size(); i++) {
      RelDataType target = targets.get(i).getType();
      RelDataTypeField source = sources.get(i + Math.max(0, offset));
      if (!isAssignable(target, source.getType())) {
        throw newValidationError(
            query,
            Static.RESOURCE.typeNotAssignable(
                targets.get(i).getName(),
                target.toString(),
                source.getName(),
                source.getType().toString()));
      }
    }
  }

  /** Rejects a query whose columns cannot be stored in the target columns. */
  void checkAssignable(SqlSelect query, RelDataType targets) {
    List<RelDataTypeField> sources = getValidatedNodeType(query).getFieldList();
    for (int i = 0; i < sources.size(); i++) {
      RelDataType target = targets.getFieldList().get(i).getType();
      RelDataType source = sources.get(i).getType();
      if (!isAssignable(target, source)) {
        throw SqlErrors.at(
            ErrorCode.TYPE_MISMATCH,
            "a value of type " + source + " cannot be stored in a column of type " + target,
            query.getParserPosition());
      }
    }
  }

  /** Returns true if values of one type can be stored in a column of another. */
  public static boolean isAssignable(RelDataType target, RelDataType source) {
    SqlTypeName from = source.getSqlTypeName();
    if (from == SqlTypeName.NULL || from == SqlTypeName.ANY || from == SqlTypeName.UNKNOWN) {
      return true;
    }
    if (SqlTypeUtil.inCharFamily(source) || SqlTypeUtil.inCharFamily(target)) {
      return !SqlTypeUtil.isBinary(source);
    }
    if (SqlTypeUtil.isNumeric(target)) {
      return SqlTypeUtil.isNumeric(source);
    }
    if (SqlTypeUtil.isBinary(target)) {
      return SqlTypeUtil.isBinary(source);
    }
    if (SqlTypeUtil.isBoolean(target)) {
      return SqlTypeUtil.isBoolean(source);
    }
    if (target.getSqlTypeName() == SqlTypeName.UUID) {
      return from == SqlTypeName.UUID;
    }
    if (SqlTypeUtil.isInterval(target)) {
      return SqlTypeUtil.isInterval(source) && target.getFamily().equals(source.getFamily());
    }
    return SqlTypeUtil.isDatetime(target)
        && SqlTypeUtil.isDatetime(source)
        && (target.getSqlTypeName() == SqlTypeName.TIME) == (from == SqlTypeName.TIME);
  }
}
