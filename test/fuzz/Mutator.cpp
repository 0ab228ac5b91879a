//===- Mutator.cpp - Changed copies of parts of a program -----------------===//
//
// Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutator.h"
#include "llvm/ADT/STLExtras.h"

using namespace tdl;
using namespace tdl::fuzz;

namespace {
/// What may stand for an expression of a type; '$' is the expression itself.
struct Pattern {
  const char *Type;
  const char *Text;
};

struct Edit {
  Span Where;
  std::string Text;
};
} // namespace

static constexpr Pattern Expressions[] = {
    {"at::Tensor", "torch::ones({2, 3})"},
    {"at::Tensor", "torch::ones({2, 3}, torch::kCUDA)"},
    {"at::Tensor", "torch::zeros({}, torch::Device(torch::kCUDA, 1))"},
    {"at::Tensor", "torch::Tensor()"},
    {"at::Tensor", "torch::arange(4)"},
    {"at::Tensor", "($).to(torch::kCUDA)"},
    {"at::Tensor", "($).cpu()"},
    {"at::Tensor", "($).to(torch::kDouble)"},
    {"at::Tensor", "($).detach().view({-1})"},
    {"at::Tensor", "($)[0]"},
    {"at::Tensor", "($).add_(1)"},
    {"at::Tensor", "torch::relu($)"},
    {"at::Tensor", "($ + $)"},
    {"at::Tensor", "($).index({$})"},
    {"at::Tensor", "torch::cat({$, torch::ones({2})})"},
    {"at::Tensor", "torch::ones_like($)"},
    {"at::Tensor", "(torch::cuda::is_available() ? torch::Tensor($) : "
                   "torch::Tensor())"},
    {"at::Tensor", "[&] { return torch::Tensor($); }()"},
    {"at::Tensor", "std::vector<torch::Tensor>{$, $}.at(1)"},
    {"c10::Device", "torch::Device(torch::kCPU)"},
    {"c10::Device", "torch::Device(torch::kCUDA)"},
    {"c10::Device", "torch::Device(\"cuda:1\")"},
    {"c10::Device", "torch::Device(($).type())"},
    {"c10::Device", "torch::Device(torch::cuda::is_available() ? torch::kCUDA "
                    ": torch::kCPU)"},
    {"c10::DeviceType", "torch::kCPU"},
    {"c10::DeviceType", "torch::kMPS"},
    {"c10::TensorOptions", "torch::TensorOptions()"},
    {"c10::TensorOptions", "torch::TensorOptions($).device(torch::kCUDA, 1)"},
    {"c10::TensorOptions", "torch::dtype(torch::kLong)"},
    {"bool", "true"},
    {"bool", "!($)"},
    {"bool", "($ && $)"},
    {"bool", "($ || torch::cuda::is_available())"},
    {"bool", "(torch::cuda::is_available() && !($))"},
    {"bool", "torch::ones({1}).is_cuda()"},
    {"int", "0"},
    {"int", "-1"},
    {"int", "2147483647"},
    {"int", "($ + 1)"},
    {"long", "(-9223372036854775807L - 1)"},
    {"long", "($ * 2)"},
};

static constexpr const char *Statements[] = {
    ";",
    "$ $",
    "{ $ }",
    "if (torch::cuda::is_available()) { $ }",
    "if (!torch::cuda::is_available()) { $ } else { $ }",
    "for (int turn = 0; turn < 3; ++turn) { $ }",
    "while (std::rand() % 2) { $ }",
    "do { $ } while (std::rand() == 3);",
    "switch (std::rand()) { case 0: { $ } case 1: { $ break; } default:; }",
    "try { $ } catch (const std::exception &) {}",
    "[&] { $ }();",
    "[=]() mutable { $ }();",
    "TORCH_CHECK(torch::cuda::is_available()); $",
};

/// \p Pattern with \p Text for each '$'.
static std::string fill(llvm::StringRef Pattern, llvm::StringRef Text) {
  std::string Filled;
  for (char Character : Pattern)
    if (Character == '$')
      Filled += Text;
    else
      Filled += Character;
  return Filled;
}

/// Are all the bits of \p Part also in \p Whole?
static bool isSubset(const llvm::BitVector &Part,
                     const llvm::BitVector &Whole) {
  return llvm::all_of(Part.set_bits(), [&](unsigned Bit) {
    return Bit < Whole.size() && Whole[Bit];
  });
}

