# Somebody knows three numbers about the data and wants to know what is worth trying, before anything is spent.
source "$(dirname "$0")/story.sh"
export COLUMNS=100

gv 0 advise --nodes 20000 --classes 3 --features 40 -q
says "lap"
says "mlp-dp"
says_not "gap-inf"
says "auto would take mlp-dp"
says "drowned in noise"
says "Worth declaring"
says "--protect-degree"
says "--mean-degree"
says "10 contacts of a person (assumed)"
gv 0 advise --nodes 20000 --classes 3 --features 40 --mean-degree 30 --max-degree 40 -e 4 --json -q
says '"worth_declaring"'
says '"noise_multiplier"'
# What is said of contacts and what is chosen by them agree: many of them, and auto reads them.
says '"auto": {'
says '"method": "lap"'
gv 0 advise --nodes 20000 --classes 3 --features 40 --mean-degree 30 --max-degree 40 -e 4 -q
says "auto would take lap"
says_like "contacts [0-9.]+ \\((weak|clear)\\)"
gv 0 advise --nodes 20000 --classes 3 --features 8 --mean-degree 6 -e 2 -q
says "auto would take mlp-dp: declared mean degree 6: sums over so few are drowned in noise"
# Few people and a small budget: the program says that it is hopeless, before anybody tries.
gv 0 advise --nodes 200 --classes 20 --features 5000 -e 0.1 -q
says "drowned in noise"
# At edge level other methods are there.
gv 0 advise --nodes 20000 --classes 3 --features 40 --relation undirected-edge -q
says "gap-edp"
says_not "mlp-dp"
gv 2 advise --nodes 20000 --classes 3
says "--features"
gv 2 advise --nodes 20000 --classes 3 --features 40 --relation friends
says "friends"

# auto says the same in a line or two, and what it would rather have known.
gv 0 data generate g.gvg --preset tiny --seed 1 -q
gv 0 train auto --data g.gvg -e 2 -q
says "chose mlp-dp: how many contacts people have was not declared, so 10 are assumed"
says "how many contacts a person has on average"
says "--protect-degree"
says_like "signal over noise, at most: features [0-9.e+]+"
gv 0 train auto --data g.gvg -e 8 -q --mean-degree 30 --protect-degree 40
says "chose lap"
says_like "signal over noise, at most: features .* contacts [0-9.]+ \\((weak|clear)\\)"
says_not "what would help"
says_not "drowned"
# Who names a method is told, and gets it.
gv 0 train lap --data g.gvg -e 1 -q --mean-degree 3
says "warning: contacts will be drowned in noise"

# A rehearsal: made-up people, nothing spent, nothing written, a budget book untouched.
gv 0 budget open people.book --epsilon 5 --delta 1e-4 --data g.gvg
gv 0 budget show people.book --json
cp "$seen_out" before.json
gv 0 train auto --data g.gvg -e 4 -q --rehearse --budget people.book
says "the rehearsal cost nothing"
says "assumed"
says_like "the most frequent class alone is [0-9.]+% right"
says "not declared, so a guess (--majority)"
for word in little something much; do says_like "features that say $word +[0-9.]+% right"; done
says "measures what the noise leaves, not your data"
gv 0 budget show people.book --json
cmp -s before.json "$seen_out" || fail "the book has changed"
gv 0 train lap --data g.gvg -e 0.01 -q --rehearse --json
holds "$(number spent) == 0"
says "the noise leaves nothing to learn from"
# The share of the largest class is what a model is compared with.
gv 0 train mlp-dp --data g.gvg -e 4 -q --rehearse --majority 0.8 --json
holds "$(number majority) > 0.7 && $(number majority) < 0.9"
json_says '"features_say":"little"'
json_says '"beats_majority":false'
gv 2 train mlp-dp --data g.gvg -q --rehearse --majority 0.01
says "--majority"
gv 2 train mlp-dp --data g.gvg -q --majority 0.8
says "--majority is for --rehearse"
gv 2 train lap --data g.gvg --rehearse --out run
says "leave --out"
not_there run
echo "told"
