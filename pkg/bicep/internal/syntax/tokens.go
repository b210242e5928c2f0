package syntax

import (
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// TokenKind is the kind of a token, as far as a reader of tokens needs it; all
// others are OtherToken.
type TokenKind uint8

const (
	OtherToken     TokenKind = iota
	NewLineToken             // one or more line ends in a row
	EndOfFileToken           // the last token, and an empty one
	CommaToken
	PipeToken
	OpenParenToken
	CloseToken // ) ] }
	QuestionToken
	ColonToken
)

// Token is one word of a source text. There are only blanks between two tokens,
// comments and pragmas.
type Token struct {
	Kind TokenKind
	// Sticky is set if comments after the token on its line belong to it.
	Sticky bool
	Span   source.Span
}

// ParseTokens reads a .bicep file, or a .bicepparam file if params is set. It
// returns the tokens of the text as well, for those who want the layout.
func ParseTokens(file *source.File, params bool) (*File, []Token, diag.List) {
	f, list, diags := parse(file, params, true)
	tokens := make([]Token, len(list))
	for i, t := range list {
		tokens[i] = Token{Kind: tokenKind(t.kind), Sticky: stickyBehind(t.kind), Span: t.span()}
	}
	return f, tokens, diags
}

func tokenKind(k kind) TokenKind {
	switch k {
	case newLine:
		return NewLineToken
	case endOfFile:
		return EndOfFileToken
	case comma:
		return CommaToken
	case pipe:
		return PipeToken
	case leftParen:
		return OpenParenToken
	case rightParen, rightSquare, rightBrace:
		return CloseToken
	case question:
		return QuestionToken
	case colon:
		return ColonToken
	}
	return OtherToken
}
