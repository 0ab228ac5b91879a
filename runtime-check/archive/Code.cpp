//===- Code.cpp - The code in a TorchScript archive -----------------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Code.h"

#include <algorithm>
#include <cctype>
#include <deque>

namespace tdl {
namespace verify {

namespace {

struct Token {
  enum class Kind { Name, Text, Number, Sign, End };
  Kind Is = Kind::End;
  std::string Text;
  size_t At = 0; ///< Offset in the file.
};

/// Names with their dots ("torch.device"), strings without their quotes.
class Lexer {
public:
  explicit Lexer(const std::string &Text) : Text(Text) {}
  Token next();

private:
  void skipBlanks();
  Token string();
  Token word(Token::Kind Is);

  const std::string &Text;
  size_t At = 0;
};

class CodeReader {
public:
  CodeReader(const std::string &Record, const std::string &Text,
             ArchiveCode &Into);
  void read();

private:
  CodePoint pointAt(size_t Offset);
  /// The current token, or one after it.
  const Token &peek(size_t Ahead = 0);
  bool isSign(size_t Ahead, char Sign);
  bool is(size_t Ahead, Token::Kind Kind) { return peek(Ahead).Is == Kind; }
  void readName();
  void readClass();
  void readDeclaration();
  std::string deviceInCall();

