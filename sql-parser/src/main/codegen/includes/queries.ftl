<#-- Queries with locks, EXPLAIN, INSERT with ON CONFLICT. -->

/** A query, possibly FOR UPDATE or FOR SHARE. */
SqlNode LockableQuery() :
{
    SqlNode query;
}
{
    query = UnlockedQuery()
    [ query = LockingClause(query) ]
    { return query; }
}

/** A query that cannot be FOR UPDATE itself. */
SqlNode UnlockedQuery() :
{
    SqlNode query;
}
{
    query = QueryOrExpr(ExprContext.ACCEPT_QUERY)
    query = OrderByLimitOpt(query)
    { return query; }
}

/** FOR UPDATE or FOR SHARE behind a query. */
LockingQuery LockingClause(SqlNode query) :
{
    final LockStrength strength;
    final SqlNodeList tables;
    LockWait lockWait = LockWait.DEFAULT;
    final Span s;
}
{
    <LOCK_ROWS> { s = Span.of(query); } <IN> <SHARE> WordOf("MODE") {
        return new LockingQuery(s.end(this), query, LockStrength.SHARE, SqlNodeList.EMPTY, LockWait.DEFAULT);
    }
|
    <FOR> { s = Span.of(query); }
    (
        <UPDATE> { strength = LockStrength.UPDATE; }
    |
        <NO> <KEY> <UPDATE> { strength = LockStrength.UPDATE; }
    |
        <KEY> <SHARE> { strength = LockStrength.SHARE; }
    |
        <SHARE> { strength = LockStrength.SHARE; }
    )
    ( tables = OfTables() | { tables = SqlNodeList.EMPTY; } )
    [
        <NOWAIT> { lockWait = LockWait.NOWAIT; }
    |
        <SKIP_> <LOCKED> { lockWait = LockWait.SKIP_LOCKED; }
    ]
    { return new LockingQuery(s.end(this), query, strength, tables, lockWait); }
}

SqlNodeList OfTables() :
{
    final List<SqlNode> tables = new ArrayList<SqlNode>();
    SqlIdentifier table;
}
{
    <OF>
    table = CompoundIdentifier() { tables.add(table); }
    ( <COMMA> table = CompoundIdentifier() { tables.add(table); } )*
    { return new SqlNodeList(tables, Span.of(tables).pos()); }
}

/**
 * EXPLAIN ANALYZE s, EXPLAIN (options) s, EXPLAIN FORMAT = JSON s, EXPLAIN s, and EXPLAIN PLAN ...
 * FOR s with all its options.
 */
SqlNode ExplainStatement() :
{
    final Span s;
    final SqlNode statement;
    ExplainOptions wanted = ExplainOptions.LISTED;
    SqlIdentifier formatName;
    SqlExplainLevel level = SqlExplainLevel.EXPPLAN_ATTRIBUTES;
    SqlExplain.Depth depth = SqlExplain.Depth.PHYSICAL;
    SqlExplainFormat format = SqlExplainFormat.TEXT;
}
{
    <EXPLAIN> { s = span(); }
    (
        <ANALYZE> statement = ExplainableStatement() {
            return new Explain(s.end(this), ExplainOptions.ANALYZE, statement);
        }
    |
        LOOKAHEAD({
            getToken(1).kind == LPAREN && ExplainOptions.isOption(getToken(2).image)
        })
        <LPAREN> wanted = ExplainOption(wanted)
        ( <COMMA> wanted = ExplainOption(wanted) )* <RPAREN>
        statement = ExplainableStatement() {
            return new Explain(s.end(this), wanted, statement);
        }
    |
        <FORMAT> <EQ> formatName = SimpleIdentifier() {
            wanted = wanted.withFormat(getPos(), formatName.getSimple());
        }
        statement = ExplainableStatement() {
            return new Explain(s.end(this), wanted, statement);
        }
    |
        [
            <PLAN>
            [ level = ExplainDetailLevel() ]
            depth = ExplainDepth()
            [
                <AS>
                (
                    <XML> { format = SqlExplainFormat.XML; }
                |
                    <JSON> { format = SqlExplainFormat.JSON; }
                |
                    <DOT_FORMAT> { format = SqlExplainFormat.DOT; }
                )
            ]
            <FOR>
        ]
        statement = ExplainableStatement() {
            return new SqlExplain(s.end(this), statement, level.symbol(SqlParserPos.ZERO),
                depth.symbol(SqlParserPos.ZERO), format.symbol(SqlParserPos.ZERO), nDynamicParams);
        }
    )
}

