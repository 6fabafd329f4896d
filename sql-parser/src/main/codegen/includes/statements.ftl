<#-- The ways in: one statement, a script, an expression; and the list of all statements. -->

/** One statement and nothing else; semicolons at the end are accepted. */
SqlNode StatementEof() :
{
    final SqlNode statement;
}
{
    statement = AnyStatement() ( <SEMICOLON> )* <EOF> { return statement; }
}

/** Statements separated by semicolons; empty ones are left out. */
List<SqlNode> ScriptEof() :
{
    final List<SqlNode> statements = new ArrayList<SqlNode>();
    SqlNode statement;
}
{
    ( <SEMICOLON> )*
    [
        statement = AnyStatement() { statements.add(statement); }
        (
            <SEMICOLON>
            [ statement = AnyStatement() { statements.add(statement); } ]
        )*
    ]
    <EOF> { return statements; }
}

/** A name without qualifiers and nothing else. */
void NameEof() :
{}
{
    SimpleIdentifier() <EOF>
}

SqlNode AnyStatement() :
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
    |
        LOOKAHEAD({ SyntaxChecks.beginsStatement(getToken(1).image) })
        statement = WordStatement()
    |
        statement = OwnStatement()
    |
        statement = SetStatement()
    |
        statement = SqlDescribe()
    |
        statement = CallStatement()
    )
    { return statement; }
}

/** CALL of a function, or of any expression: a query of one row. */
SqlNode CallStatement() :
{
    final Span s;
    final SqlNode value;
}
{
    <CALL> { s = span(); } value = Expression(ExprContext.ACCEPT_SUB_QUERY) {
        return SyntaxChecks.queryOf(s.end(this), value);
    }
}

/** Statements that the template does not have at all. */
SqlNode OwnStatement() :
{
    final SqlNode statement;
}
{
    (
        statement = ExplainStatement()
    |
        statement = CreateStatement()
    |
        statement = DropStatement()
    |
        statement = AlterStatement()
    |
        statement = TruncateStatement()
    |
        statement = TransactionStatement()
    |
        statement = MaintenanceStatement()
    |
        statement = ShowStatement()
    |
        statement = CommentStatement()
    |
        statement = RenameTableStatement()
    )
    { return statement; }
}