  const std::string &Record;
  const std::string &Text;
  ArchiveCode &Into;
  std::string Scope; ///< "__torch__.net" for code/__torch__/net.py.
  Lexer Lex;
  std::deque<Token> Tokens; ///< From the current one on, as far as was asked.
  size_t LineStart = 0;     ///< Of the last place that was asked for.
  int Line = 1;
  ArchiveClass *Class = nullptr; ///< The one whose body is read.
};

} // namespace

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

static bool isNameByte(char C) {
  return std::isalnum(static_cast<unsigned char>(C)) || C == '_' || C == '.';
}

void Lexer::skipBlanks() {
  while (At < Text.size()) {
    if (std::isspace(static_cast<unsigned char>(Text[At])))
      ++At;
    else if (Text[At] == '#')
      At = std::min(Text.find('\n', At), Text.size());
    else
      return;
  }
}

/// Escapes are kept as they are: no device has one.
Token Lexer::string() {
  Token Read{Token::Kind::Text, "", At};
  char Quote = Text[At++];
  while (At < Text.size() && Text[At] != Quote) {
    size_t Width = Text[At] == '\\' ? 2 : 1;
    Read.Text += Text.substr(At, Width);
    At += Width;
  }
  At = std::min(At + 1, Text.size());
  return Read;
}

Token Lexer::word(Token::Kind Is) {
  Token Read{Is, "", At};
  while (At < Text.size() && isNameByte(Text[At]))
    Read.Text += Text[At++];
  return Read;
}

Token Lexer::next() {
  skipBlanks();
  if (At >= Text.size())
    return {Token::Kind::End, "", Text.size()};
  char C = Text[At];
  if (C == '"' || C == '\'')
    return string();
  if (std::isdigit(static_cast<unsigned char>(C)))
    return word(Token::Kind::Number);
  if (isNameByte(C))
    return word(Token::Kind::Name);
  return {Token::Kind::Sign, std::string(1, C), At++};
}

//===----------------------------------------------------------------------===//
// What they mean
//===----------------------------------------------------------------------===//

/// "__torch__.net" for "code/__torch__/net.py".
static std::string scopeOf(std::string Record) {
  Record.erase(0, Record.find('/') + 1);
  Record.resize(Record.size() - 3); // ".py"
  std::replace(Record.begin(), Record.end(), '/', '.');
  return Record;
}

CodeReader::CodeReader(const std::string &Record, const std::string &Text,
                       ArchiveCode &Into)
    : Record(Record), Text(Text), Into(Into), Scope(scopeOf(Record)),
      Lex(Text) {}

/// Bytes of a line that are kept; lines may be as long as a file.
static constexpr size_t MaxSource = 240;

/// Places are asked for in the order of the file.
CodePoint CodeReader::pointAt(size_t Offset) {
  size_t End; // npos is beyond any offset.
  while ((End = Text.find('\n', LineStart)) < Offset) {
    LineStart = End + 1;
    ++Line;
  }
  CodePoint Point{Record, Line, int(Offset - LineStart) + 1, ""};
  // Of a long line, what is around the place.
  size_t From = Offset - LineStart < MaxSource / 2 ? LineStart : Offset - 20;
  Point.Source = Text.substr(From, std::min(End - From, MaxSource));
  Point.Source.erase(0, Point.Source.find_first_not_of(" \t\r"));
  Point.Source.resize(Point.Source.find_last_not_of(" \t\r") + 1);
  return Point;
}

const Token &CodeReader::peek(size_t Ahead) {
  while (Tokens.size() <= Ahead)
    Tokens.push_back(Lex.next());
  return Tokens[Ahead];
}

bool CodeReader::isSign(size_t Ahead, char Sign) {
  return is(Ahead, Token::Kind::Sign) && peek(Ahead).Text[0] == Sign;
}

/// Of torch.device("cuda:0") or ("cuda", 0); empty where it is no literal.
std::string CodeReader::deviceInCall() {
  if (!isSign(1, '(') || !is(2, Token::Kind::Text))
    return "";
  std::string Device = peek(2).Text;
  if (isSign(3, ')'))
    return Device;
  bool HasIndex =
      isSign(3, ',') && is(4, Token::Kind::Number) && isSign(5, ')');
  return HasIndex ? Device + ":" + peek(4).Text : "";
}

void CodeReader::readName() {
  const std::string Name = peek().Text, Constants = "CONSTANTS.";
  if (Name.compare(0, Constants.size(), Constants) == 0) {
    std::string Constant = Name.substr(Constants.size());
    if (!Into.ConstantUses.count(Constant))
      Into.ConstantUses[Constant] = pointAt(peek().At);
  } else if (Name == "torch.device") {
    std::string Device = deviceInCall();
    constexpr size_t MaxDevice = 64;
    if (!Device.empty() && Device.size() <= MaxDevice)
      Into.Literals.push_back({pointAt(peek().At), Device});
  } else if ((Name == "torch.cuda" || Name == "torch.cpu") && isSign(1, '(')) {
    Into.Literals.push_back({pointAt(peek().At), Name.substr(6)});
  }
}

void CodeReader::readClass() {
  if (is(1, Token::Kind::Name))
    Class = &Into.Classes[Scope + "." + peek(1).Text];
}

/// `__parameters__ = ["weight", "bias", ]` and `weight : Tensor`, at the begin
/// of a class.
void CodeReader::readDeclaration() {
  const std::string Name = peek().Text;
  std::set<std::string> *List = Name == "__parameters__" ? &Class->Parameters
                                : Name == "__buffers__"  ? &Class->Buffers
                                                         : nullptr;
  if (List && isSign(1, '=') && isSign(2, '[')) {
    Tokens.erase(Tokens.begin(), Tokens.begin() + 3);
    while (is(0, Token::Kind::Text)) {
      List->insert(peek().Text);
      Tokens.pop_front();
      if (isSign(0, ','))
        Tokens.pop_front();
    }
  } else if (isSign(1, ':') && !Class->Attributes.count(Name)) {
    Class->Attributes[Name] = pointAt(peek().At);
  }
}

void CodeReader::read() {
  for (; !is(0, Token::Kind::End); Tokens.pop_front()) {
    if (!is(0, Token::Kind::Name))
      continue;
    if (peek().Text == "class")
      readClass();
    else if (peek().Text == "def")
      Class = nullptr; // Declarations stand before the first method.
    else if (Class)
      readDeclaration();
    if (is(0, Token::Kind::Name))
      readName();
  }
}

void readCode(const std::string &Record, const std::string &Text,
              ArchiveCode &Into) {
  CodeReader(Record, Text, Into).read();
}

} // namespace verify
} // namespace tdl