ExplainOptions ExplainOption(ExplainOptions wanted) :
{
    final SqlIdentifier name;
    final SqlIdentifier word;
    String value = null;
}
{
    name = SimpleIdentifier()
    [
        ( <ON> | <TRUE> | <FALSE> | <UNSIGNED_INTEGER_LITERAL> ) { value = token.image; }
    |
        word = SimpleIdentifier() { value = word.getSimple(); }
    ]
    { return wanted.with(name.getParserPosition(), name.getSimple(), value); }
}

SqlNode ExplainableStatement() :
{
    final SqlNode statement;
}
{
    (
        LOOKAHEAD({ WithLookahead.isChange(getToken(1), token_source) })
        statement = WithChange()
    |
        LOOKAHEAD( <SELECT> | <VALUES> | <WITH> | <TABLE> | <LPAREN> )
        statement = LockableQuery()
    |
        statement = ChangeStatement()
    )
    { return statement; }
}

/** WITH before a change of rows. */
SqlNode WithChange() :
{
    final SqlNodeList queries;
    final SqlNode change;
}
{
    queries = WithList() change = ChangeStatement() { return CommonQueries.of(queries, change); }
}

/** INSERT, UPDATE, DELETE or MERGE, possibly with RETURNING. */
SqlNode ChangeStatement() :
{
    final SqlNode statement;
    final List<SqlNode> items = new ArrayList<SqlNode>();
    final InsertAlias alias = new InsertAlias();
}
{
    (
        LOOKAHEAD( <INSERT> <IGNORE> ) statement = IgnoringInsert()
    |
        LOOKAHEAD( <INSERT> <INTO> CompoundTableIdentifier() <SET> ) statement = SettingInsert()
    |
        statement = InsertStatement(alias)
    |
        statement = ReplaceStatement()
    |
        statement = UpdateStatement()
    |
        statement = DeleteStatement()
    |
        statement = MergeStatement()
    )
    [
        <RETURNING_ROWS> AddSelectItem(items) ( <COMMA> AddSelectItem(items) )* {
            return new Returning(Span.of(statement).end(this), statement,
                (SqlNodeList) alias.resolve(new SqlNodeList(items, Span.of(items).pos())));
        }
    ]
    { return statement; }
}

SqlNode InsertStatement(InsertAlias alias) :
{
    final SqlInsert insert;
    final SqlIdentifier table;
    SqlNodeList conflictColumns = SqlNodeList.EMPTY;
    SqlNode conflictWhere = null;
    SqlIdentifier constraint = null;
    final List<SqlNode> columns = new ArrayList<SqlNode>();
    final List<SqlNode> values = new ArrayList<SqlNode>();
    SqlNode where = null;
    SqlNode node;
    SqlIdentifier row = null;
    final Span s;
}
{
    (
        LOOKAHEAD( <INSERT> <INTO> CompoundTableIdentifier() <DEFAULT_> )
        <INSERT> { s = span(); } <INTO> table = CompoundTableIdentifier() <DEFAULT_> <VALUES> {
            return new InsertDefaults(s.end(this), table);
        }
    |
        (
            LOOKAHEAD( <INSERT> <INTO> CompoundTableIdentifier() <AS> )
            insert = AliasedInsert(alias)
        |
            node = SqlInsert() { insert = (SqlInsert) node; }
        )
        { s = Span.of(insert); }
        [
            LOOKAHEAD( [ <AS> SimpleIdentifier() ] <ON> <IDENTIFIER> )
            [ <AS> row = SimpleIdentifier() ]
            <ON> WordOf("DUPLICATE") <KEY> <UPDATE>
            Assignment(columns, values) ( <COMMA> Assignment(columns, values) )*
            {
                return Upsert.onDuplicateKey(s.end(this), insert, new SqlNodeList(columns, Span.of(columns).pos()),
                    InsertAlias.excluded(row, new SqlNodeList(values, Span.of(values).pos())));
            }
        ]
        [
            <ON> <CONFLICT>
            [
                conflictColumns = ConflictKey() [ conflictWhere = Where() ]
            |
                <ON> <CONSTRAINT> constraint = SimpleIdentifier()
            ]
            <DO>
            (
                <NOTHING> {
                    return new InsertOnConflict(s.end(this), insert, conflictColumns, conflictWhere,
                        constraint, null, null, null);
                }
            |
                <UPDATE> <SET> Assignment(columns, values) ( <COMMA> Assignment(columns, values) )*
                [ where = Where() ]
                {
                    return new InsertOnConflict(s.end(this), insert, conflictColumns, conflictWhere,
                        constraint,
                        (SqlNodeList) alias.resolve(new SqlNodeList(columns, Span.of(columns).pos())),
                        (SqlNodeList) alias.resolve(new SqlNodeList(values, Span.of(values).pos())),
                        alias.resolve(where));
                }
            )
        ]
        { return insert; }
    )
}

