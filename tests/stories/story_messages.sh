# What somebody reads who mistypes, leaves something out, or is warned: the program says what is wrong and what to type.
source "$(dirname "$0")/story.sh"

gv 0 data generate g.gvg --preset tiny --seed 1 -q
cat >people.csv <<'END'
id,age,city,job
a,30,Lyon,nurse
b,41,Lyon,clerk
c,35,Paris,nurse
d,52,Paris,clerk
e,28,Lyon,nurse
f,61,Paris,clerk
END
printf 'from,to\na,b\nb,c\nc,d\nd,e\ne,f\n' >friends.csv

# Something is missing or mistyped.
gv 2 train --data g.gvg
says "a method is missing before '--data'"
says "graphveil train auto --data"
gv 2 train lap --data g.gvg --eps 1
says "did you mean '--epsilon'?"
gv 0 help
says "Commands:"
gv 0 help train lap
says "--epsilon"
gv 2 train auto --preset papers --data g.gvg
says "--preset is 'papers'"
gv 2 train dp-gpl --data g.gvg
says "--private-nodes 150 --public-nodes 150 --public-test 75"
[ "$(wc -l <"$seen_error")" -eq 1 ] || fail "more than one line"

# Two parts are a split too; three and nonsense as before.
gv 0 train lap --quick -q --data g.gvg --split 80/20 --json
holds "$(mean test_accuracy) >= 0 && $(mean test_accuracy) <= 1"
gv 2 train lap --quick -q --data g.gvg --split 80/30
says "add up to 100"
gv 2 train lap --quick -q --data g.gvg --split 80
says "80/20"

# What promises nothing is not warned about as if it promised a little.
for method in gap-inf sage-inf; do
  gv 0 train $method --quick -q --data g.gvg
  says_not "Relation edge"
  says "no differential-privacy guarantee"
done

# Nothing was saved, so nothing may be published.
gv 0 train lap --quick -q --data g.gvg
says_not "May be published"
says "--out"
gv 0 train lap --quick -q --data g.gvg --out kept
says "May be published: the parameters"

# A program that asked for JSON gets JSON, also when the answer is a refusal.
gv 2 train lap --json --data gone.gvg
holds "$(number exit_code) == 2"
says '"error": "graphveil: gone.gvg'
gv 2 train lap --json --data g.gvg --epsilonn 1
says '"error"'

# One word, one meaning: --public names a graph, --public-labels what is declared; the old word still works.
gv 0 train mlp-dp --quick -q --data g.gvg --public-labels val --out declared
says "--public-labels val"
gv 0 train mlp-dp --quick -q --data g.gvg --public val --out declared-as-before
says "--public-labels val"
gv 0 verify declared-as-before

# A book of another name beside the data is not used, and that is said; one that is named is.
mkdir beside
cp g.gvg beside/
gv 0 train mlp-dp --quick -q --data beside/g.gvg
says_not "budget book"
gv 0 budget open beside/people.book --epsilon 3 --delta 1e-4 --data beside/g.gvg
gv 0 train mlp-dp --quick -q --data beside/g.gvg
says "people.book beside the data is not used"
gv 0 train mlp-dp --quick -q --data beside/g.gvg --budget beside/people.book -d 1e-4
says_not "is not used"

# Tables the wrong way round are noticed by the column that is asked for, whatever the others are called.
sed 's/from,to/a,b/' friends.csv >pairs.csv
gv 2 data schema --nodes pairs.csv --edges people.csv --label job
says "are --nodes and --edges swapped?"

# Names that nobody declared public do not become public by being typed.
gv 0 data import --nodes people.csv --edges friends.csv --label job found.gvg
gv 0 train mlp-dp --quick -q --data found.gvg --class-weights nurse=3 --split 50/50 --out weighed
! grep -rq nurse weighed/release || fail "release/ has a class name that was found in the data"
grep -q 'class-weights = "#1=3"' weighed/release/config.toml || fail "the weights are not there by number"
gv 0 verify weighed

# What a format cannot hold is said, not dropped in silence.
gv 0 data import --nodes people.csv --edges friends.csv --label job people.gvg
gv 0 data convert people.gvg people.npz
says "ids"
says "write .gvg to keep them"
gv 0 data convert people.gvg people.npz --force --json
says '"left_behind"'
gv 0 data convert people.gvg again.gvg
says_not "write .gvg"

# An honest run stands up to the attack on what it keeps, whatever the method made of it afterwards: every method that
# promises anything, as its defaults have it.
gv 0 methods --json
methods=$(tr -d ' \n' <"$seen_out" | grep -oE '"name":"[^"]*"' | sed 's/.*:"//; s/"//')
[ "$(echo "$methods" | wc -w)" -ge 30 ] || fail "methods are missing"
halves="--private-nodes 150 --public-nodes 150 --public-test 75"
for method in $methods "lap --rounds 2" "lap --relation edge"; do
  case $method in
    auto | *-inf | b[1-4] | prompt-ft | prompt-ens | prompt-ub | prompt-lb) continue ;;
    oneshot | privgnn | pate-* | dp-gpl* | prompt-*) parts=$halves ;;
    *) parts= ;;
  esac
  rm -rf run
  relation=
  [ "$method" != dp-gpl-w ] || relation="--relation record"
  # shellcheck disable=SC2086
  gv 0 train $method --quick -q --data g.gvg $parts $relation --out run
  gv 0 attack support run
done
echo "told"
