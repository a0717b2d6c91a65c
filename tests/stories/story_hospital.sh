#!/usr/bin/env bash
# A hospital's tables: three outcomes, most people go home, few die, one in twenty has no outcome yet; names and dates of
# birth stand in the table. Somebody wants a model, and to know whether it is worth anything.
source "$(dirname "$0")/story.sh"

awk 'BEGIN {
  srand(11)
  print "patient,name,born,age,pulse,smoker,unit,outcome" > "patients.csv"
  print "patient,contact" > "contacts.csv"
  n = 4000
  for (i = 0; i < n; i++) {
    r = rand()
    k = r < 0.72 ? "home" : r < 0.95 ? "ward" : "died"
    age = int(30 + 30 * rand() + (k == "ward" ? 10 : 0) + (k == "died" ? 20 : 0))
    pulse = int(60 + 25 * rand() + (k == "ward" ? 8 : 0) + (k == "died" ? 16 : 0))
    unit = k == "died" && rand() < 0.3 ? "intensive" : rand() < 0.5 ? "surgery" : "medicine"
    born = sprintf("%04d-%02d-%02d", 2026 - age, 1 + int(12 * rand()), 1 + int(28 * rand()))
    shown = rand() < 0.05 ? "" : k
    print "p" i ",\"Name" i ", First\"," born "," age "," pulse "," (rand() < 0.3 ? "yes" : "no") "," unit "," shown \
      > "patients.csv"
    for (j = 0; j < 3; j++) print "p" i ",p" int(n * rand()) > "contacts.csv"
  }
}'

# The draft looks at the data; the hospital puts in what it knows without, and declares it.
gv 0 data schema --nodes patients.csv --edges contacts.csv --id patient --label outcome
cp "$seen_out" schema.toml
grep -q 'Name12' schema.toml && fail "a name stands in the schema"
sed -i 's/^declared = false/declared = true/' schema.toml
gv 0 data import --schema schema.toml --nodes patients.csv --edges contacts.csv hospital.gvg --json
holds "$(number missing_labels) > 120 && $(number missing_labels) < 280"
holds "$(number classes) == 3"

# A range that is mostly empty is told to the hospital, and stands in no file.
sed 's/^range = \[[0-9]*, [0-9]*\]/range = [0, 2000]/' schema.toml >wide.toml
gv 0 data import --schema wide.toml --nodes patients.csv --edges contacts.csv wide.gvg
says "Wide ranges (yours to know: these speak of private records)"
says_like "nine in ten values of column 'pulse' fill [0-9]+% of its range, 0 to 2000"
gv 0 data import --schema schema.toml --nodes patients.csv --edges contacts.csv --force hospital.gvg
says_not "Wide ranges"

# judged: the last training with --json either beats the majority, or says in plain words that it does not.
judged() {
  if tr -d ' \n' <"$seen_out" | grep -qF '"beaten":true'; then
    says_not 'not shown to be better'
  else
    says 'the model is not shown to be better than always answering'
  fi
}
gv 0 train auto --data hospital.gvg --epsilon 0.01 --json
judged
gv 0 train auto --data hospital.gvg --epsilon 2 --json
judged
# Six contacts a person, of whom nobody promised less than a hundred: they are drowned, it says so, and reads none.
json_says '"method":"mlp-dp"'
gv 0 train auto --data hospital.gvg --epsilon 2 --mean-degree 6
says 'chose mlp-dp: declared mean degree 6: sums over so few are drowned in noise'
# What to expect was said before, as a range and beside the majority.
gv 0 train auto --data hospital.gvg --epsilon 2 --rehearse --majority 0.72
says_like 'features that say little +[0-9.]+% right'
says 'the largest class, as declared'

# The rare ones weighed, on the features alone: those who die are found at last.
gv 0 train mlp-dp --data hospital.gvg --epsilon 4 --repeats 3 --json
judged
plain=$(mean balanced_accuracy)
gv 0 train mlp-dp --data hospital.gvg --epsilon 4 --class-weights balanced --metric balanced --predictions 12 \
  --repeats 3 --out run --json
says '"majority"'
weighed=$(mean balanced_accuracy)
holds "$weighed > 0.5"
holds "$weighed > $plain"
json_says '"on_other_graphs":"free"'

# What leaves the house: no name, no date, no patient.
grep -rqE 'Name[0-9]|p[0-9]{3}' run/release --include='*.json' --include='*.md' --include='*.toml' && fail "release/ names a patient"
gv 0 verify run

# Next month's patients, from the published folder alone, with the schema that was published.
mv run/release sent
head -n 1 patients.csv >next.csv
tail -n 500 patients.csv | sed 's/^p/q/; s/,[a-z]*$/,/' >>next.csv
{ echo "patient,contact"; for i in 3501 3502 3503; do echo "q$i,q3999"; done; } >next_contacts.csv
gv 0 data import --schema sent/schema.toml --nodes next.csv --edges next_contacts.csv next.gvg
gv 0 predict sent --data next.gvg --out next_predictions.csv
head -n 1 next_predictions.csv | grep -q '^id,prediction,died,home,ward$' || fail "classes have other names"
holds "$(wc -l <next_predictions.csv) == 501"