/** MySQL's INSERT IGNORE. */
SqlNode IgnoringInsert() :
{
    final Span s;
    final SqlInsert insert;
}
{
    <INSERT> <IGNORE> { s = span(); } [ <INTO> ] insert = InsertedRows(s) {
        return new InsertOnConflict(s.end(this), insert, SqlNodeList.EMPTY, null, null, null, null, null);
    }
}

/** MySQL's INSERT INTO t SET a = 1, b = 2. */
SqlNode SettingInsert() :
{
    final Span s;
    final SqlIdentifier table;
    final List<SqlNode> columns = new ArrayList<SqlNode>();
    final List<SqlNode> values = new ArrayList<SqlNode>();
}
{
    <INSERT> { s = span(); } <INTO> table = CompoundTableIdentifier()
    <SET> Assignment(columns, values) ( <COMMA> Assignment(columns, values) )*
    { return SyntaxChecks.insertRow(s.end(this), table, columns, values); }
}

/** MySQL's REPLACE INTO. */
SqlNode ReplaceStatement() :
{
    final Span s;
    final SqlInsert insert;
}
{
    <REPLACE> { s = span(); } <INTO> insert = InsertedRows(s) { return Upsert.replacing(s.end(this), insert); }
}

/** The table, perhaps its columns, and the rows. */
SqlInsert InsertedRows(Span s) :
{
    final SqlIdentifier table;
    SqlNodeList columns = null;
    final SqlNode source;
}
{
    table = CompoundTableIdentifier()
    [ LOOKAHEAD(2) columns = ParenthesizedSimpleIdentifierList() ]
    source = OrderedQueryOrExpr(ExprContext.ACCEPT_QUERY) {
        return new OverridingInsert(s.end(source), SqlNodeList.EMPTY, table, source, columns, null);
    }
}

/** INSERT('abcd', 2, 1, 'x') of H2 and MySQL: a text with another in place of some characters. */
SqlNode InsertedText() :
{
    final Span s;
    final SqlNode text;
    final SqlNode place;
    final SqlNode length;
    final SqlNode other;
}
{
    <INSERT> { s = span(); } <LPAREN>
    text = Expression(ExprContext.ACCEPT_SUB_QUERY) <COMMA>
    place = Expression(ExprContext.ACCEPT_SUB_QUERY) <COMMA>
    length = Expression(ExprContext.ACCEPT_SUB_QUERY) <COMMA>
    other = Expression(ExprContext.ACCEPT_SUB_QUERY) <RPAREN> {
        return SqlStdOperatorTable.OVERLAY.createCall(s.end(this), text, other, place, length);
    }
}

/** The number of TOP 10 or TOP (10). */
SqlNode TopCount() :
{
    final SqlNode count;
}
{
    <IDENTIFIER>
    ( <LPAREN> count = UnsignedNumericLiteralOrParam() <RPAREN> | count = UnsignedNumericLiteralOrParam() )
    { return count; }
}

/** The patterns of LIKE ANY (ARRAY['a%', 'b%']), or of LIKE ALL ('a%', 'b%'). */
SqlNode PatternList() :
{
    final Span s;
    boolean all = false;
    final List<SqlNode> patterns = new ArrayList<SqlNode>();
}
{
    ( <ANY> | <SOME> | <ALL> { all = true; } ) { s = span(); } <LPAREN>
    (
        LOOKAHEAD( <ARRAY> <LBRACKET> ) <ARRAY> <LBRACKET> Patterns(patterns) <RBRACKET>
    |
        Patterns(patterns)
    )
    <RPAREN> { return PatternList.of(s.end(this), all, patterns); }
}

