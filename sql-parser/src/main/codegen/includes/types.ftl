<#-- Type names of other databases, the infix cast, and what POSITION looks for. -->

SqlTypeNameSpec AliasTypeName() :
{
    int precision = -1;
    int scale = -1;
    final Span s;
    final Token name;
    final String image;
    final SqlIntervalQualifier fields;
}
{
    <NUMBER> { s = span(); }
    [
        <LPAREN> ( precision = UnsignedIntLiteral() | <STAR> { precision = TypeAliases.MOST_DIGITS; } ) { scale = 0; }
        [ <COMMA> scale = UnsignedIntLiteral() ] <RPAREN>
    ]
    { return TypeAliases.number(precision, scale, s.end(this)); }
|
    LOOKAHEAD({ TypeAliases.isWhole(getToken(1).image) && getToken(2).kind == LPAREN })
    ( <TINYINT> | <SMALLINT> | <INT> | <INTEGER> | <BIGINT> | <IDENTIFIER> ) { s = span(); image = token.image; }
    <LPAREN> UnsignedIntLiteral() <RPAREN>
    [ <UNSIGNED> { return TypeAliases.unsigned(TypeAliases.whole(image, s.end(this)), s.end(this)); } ]
    { return TypeAliases.whole(image, s.end(this)); }
|
    LOOKAHEAD({ SyntaxChecks.isWord(getToken(1).image, "LONG") })
    <IDENTIFIER> { s = span(); }
    (
        <VARCHAR> [ LOOKAHEAD(2) <FOR> <BIT> <DATA> { return LongTypeName.bytes(-1, s.end(this)); } ]
        { return LongTypeName.text(-1, s.end(this)); }
    |
        <VARBINARY> { return LongTypeName.bytes(-1, s.end(this)); }
    |
        { return new SqlBasicTypeNameSpec(SqlTypeName.BIGINT, s.end(this)); }
    )
|
    LOOKAHEAD({
        (getToken(1).kind == VARCHAR || getToken(1).kind == CHAR)
            && getToken(2).kind == LPAREN
            && TypeAliases.isUnitOfLength(getToken(4).image)
    })
    (
        <VARCHAR> { s = span(); } precision = LengthOpt() {
            return new SqlBasicTypeNameSpec(SqlTypeName.VARCHAR, precision, s.end(this));
        }
    |
        <CHAR> { s = span(); } precision = LengthOpt() {
            return new SqlBasicTypeNameSpec(SqlTypeName.CHAR, precision, s.end(this));
        }
    )
|
    <BIT> { s = span(); } [ <VARYING> { precision = 0; } ]
    [ <LPAREN> precision = UnsignedIntLiteral() <RPAREN> ]
    { return TypeAliases.bit(precision, s.end(this)); }
|
    LOOKAHEAD({
        (getToken(1).kind == IDENTIFIER || getToken(1).kind == TIMESTAMPTZ)
            && TypeAliases.contains(getToken(1).image)
    })
    ( name = <IDENTIFIER> | name = <TIMESTAMPTZ> ) { s = span(); } precision = LengthOpt() {
        return TypeAliases.type(name.image, precision, s.end(this));
    }
|
    <FLOAT> { s = span(); } precision = PrecisionOpt() {
        return TypeAliases.floating(precision, s.end(this));
    }
|
    LOOKAHEAD({
        (getToken(1).kind == DECIMAL || getToken(1).kind == DEC || getToken(1).kind == NUMERIC)
            && getToken(2).kind != LPAREN
    })
    ( <DECIMAL> | <DEC> | <NUMERIC> ) { return TypeAliases.numeric(getPos()); }
|
    ( <CHARACTER> | <CHAR> ) { s = span(); } <LARGE> <OBJECT> precision = PrecisionOpt() {
        return LongTypeName.text(precision, s.end(this));
    }
|
    <BINARY> { s = span(); } <LARGE> <OBJECT> precision = PrecisionOpt() {
        return LongTypeName.bytes(precision, s.end(this));
    }
|
    ( <NATIONAL> { s = span(); } ( <CHARACTER> | <CHAR> ) | <NCHAR> { s = span(); } )
    [ <VARYING> precision = PrecisionOpt() {
        return new SqlBasicTypeNameSpec(SqlTypeName.VARCHAR, precision, s.end(this));
    } ]
    precision = PrecisionOpt() {
        return new SqlBasicTypeNameSpec(SqlTypeName.CHAR, precision, s.end(this));
    }
|
    <NCLOB> { s = span(); } precision = PrecisionOpt() {
        return LongTypeName.text(precision, s.end(this));
    }
|
    ( <TEXT> | <CLOB> ) { s = span(); } precision = LengthOpt() {
        return LongTypeName.text(precision, s.end(this));
    }
|
    ( <BYTEA> | <BLOB> ) { s = span(); } precision = LengthOpt() {
        return LongTypeName.bytes(precision, s.end(this));
    }
|
    <INTERVAL> { s = span(); }
    (
        fields = IntervalQualifier() { return new IntervalTypeName(fields, s.end(this)); }
    |
        { return new IntervalTypeName(null, s.end(this)); }
    )
|
    <DATETIME> { s = span(); } precision = PrecisionOpt() {
        return new SqlBasicTypeNameSpec(SqlTypeName.TIMESTAMP, precision, s.end(this));
    }
}

