#!/usr/bin/env bash
# Somebody trains once, and wants to predict for the people of the next months within the same budget.
source "$(dirname "$0")/story.sh"

gv 0 data generate january.gvg --preset tiny --seed 1
gv 0 data generate february.gvg --preset tiny --seed 2
gv 0 data generate march.gvg --preset tiny --seed 3
gv 0 data generate april.gvg --preset tiny --seed 4

# Three are reserved: one epsilon for all of it, and a table of what so many cost.
gv 0 budget open people.book --data january.gvg --relation node --epsilon 2 --delta 1e-4
for month in february march april; do gv 0 budget admit people.book --data $month.gvg; done
gv 0 train gap-ndp --quick --data january.gvg --epsilon 2 --delta 1e-4 --predictions 3 --budget people.book --out run
says '3 predictions on other graphs of the same people are paid for'
says_like ' 3 +[0-9.]+ +paid for'
says_like ' 4 +[0-9.]+ +with --total-epsilon'
gv 0 verify run
gv 0 budget show people.book
cp "$seen_out" before

gv 0 predict run --data february.gvg --out february.csv
says 'was paid for with the training, 2 more are'
gv 0 predict run --data march.gvg --out march.csv --json
holds "$(number epsilon_inference) == 0"
holds "$(number epsilon_total) <= 2"
holds "$(number reserved_left) == 1"
gv 0 predict run --data april.gvg --out april.csv
there february.csv march.csv april.csv

# The book counted them at the training, and not again.
gv 0 budget show people.book
grep -oE 'spent [0-9.]+, reserved [0-9.]+' before >spent_before
grep -oE 'spent [0-9.]+, reserved [0-9.]+' "$seen_out" >spent_after
[ -s spent_before ] || fail "the book does not say what is spent"
diff spent_before spent_after || fail "reserved predictions were charged again"
gv 0 verify run

# The fourth is refused with its price, and can be had for it.
gv 3 predict run --data february.gvg --out again.csv
says 'the 3 predictions that were reserved are used up'
says_like 'would cost epsilon [0-9.]+'
not_there again.csv

# Without a reserve the first one is.
gv 0 train gap-ndp --quick --data january.gvg --epsilon 2 --out plain --budget ''
says '--predictions N pays for N of them beforehand'

# mlp-dp needs none, and auto says so and takes it.
gv 0 train mlp-dp --quick --data january.gvg --epsilon 2 --predictions 12
says 'cost nothing'
gv 0 train auto --data january.gvg --epsilon 2 --predictions 12
says 'chose mlp-dp'
says 'predictions on other graphs cost nothing'
gv 0 train auto --data january.gvg --epsilon 2 --mean-degree 60
says 'chose lap'
says 'those of mlp-dp cost nothing'
gv 0 train auto --data january.gvg --epsilon 8 --predictions 2 --mean-degree 90
says 'chose lap'
# The same contacts are worth less the more often they are paid for.
gv 0 train auto --data january.gvg --epsilon 2 --predictions 500 --mean-degree 60
says 'chose mlp-dp'
says 'when they are paid for 501 times'

# Where nothing is promised or a search is charged there is no reserve.
gv 2 train gnn-inf --quick --data january.gvg --predictions 2
says 'promises nothing'
gv 2 train gap-ndp --quick --data january.gvg --predictions 2 --tune 2
says '--tune'

# New people join the graph that was trained on: they alone are answered, and nobody pays more.
awk 'BEGIN {
  srand(5)
  for (k = 0; k < 2; k++) {
    people = k ? "grown.csv" : "people.csv"
    print "id,age,kind" > people
    for (i = 0; i < (k ? 460 : 400); i++) print "n" i "," (i * 37) % 80 "," (i % 3 ? "a" : "b") > people
  }
  print "from,to" > "friends.csv"
  print "from,to" > "grown_friends.csv"
  for (i = 0; i < 460; i++) for (j = 0; j < 4; j++) {
    other = int(460 * rand())
    if (i < 400 && other < 400) print "n" i ",n" other > "friends.csv"
    print "n" i ",n" other > "grown_friends.csv"
  }
}'
gv 0 data schema --nodes people.csv --edges friends.csv --id id --label kind
sed 's/^declared = false/declared = true/' "$seen_out" >schema.toml
gv 0 data import --schema schema.toml --nodes people.csv --edges friends.csv people.gvg
gv 0 data import --schema schema.toml --nodes grown.csv --edges grown_friends.csv grown.gvg
gv 0 train gap-ndp --quick --data people.gvg --epsilon 2 --out joined
gv 3 predict joined --data grown.gvg --out all.csv
says 'would cost epsilon'
gv 0 predict joined --data grown.gvg --joined --out newcomers.csv
says '60 people joined the graph'
says 'costs nobody more'
holds "$(wc -l <newcomers.csv) == 61"
grep -q '^n459,' newcomers.csv || fail "somebody who joined has no prediction"
grep -q '^n399,' newcomers.csv && fail "somebody who was there has one"
gv 0 verify joined
gv 2 predict joined --data grown.gvg --joined --out again.csv
says 'was there before'
not_there again.csv