/// Another text of the same part that can stand at \p Site; \p Site itself if
/// there is none.
static const MutationSite &chooseOther(const SeedPart &Part,
                                       const MutationSite &Site,
                                       Decisions &Choices) {
  std::vector<const MutationSite *> Others;
  for (const MutationSite &Other : Part.Sites)
    if (Other.What == Site.What && Other.Type == Site.Type &&
        !Other.Where.overlaps(Site.Where) &&
        isSubset(Other.Reads, Site.InScope))
      Others.push_back(&Other);
  return Others.empty() ? Site : *Others[Choices.below(Others.size())];
}

/// The text of \p Site, such that anything may follow: the range of most
/// statements ends before their semicolon.
static std::string textOf(const SeedProgram &Seed, const MutationSite &Site) {
  std::string Text = Seed.text(Site.Where).str();
  if (Site.What == MutationSite::Kind::Statement && Text.back() != '}')
    Text += ";";
  return Text;
}

static std::string changed(const SeedProgram &Seed, const SeedPart &Part,
                           const MutationSite &Site, Decisions &Choices) {
  llvm::SmallVector<const char *, 24> Patterns;
  if (Site.What == MutationSite::Kind::Statement)
    llvm::append_range(Patterns, Statements);
  else
    for (const Pattern &P : Expressions)
      if (Site.Type == P.Type)
        Patterns.push_back(P.Text);
  unsigned Choice = Choices.below(2 * Patterns.size() + 1);
  if (Choice >= Patterns.size())
    return textOf(Seed, chooseOther(Part, Site, Choices));
  return fill(Patterns[Choice], textOf(Seed, Site));
}

static std::string apply(const SeedProgram &Seed, Span Where,
                         std::vector<Edit> Edits) {
  llvm::sort(Edits, [](const Edit &A, const Edit &B) {
    return A.Where.Begin < B.Where.Begin;
  });
  std::string Text;
  unsigned At = Where.Begin;
  for (const Edit &E : Edits) {
    Text += Seed.text({At, E.Where.Begin});
    Text += E.Text;
    At = E.Where.End;
  }
  Text += Seed.text({At, Where.End});
  return Text;
}

static Mutant makeMutant(const SeedProgram &Seed, unsigned Number,
                         Decisions &Choices) {
  constexpr unsigned MostParts = 3, MostEdits = 6;
  unsigned First = Choices.below(Seed.Parts.size());
  unsigned Last = std::min<unsigned>(First + Choices.below(MostParts),
                                     Seed.Parts.size() - 1);
  std::vector<Edit> Edits;
  for (unsigned Left = 1 + Choices.below(MostEdits); Left; --Left) {
    const SeedPart &Part = Seed.Parts[First + Choices.below(Last - First + 1)];
    const MutationSite &Site = Part.Sites[Choices.below(Part.Sites.size())];
    if (llvm::none_of(
            Edits, [&](const Edit &E) { return E.Where.overlaps(Site.Where); }))
      Edits.push_back({Site.Where, changed(Seed, Part, Site, Choices)});
  }
  Span Where = {Seed.Parts[First].Where.Begin, Seed.Parts[Last].Where.End};
  return {Last, "namespace mutant" + std::to_string(Number) + " {\n" +
                    apply(Seed, Where, std::move(Edits)) + "\n}\n"};
}

std::vector<Mutant> tdl::fuzz::makeMutants(const SeedProgram &Seed,
                                           Decisions &Choices, unsigned Most) {
  std::vector<Mutant> Mutants;
  while (Mutants.size() != Most && !Choices.isExhausted())
    Mutants.push_back(makeMutant(Seed, Mutants.size(), Choices));
  return Mutants;
}

Batch tdl::fuzz::makeBatch(const SeedProgram &Seed,
                           const std::vector<Mutant> &Mutants,
                           const std::set<unsigned> &Without) {
  Batch Made;
  unsigned Line = 1, At = 0;
  auto Append = [&](llvm::StringRef Text) {
    Made.Text += Text;
    Line += Text.count('\n');
  };
  Append("#include <cstdlib>\n#include <exception>\n#include <vector>\n");
  for (unsigned Part = 0; Part != Seed.Parts.size(); ++Part) {
    const SeedPart &P = Seed.Parts[Part];
    if (P.Body.End) {
      Append(Seed.text({At, P.Body.Begin}));
      Append(";");
    } else {
      Append(Seed.text({At, P.Where.End}));
    }
    At = P.Where.End;
    Append("\n");
    for (unsigned I = 0; I != Mutants.size(); ++I) {
      if (Mutants[I].Part != Part || Without.count(I))
        continue;
      unsigned First = Line;
      Append(Mutants[I].Text);
      Made.Where.push_back({I, First, Line - 1});
    }
  }
  Append(Seed.text({At, static_cast<unsigned>(Seed.Text.size())}));
  return Made;
}