void Patterns(List<SqlNode> patterns) :
{
    SqlNode pattern;
}
{
    pattern = Expression(ExprContext.ACCEPT_NON_QUERY) { patterns.add(pattern); }
    ( <COMMA> pattern = Expression(ExprContext.ACCEPT_NON_QUERY) { patterns.add(pattern); } )*
}

/** VALUES(a) in MySQL's ON DUPLICATE KEY UPDATE: the value that could not be inserted. */
SqlNode ValueOfColumn() :
{
    final SqlIdentifier column;
}
{
    <VALUES> <LPAREN> column = SimpleIdentifier() <RPAREN> { return Upsert.excluded(column); }
}

/** INSERT INTO t AS x: what ON CONFLICT and RETURNING call the table. */
SqlInsert AliasedInsert(InsertAlias alias) :
{
    final Span s;
    final SqlIdentifier table;
    final SqlIdentifier name;
    SqlNodeList columns = null;
    Overriding overriding = null;
    final SqlNode source;
}
{
    <INSERT> { s = span(); } <INTO> table = CompoundTableIdentifier()
    <AS> name = SimpleIdentifier() { alias.set(table, name); }
    [ LOOKAHEAD(2) columns = ParenthesizedSimpleIdentifierList() ]
    [ overriding = OverridingClause() ]
    source = OrderedQueryOrExpr(ExprContext.ACCEPT_QUERY) {
        return new OverridingInsert(
            s.end(source), SqlNodeList.EMPTY, table, source, columns, overriding);
    }
}

Overriding OverridingClause() :
{
    final Overriding overriding;
}
{
    <OVERRIDING>
    ( <SYSTEM> { overriding = Overriding.SYSTEM_VALUE; } | <USER> { overriding = Overriding.USER_VALUE; } )
    WordOf("VALUE") { return overriding; }
}

/** Columns or expressions in parentheses. */
SqlNodeList ConflictKey() :
{
    final Span s;
    final List<SqlNode> list = new ArrayList<SqlNode>();
    SqlNode key;
}
{
    <LPAREN> { s = span(); }
    key = Expression(ExprContext.ACCEPT_NON_QUERY) { list.add(key); }
    ( <COMMA> key = Expression(ExprContext.ACCEPT_NON_QUERY) { list.add(key); } )*
    <RPAREN> { return new SqlNodeList(list, s.end(this)); }
}

/** As in the template, with DEFAULT as a value, rows of columns, and FROM. */
SqlNode UpdateStatement() :
{
    final Span s;
    final SqlIdentifier table;
    SqlIdentifier alias = null;
    final List<SqlNode> columns = new ArrayList<SqlNode>();
    final List<SqlNode> values = new ArrayList<SqlNode>();
    SqlNode from = null;
    SqlNode where = null;
}
{
    <UPDATE> { s = span(); } table = CompoundTableIdentifier()
    [ [ <AS> ] alias = SimpleIdentifier() ]
    <SET> Assignment(columns, values) ( <COMMA> Assignment(columns, values) )*
    [ <FROM> from = FromClause() ]
    [ where = Where() ]
    [ where = ChosenRows(table, alias, where, from) ]
    {
        final SqlNodeList columnList = new SqlNodeList(columns, Span.of(columns).pos());
        final SqlNodeList valueList = new SqlNodeList(values, Span.of(values).pos());
        if (from != null) {
            return new UpdateFrom(s.end(this), table, alias, columnList, valueList, from, where);
        }
        return new SqlUpdate(s.end(this), table, columnList, valueList, where, null, alias);
    }
}

/** ORDER BY and LIMIT of UPDATE and DELETE; other is a table beside the one that is changed. */
SqlNode ChosenRows(SqlIdentifier table, SqlIdentifier alias, SqlNode where, SqlNode other) :
{
    final Span s;
    SqlNodeList order = SqlNodeList.EMPTY;
    final SqlNode[] count = {null, null};
}
{
    { s = Span.of(table); }
    (
        order = OrderBy(true) [ ChosenCount(count) ]
    |
        ChosenCount(count)
    )
    { return SyntaxChecks.chosenRows(s.end(this), table, alias, where, order, count[1], other); }
}

void ChosenCount(SqlNode[] count) :
{
}
{
    <LIMIT> count[1] = UnsignedNumericLiteralOrParam()
|
    FetchClause(count)
}

