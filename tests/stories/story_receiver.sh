#!/usr/bin/env bash
# Somebody is sent the folder release/ of a run, and wants to use the model on a graph of their own.
source "$(dirname "$0")/story.sh"

gv 0 data generate theirs.gvg --preset tiny --seed 1
gv 0 data generate mine.gvg --preset tiny --seed 2
parts="--private-nodes 120 --public-nodes 150 --public-test 60"

# sent METHOD OPTIONS...: trains, and keeps nothing but what may be published.
sent() {
  local method=$1
  shift
  rm -rf run release
  gv 0 train "$method" --quick --data theirs.gvg "$@" --out run
  mv run/release release
  rm -rf run
}

sent mlp-dp
gv 0 predict release --data mine.gvg --out mine.csv
says 'costs the people that it was trained on nothing'
says 'yours to protect'
there mine.csv
not_there release/holder
gv 0 verify release
for method in oneshot privgnn dp-gpl prompt-dpsgd; do
  # shellcheck disable=SC2086
  sent $method $parts
  gv 0 predict release --data mine.gvg --out "$method.csv" --json
  json_says '"kind":"received"'
done

# Sums over neighbors are drawn with noise and counted in the run's own log: it says who can, and why.
sent gap-ndp
gv 2 predict release --data mine.gvg --out no.csv
says 'only whoever holds the whole run folder'
says 'mlp-dp'
says_not 'fingerprint.key'
not_there no.csv

# At edge level predictions are published, and are there for whom they are about.
sent gap-edp
gv 0 predict release --data theirs.gvg --out theirs.csv
cmp theirs.csv release/predictions.csv || fail "not the published predictions"

# A draft is nobody's but its holder's.
gv 0 train mlp-dp --quick --data theirs.gvg --seed 1 --out seeded
gv 2 predict seeded/draft --data mine.gvg --out no.csv
says 'only whoever holds the whole run folder'
