<#-- Type names of other databases, and the infix cast. -->

SqlTypeNameSpec AliasTypeName() :
{
    int precision = -1;
    final Span s;
}
{
    ( <TEXT> | <CLOB> ) { s = span(); } precision = PrecisionOpt() {
        return LongTypeName.text(precision, s.end(this));
    }
|
    ( <BYTEA> | <BLOB> ) { s = span(); } precision = PrecisionOpt() {
        return LongTypeName.bytes(precision, s.end(this));
    }
|
    <DATETIME> { s = span(); } precision = PrecisionOpt() {
        return new SqlBasicTypeNameSpec(SqlTypeName.TIMESTAMP, precision, s.end(this));
    }
}

void InfixCast(List<Object> list, ExprContext exprContext, Span s) :
{
    final SqlDataTypeSpec type;
}
{
    <INFIX_CAST> { checkNonQueryExpression(exprContext); }
    type = DataType() {
        list.add(new SqlParserUtil.ToTreeListItem(SqlLibraryOperators.INFIX_CAST, s.pos()));
        list.add(type);
    }
}
