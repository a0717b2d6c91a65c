#!/usr/bin/env bash
# Somebody trains on people of whom most are of one class, and wants to know whether the model is any good.
source "$(dirname "$0")/story.sh"

# 1,200 people, three classes of 80, 15 and 5 per cent; the first feature tells two of them apart, a little.
people() {
  awk -v seed="$1" 'BEGIN {
    srand(seed)
    print "id,age,days,smoker,outcome" > "people.csv"
    print "from,to" > "friends.csv"
    for (i = 0; i < 1200; i++) {
      r = rand()
      k = r < 0.80 ? "home" : r < 0.95 ? "ward" : "died"
      age = int(40 + 20 * rand() + (k == "ward" ? 15 : 0) + (k == "died" ? 25 : 0))
      days = int(10 * rand() + (k == "ward" ? 8 : 0))
      print i "," age "," days "," (rand() < 0.3 ? "yes" : "no") "," k > "people.csv"
      for (j = 0; j < 3; j++) print i "," int(1200 * rand()) > "friends.csv"
    }
  }'
}
people 1
gv 0 data import --nodes people.csv --edges friends.csv --id id --label outcome people.gvg

# Hopeless: next to no budget. It looks like 80 per cent, and the program says what that is worth.
gv 0 train mlp-dp --data people.gvg --epsilon 0.01 --out useless
says_like 'test accuracy +[0-9.]+% \(yours to know: it reads private labels\)'
says_like "majority +(7|8)[0-9.]+% of the test nodes are 'home'"
says_like 'macro F1 +[0-9.]+%'
says_like 'balanced +[0-9.]+%'
says_like 'recall +.*home [0-9.]+%'
says "warning: the model is not shown to be better than always answering 'home'"
gv 0 train mlp-dp --data people.gvg --epsilon 0.01 --json
json_says '"beaten":false'
json_says '"balanced_accuracy":{"mean":'
json_says '"recall":'
json_says '"majority":"holder"'
says 'not shown to be better than always answering'

# With a budget, and with rare classes weighed: the rare ones are found, for a price in accuracy.
gv 0 train mlp-dp --data people.gvg --epsilon 8 --class-weights balanced --metric balanced --out weighed
head -n 1 "$seen_out" | grep -q '^balanced ' || fail "what --metric names does not come first"
gv 0 train mlp-dp --data people.gvg --epsilon 8 --class-weights balanced --metric balanced --json
balanced=$(mean balanced_accuracy)
gv 0 train mlp-dp --data people.gvg --epsilon 8 --json
plain=$(mean balanced_accuracy)
holds "$balanced > $plain - 0.02"
holds "$balanced > 0.38"
gv 0 verify weighed
gv 0 train mlp-dp --data people.gvg --epsilon 8 --class-weights died=10,ward=4 --out typed
gv 0 verify typed

# Mistakes get one clear sentence.
gv 2 train mlp-dp --data people.gvg --class-weights dead=5
says "names class 'dead'"
says 'home'
gv 2 train mlp-dp --data people.gvg --class-weights died=-1
says 'want a number from'
gv 2 train oneshot --data people.gvg --class-weights balanced --private-nodes 600 --public-nodes 500 --public-test 100
says 'mlp-dp'
gv 2 train mlp-dp --data people.gvg --tune 3 --metric f1
says '--metric accuracy'
gv 2 train mlp-dp --data people.gvg --metric auc
says 'wants two classes'

# Where edges alone are private, labels are public, and nobody is told that figures read private ones.
gv 0 train mlp --data people.gvg --epochs 20 --metric f1
says_not 'private labels'
head -n 1 "$seen_out" | grep -q '^macro F1 ' || fail "what --metric names does not come first"
gv 0 train mlp --data people.gvg --epochs 5 --tune 2 --metric balanced --class-weights balanced
says_like 'balanced +[0-9.]+%$'
