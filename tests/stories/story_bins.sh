#!/usr/bin/env bash
# Somebody wants to predict a number: how many days people stay.
source "$(dirname "$0")/story.sh"

awk 'BEGIN {
  srand(3)
  print "id,age,group,days" > "people.csv"
  print "from,to" > "friends.csv"
  for (i = 0; i < 600; i++) {
    age = int(20 + 60 * rand())
    print i "," age "," (rand() < 0.5 ? "a" : "b") "," (i % 50 == 7 ? "" : int(age / 3 + 8 * rand()) + 0.5) > "people.csv"
    for (j = 0; j < 3; j++) print i "," int(600 * rand()) > "friends.csv"
  }
}'

# One sentence says what to do.
gv 2 data schema --nodes people.csv --edges friends.csv --id id --label days
says 'numbers are not predicted here'
says 'kind = "bins"'
says '--label-bins'

gv 0 data schema --nodes people.csv --edges friends.csv --id id --label days --label-bins 12,20
cp "$seen_out" schema.toml
grep -q 'label = { column = "days", kind = "bins", edges = \[12, 20\] }' schema.toml || fail "the draft has no bins"
sed -i 's/^declared = false/declared = true/' schema.toml
gv 0 data import --schema schema.toml --nodes people.csv --edges friends.csv people.gvg --json
holds "$(number missing_labels) == 12"
holds "$(number classes) == 3"

gv 0 train mlp-dp --data people.gvg --epsilon 8 --out run
says '12 to 20'
gv 0 verify run
gv 0 predict run --data people.gvg --out predictions.csv
head -n 1 predictions.csv | grep -q '^id,prediction,below 12,12 to 20,20 or more$' || fail "classes have other names"

# Names of one's own, and mistakes.
sed 's/^classes = .*/classes = ["short", "middle", "long"]/' schema.toml >named.toml
gv 0 data import --schema named.toml --nodes people.csv --edges friends.csv named.gvg
gv 0 train mlp-dp --quick --data named.gvg --epsilon 8
says 'middle'
sed 's/^classes = .*/classes = ["short", "long"]/' schema.toml >few.toml
gv 2 data import --schema few.toml --nodes people.csv --edges friends.csv few.gvg
says '2 names for 3 bins'
sed 's/edges = \[12, 20\]/edges = [20, 12]/' schema.toml >fall.toml
gv 2 data import --schema fall.toml --nodes people.csv --edges friends.csv fall.gvg
says 'rising numbers'
gv 2 data schema --nodes people.csv --edges friends.csv --id id --label days --label-bins 20,12
says '--label-bins'

# Several labels, or a number, in a plain folder.
mkdir plain
printf '0,1\n1,2\n' >plain/edges.csv
printf '1,0\n0,1\n1,1\n' >plain/features.csv
printf '0.5\n1.5\n0.25\n' >plain/labels.csv
gv 2 data info plain
says 'kind = "bins"'
printf '0,1\n1,0\n1,1\n' >plain/labels.csv
gv 2 data info plain
says 'one label a node'