void Assignment(List<SqlNode> columns, List<SqlNode> values) :
{
    SqlIdentifier column;
    final SqlNode value;
    final List<SqlNode> targets = new ArrayList<SqlNode>();
    final SqlNodeList row;
}
{
    column = CompoundIdentifier() <EQ>
    ( value = Default() | value = Expression(ExprContext.ACCEPT_SUB_QUERY) )
    { columns.add(column); values.add(value); }
|
    <LPAREN> column = CompoundIdentifier() { targets.add(column); }
    ( <COMMA> column = CompoundIdentifier() { targets.add(column); } )*
    <RPAREN> <EQ> [ <ROW> ]
    row = ParenthesizedQueryOrCommaListWithDefault(ExprContext.ACCEPT_SUB_QUERY) {
        SyntaxChecks.assignRow(targets, row, columns, values);
    }
}

/** As in the template, with USING. */
SqlNode DeleteStatement() :
{
    final Span s;
    final SqlIdentifier table;
    SqlIdentifier alias = null;
    SqlNode using = null;
    SqlNode where = null;
}
{
    <DELETE> { s = span(); } <FROM> table = CompoundTableIdentifier()
    [ [ <AS> ] alias = SimpleIdentifier() ]
    [ <USING> using = FromClause() ]
    [ where = Where() ]
    [ where = ChosenRows(table, alias, where, using) ]
    {
        return using == null
            ? new SqlDelete(s.end(this), table, where, null, alias)
            : new DeleteUsing(s.end(this), table, alias, using, where);
    }
}

SqlNode MergeStatement() :
{
    final Span s;
    final SqlIdentifier table;
    SqlIdentifier alias = null;
    final SqlNode source;
    final SqlNode condition;
    final List<SqlNode> clauses = new ArrayList<SqlNode>();
    SqlNodeList columns = null;
    SqlNodeList key = null;
    final SqlNode rows;
}
{
    <MERGE> { s = span(); } <INTO> table = CompoundTableIdentifier()
    [
        LOOKAHEAD( <LPAREN> | <KEY> <LPAREN> | <VALUES> | <SELECT> )
        [ LOOKAHEAD(2) columns = ParenthesizedSimpleIdentifierList() ]
        [ <KEY> key = ParenthesizedSimpleIdentifierList() ]
        rows = OrderedQueryOrExpr(ExprContext.ACCEPT_QUERY) {
            return Upsert.merging(s.end(rows),
                new OverridingInsert(s.end(rows), SqlNodeList.EMPTY, table, rows, columns, null), key);
        }
    ]
    [ [ <AS> ] alias = SimpleIdentifier() ]
    <USING> source = TableRef()
    <ON> condition = Expression(ExprContext.ACCEPT_SUB_QUERY)
    ( MergeWhen(clauses) )+
    {
        return new MergeInto(s.end(this), table, alias, source, condition,
            new SqlNodeList(clauses, Span.of(clauses).pos()));
    }
}

void MergeWhen(List<SqlNode> clauses) :
{
    final Span s;
    boolean matched = true;
    SqlNode condition = null;
    final MergeClause.Action action;
    final List<SqlNode> columns = new ArrayList<SqlNode>();
    final List<SqlNode> values = new ArrayList<SqlNode>();
    SqlNodeList columnList = null;
    SqlNodeList valueList = null;
}
{
    <WHEN> { s = span(); } [ <NOT> { matched = false; } ] <MATCHED>
    [ <AND> condition = Expression(ExprContext.ACCEPT_SUB_QUERY) ]
    <THEN>
    (
        <UPDATE> <SET> Assignment(columns, values) ( <COMMA> Assignment(columns, values) )* {
            action = MergeClause.Action.UPDATE;
            columnList = new SqlNodeList(columns, Span.of(columns).pos());
            valueList = new SqlNodeList(values, Span.of(values).pos());
        }
    |
        <DELETE> { action = MergeClause.Action.DELETE; }
    |
        <INSERT> { action = MergeClause.Action.INSERT; }
        [ columnList = ParenthesizedSimpleIdentifierList() ]
        <VALUES> valueList = ParenthesizedQueryOrCommaListWithDefault(ExprContext.ACCEPT_SUB_QUERY)
    |
        <DO> <NOTHING> { action = MergeClause.Action.NOTHING; }
    )
    {
        SyntaxChecks.mergeAction(s.end(this), matched, action);
        clauses.add(new MergeClause(s.end(this), matched, action, condition, columnList, valueList));
    }
}
