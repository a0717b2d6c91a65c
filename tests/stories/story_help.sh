# Somebody who has never seen the program finds the way from its own words, in a terminal of 80 columns.
source "$(dirname "$0")/story.sh"
export COLUMNS=80

fits() {
  local longest
  longest=$(awk '{ if (length($0) > m) m = length($0) } END { print m + 0 }' "$seen_out")
  [ "$longest" -le 80 ] || fail "a line has $longest letters"
}

gv 0
[ "$(wc -l <"$seen_out")" -eq 5 ] || fail "want five lines"
says "graphveil train auto"
fits

gv 0 --help
fits
says "methods"

# The common options, in groups; the others are a word away.
gv 0 train lap --help
fits
for group in "Data:" "Privacy:" "Training:" "The run:"; do says "$group"; done
common=$(grep -cE '^  -' "$seen_out")
holds "$common >= 10 && $common <= 17"
says_not "--checkpoint-every"
says_not "--max-grad-norm"
says_like "[0-9]+ more options: graphveil train lap --help-all"
gv 0 train lap --help-all
fits
all=$(grep -cE '^  -' "$seen_out")
holds "$all > $common + 20"
says "--checkpoint-every"
says "--max-grad-norm"
says "Settings of the method:"

# Every command fits, also those with long explanations.
for command in "train auto" "train dp-gpl" "data info" "data schema" "data import" "predict" "verify" "account" \
  "calibrate lap" "audit lap" "attack lira lap" "budget open" "methods" "train"; do
  gv 0 $command --help
  fits
done
gv 0 train gap-ndp --help-all
fits

# The methods in groups, `auto` first, with everything that each can protect.
gv 0 methods
fits
says "Yours to use"
says "Baselines"
says "References without a guarantee"
says_like "^  auto "
says_like "^  lap "
says "node, record, undirected-edge"
gv 0 methods --json
says '"role": "baseline"'

# A shell completes rare options too.
gv 0 complete -- train lap
says "--max-grad-norm"
says "--help-all"
echo "told"