/** A length, which may be in thousands (1K) and name what it counts (10 CHAR). */
int LengthOpt() :
{
    final int length;
}
{
    LOOKAHEAD({ getToken(1).kind == LPAREN && getToken(2).kind == NUMBER_WITH_LETTERS })
    <LPAREN> <NUMBER_WITH_LETTERS> { length = TypeAliases.length(getPos(), token.image); } <RPAREN>
    { return length; }
|
    LOOKAHEAD({ getToken(1).kind == LPAREN && getToken(3).kind != RPAREN })
    <LPAREN> length = UnsignedIntLiteral() ( <CHAR> | WordOf("BYTE") ) <RPAREN> { return length; }
|
    length = PrecisionOpt() { return length; }
}

/** a <=> b of MySQL: equal, or both NULL. */
void NullSafeEqual(List<Object> list, ExprContext exprContext, Span s) :
{
}
{
    <NULL_SAFE_EQUAL> {
        checkNonQueryExpression(exprContext);
        list.add(new SqlParserUtil.ToTreeListItem(SqlStdOperatorTable.IS_NOT_DISTINCT_FROM, s.pos()));
    }
    AddExpression2b(list, ExprContext.ACCEPT_SUB_QUERY)
}

/** a DIV b of MySQL: the whole part of the quotient. */
void WholeQuotient(List<Object> list, ExprContext exprContext, Span s) :
{
}
{
    <DIV_OPERATOR> {
        checkNonQueryExpression(exprContext);
        list.add(new SqlParserUtil.ToTreeListItem(BitOperators.DIV, s.pos()));
    }
    AddExpression2b(list, ExprContext.ACCEPT_SUB_QUERY)
}

void InfixCast(List<Object> list, ExprContext exprContext, Span s) :
{
    final SqlDataTypeSpec type;
}
{
    <INFIX_CAST> { checkNonQueryExpression(exprContext); }
    type = DataType()
    (
        LOOKAHEAD(2) <LBRACKET> <RBRACKET> { ArrayCasts.castElements(list, type, s.end(this)); }
    |
        {
            list.add(new SqlParserUtil.ToTreeListItem(SqlLibraryOperators.INFIX_CAST, s.pos()));
            list.add(type);
        }
    )
}

void AtTimeZone(List<Object> list, ExprContext exprContext, Span s) :
{
}
{
    <AT> { checkNonQueryExpression(exprContext); } <TIME> <ZONE> {
        list.add(new SqlParserUtil.ToTreeListItem(ZoneOperator.INSTANCE, s.pos()));
    }
    AddExpression2b(list, ExprContext.ACCEPT_SUB_QUERY)
}

/** No number, and no number beside a name either: 0x1F, 1_000, 5a, 1e. */
<DEFAULT, DQID, BTID, BQID, BQHID> TOKEN :
{
    < NUMBER_WITH_LETTERS:
        (<UNSIGNED_INTEGER_LITERAL> | <DECIMAL_NUMERIC_LITERAL>)
        (
            ["e","E"] (<LETTER> (<LETTER>|<DIGIT>)*)?
        |
            ["e","E"] (["+","-"])? (["0"-"9"])+ <LETTER> (<LETTER>|<DIGIT>)*
        |
            ["$","_","A"-"D","F"-"Z","a"-"d","f"-"z","\u00c0"-"\u00d6","\u00d8"-"\u00f6","\u00f8"-"\u1fff"]
            (<LETTER>|<DIGIT>)*
        ) >
}

/** RETURNING after a change of rows; the token manager tells it from the name. */
<DEFAULT, DQID, BTID, BQID, BQHID> TOKEN :
{
    < RETURNING_ROWS: "RETURNING\u0000" >
}

/** DIV between operands, and LOCK before IN SHARE MODE; the token manager tells them from names. */
<DEFAULT, DQID, BTID, BQID, BQHID> TOKEN :
{
    < DIV_OPERATOR: "DIV\u0000" >
|   < LOCK_ROWS: "LOCK\u0000" >
}

/** The first operand of POSITION. IN follows it, so that it is no expression of any kind. */
SqlNode SoughtText() :
{
    SqlNode left;
    SqlNode right;
}
{
    left = SoughtPart()
    (
        <CONCAT> right = SoughtPart() {
            left = SqlStdOperatorTable.CONCAT.createCall(Span.of(left, right).pos(), left, right);
        }
    )*
    { return left; }
}

SqlNode SoughtPart() :
{
    final SqlNode part;
}
{
    (
        <LPAREN> part = OrderedQueryOrExpr(ExprContext.ACCEPT_NONCURSOR) <RPAREN>
    |
        part = AtomicRowExpression()
    )
    { return part; }
}
