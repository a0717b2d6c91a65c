# Somebody knows three numbers about the data and wants to know what is worth trying, before anything is spent.
source "$(dirname "$0")/story.sh"
export COLUMNS=100

gv 0 advise --nodes 20000 --classes 3 --features 40 -q
says "lap"
says "mlp-dp"
says_not "gap-inf"
says "auto would take lap"
says "Worth declaring"
says "--protect-degree"
says "--mean-degree"
says "10 contacts of a person (assumed)"
gv 0 advise --nodes 20000 --classes 3 --features 40 --mean-degree 30 --max-degree 40 -e 4 --json -q
says '"worth_declaring"'
says '"noise_multiplier"'
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
gv 0 train auto --data g.gvg -e 4 -q
says "chose lap"
says "how many contacts a person has on average"
says "--protect-degree"
says_like "signal over noise, at most: features .* contacts"
gv 0 train auto --data g.gvg -e 4 -q --mean-degree 12 --protect-degree 40
says_not "what would help"

# A rehearsal: made-up people, nothing spent, nothing written, a budget book untouched.
gv 0 budget open people.book --epsilon 5 --delta 1e-4 --data g.gvg
gv 0 budget show people.book --json
cp "$seen_out" before.json
gv 0 train auto --data g.gvg -e 4 -q --rehearse --budget people.book
says "the rehearsal cost nothing"
says "assumed"
gv 0 budget show people.book --json
cmp -s before.json "$seen_out" || fail "the book has changed"
gv 0 train lap --data g.gvg -e 0.01 -q --rehearse --json
holds "$(number spent) == 0"
says "the noise leaves nothing to learn from"
gv 2 train lap --data g.gvg --rehearse --out run
says "leave --out"
not_there run
echo "told"
