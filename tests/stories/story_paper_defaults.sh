#!/usr/bin/env bash
# Somebody trains a method that is named after a paper, and gets that paper's algorithm.
source "$(dirname "$0")/story.sh"

gv 0 data generate graph.gvg --preset tiny --seed 1

for method in dpar-gm dpar-em0 dpar-em1; do
  gv 0 train $method --quick --data graph.gvg --epsilon 4 --out $method
  there $method/release/certificate.json
  grep -q 'lists = "pagerank"' $method/release/config.toml || fail "$method does not read PageRank"
  grep -qi 'pagerank' $method/release/certificate.json || fail "$method releases no PageRank"
  # What differs from the paper's own settings is said, and --preset paper has those.
  says "$method: "
  gv 0 verify $method
done
# What changes it is said.
gv 0 train dpar-gm --quick --data graph.gvg --epsilon 4 --lists self
says 'dpar-gm: '

# At edge level DPAR is another algorithm, with a name of its own.
gv 2 train dpar-gm --quick --data graph.gvg --relation edge
says 'diffusion-edp'
gv 0 train diffusion-edp --quick --data graph.gvg --epsilon 4
gv 0 methods
says 'diffusion-edp'

# What beats it is said, in numbers.
gv 0 train auto --data graph.gvg --epsilon 4 --coverage parameters
says_like 'dpar-gm.*[0-9]+%'
gv 0 train dpar-gm --quick --data graph.gvg --epsilon 4 --compare
says_like 'compared +dpar-gm [0-9.]+%, .*mlp-dp.* [0-9.]+%: .* won by'
grep -q 'mlp-dp --propagate 2' "$here/../../docs/methods/dpar.md" || fail "the page does not name what beats it"
