<#-- Queries with locks, EXPLAIN, INSERT with ON CONFLICT. -->

/** A query, possibly FOR UPDATE or FOR SHARE. */
SqlNode LockableQuery() :
{
    final SqlNode query;
    final LockStrength strength;
    final SqlNodeList tables;
    LockWait lockWait = LockWait.DEFAULT;
    final Span s;
}
{
    query = OrderedQueryOrExpr(ExprContext.ACCEPT_QUERY)
    [
        <FOR> { s = Span.of(query); }
        (
            <UPDATE> { strength = LockStrength.UPDATE; }
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
    ]
    { return query; }
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

/** EXPLAIN ANALYZE s, EXPLAIN s, and EXPLAIN PLAN ... FOR s with all its options. */
SqlNode ExplainStatement() :
{
    final Span s;
    final SqlNode statement;
    SqlExplainLevel level = SqlExplainLevel.EXPPLAN_ATTRIBUTES;
    SqlExplain.Depth depth = SqlExplain.Depth.PHYSICAL;
    SqlExplainFormat format = SqlExplainFormat.TEXT;
}
{
    <EXPLAIN> { s = span(); }
    (
        <ANALYZE> statement = ExplainableStatement() {
            return new ExplainAnalyze(s.end(this), statement);
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

SqlNode ExplainableStatement() :
{
    final SqlNode statement;
}
{
    (
        LOOKAHEAD( <SELECT> | <VALUES> | <WITH> | <TABLE> | <LPAREN> )
        statement = LockableQuery()
    |
        statement = InsertStatement()
    |
        statement = UpdateStatement()
    |
        statement = SqlDelete()
    |
        statement = SqlMerge()
    )
    { return statement; }
}

SqlNode InsertStatement() :
{
    final SqlInsert insert;
    final SqlIdentifier table;
    final SqlNodeList conflictColumns;
    final List<SqlNode> columns = new ArrayList<SqlNode>();
    final List<SqlNode> values = new ArrayList<SqlNode>();
    SqlNode where = null;
    SqlNode node;
    final Span s;
}
{
    (
        LOOKAHEAD( <INSERT> <INTO> CompoundTableIdentifier() <DEFAULT_> )
        <INSERT> { s = span(); } <INTO> table = CompoundTableIdentifier() <DEFAULT_> <VALUES> {
            return new InsertDefaults(s.end(this), table);
        }
    |
        node = SqlInsert() { insert = (SqlInsert) node; s = Span.of(insert); }
        [
            <ON> <CONFLICT>
            (
                conflictColumns = ParenthesizedSimpleIdentifierList()
            |
                { conflictColumns = SqlNodeList.EMPTY; }
            )
            <DO>
            (
                <NOTHING> {
                    return new InsertOnConflict(s.end(this), insert, conflictColumns, null, null, null);
                }
            |
                <UPDATE> <SET> Assignment(columns, values) ( <COMMA> Assignment(columns, values) )*
                [ where = Where() ]
                {
                    return new InsertOnConflict(s.end(this), insert, conflictColumns,
                        new SqlNodeList(columns, Span.of(columns).pos()),
                        new SqlNodeList(values, Span.of(values).pos()), where);
                }
            )
        ]
        { return insert; }
    )
}

/** As in the template, and DEFAULT as a value. */
SqlNode UpdateStatement() :
{
    final Span s;
    final SqlIdentifier table;
    SqlIdentifier alias = null;
    final List<SqlNode> columns = new ArrayList<SqlNode>();
    final List<SqlNode> values = new ArrayList<SqlNode>();
    SqlNode where = null;
}
{
    <UPDATE> { s = span(); } table = CompoundTableIdentifier()
    [ [ <AS> ] alias = SimpleIdentifier() ]
    <SET> Assignment(columns, values) ( <COMMA> Assignment(columns, values) )*
    [ where = Where() ]
    {
        return new SqlUpdate(s.end(this), table, new SqlNodeList(columns, Span.of(columns).pos()),
            new SqlNodeList(values, Span.of(values).pos()), where, null, alias);
    }
}

void Assignment(List<SqlNode> columns, List<SqlNode> values) :
{
    final SqlIdentifier column;
    final SqlNode value;
}
{
    column = CompoundIdentifier() <EQ>
    ( value = Default() | value = Expression(ExprContext.ACCEPT_SUB_QUERY) )
    { columns.add(column); values.add(value); }
}
