<#-- Transactions, settings, maintenance. -->

SqlNode TransactionStatement() :
{
    final Span s;
    SqlIdentifier name = null;
    TransactionModes modes = TransactionModes.NONE;
}
{
    <START> { s = span(); } <TRANSACTION> [ modes = TransactionModeList() ] {
        return new StartTransaction(s.end(this), modes);
    }
|
    <BEGIN> { s = span(); } [ <TRANSACTION> | <WORK> ] [ modes = TransactionModeList() ] {
        return new StartTransaction(s.end(this), modes);
    }
|
    <COMMIT> { s = span(); } [ <TRANSACTION> | <WORK> ] { return new Commit(s.end(this)); }
|
    <ROLLBACK> { s = span(); } [ <TRANSACTION> | <WORK> ]
    [ <TO> [ LOOKAHEAD(2) <SAVEPOINT> ] name = SimpleIdentifier() ]
    { return new Rollback(s.end(this), name); }
|
    <SAVEPOINT> { s = span(); } name = SimpleIdentifier() { return new Savepoint(s.end(this), name); }
|
    <RELEASE> { s = span(); } [ LOOKAHEAD(2) <SAVEPOINT> ] name = SimpleIdentifier() {
        return new ReleaseSavepoint(s.end(this), name);
    }
}

TransactionModes TransactionModeList() :
{
    TransactionModes modes = TransactionModes.NONE;
}
{
    modes = TransactionMode(modes) ( [ <COMMA> ] modes = TransactionMode(modes) )*
    { return modes; }
}

TransactionModes TransactionMode(TransactionModes modes) :
{
    final IsolationLevel level;
}
{
    <ISOLATION> <LEVEL> level = IsolationLevelName() { return modes.withIsolation(level); }
|
    LOOKAHEAD(2) <READ> <ONLY> { return modes.withReadOnly(true); }
|
    <READ> <WRITE> { return modes.withReadOnly(false); }
}

IsolationLevel IsolationLevelName() :
{}
{
    LOOKAHEAD(2) <READ> <UNCOMMITTED> { return IsolationLevel.READ_UNCOMMITTED; }
|
    <READ> <COMMITTED> { return IsolationLevel.READ_COMMITTED; }
|
    <REPEATABLE> <READ> { return IsolationLevel.REPEATABLE_READ; }
|
    <SNAPSHOT> { return IsolationLevel.SNAPSHOT; }
|
    <SERIALIZABLE> { return IsolationLevel.SERIALIZABLE; }
}

SqlNode SetStatement() :
{
    final Span s;
    final TransactionModes modes;
    final SqlNode statement;
}
{
    LOOKAHEAD(2) <SET> { s = span(); } <TRANSACTION> modes = TransactionModeList() {
        return new SetTransaction(s.end(this), modes, SetTransaction.Scope.NEXT_TRANSACTION);
    }
|
    LOOKAHEAD(3) <SET> { s = span(); } <SESSION> <CHARACTERISTICS> <AS> <TRANSACTION> modes = TransactionModeList() {
        return new SetTransaction(s.end(this), modes, SetTransaction.Scope.SESSION);
    }
|
    LOOKAHEAD(2) <SET> { s = span(); } <SCHEMA> statement = SetSchemaBody(s) { return statement; }
|
    statement = SqlSetOption(Span.of(), null) { return statement; }
}

SqlNode SetSchemaBody(Span s) :
{
    final SqlIdentifier name;
    final String text;
}
{
    [ <EQ> ]
    (
        name = SimpleIdentifier()
    |
        text = SimpleStringLiteral() { name = new SqlIdentifier(text, getPos().withQuoting(true)); }
    )
    { return new SetSchema(s.end(this), name); }
}

SqlNode MaintenanceStatement() :
{
    final Span s;
    SqlIdentifier table = null;
}
{
    <SHUTDOWN> { return new Shutdown(getPos()); }
|
    <ANALYZE> { s = span(); } [ <TABLE> ] [ table = CompoundIdentifier() ] {
        return new AnalyzeTable(s.end(this), table);
    }
}
