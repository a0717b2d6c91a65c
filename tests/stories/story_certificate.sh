# A lawyer gets a page that can be filed: plain words first, declared facts, a place to sign, the mathematics behind.
source "$(dirname "$0")/story.sh"

awk 'BEGIN {
  print "id,age,ward,outcome"
  for (i = 1; i <= 150; i++) printf "p%d,%d,%s,%s\n", i, 20 + i % 60, i % 3 ? "north" : "south", i % 4 ? "home" : "stayed"
}' >people.csv
awk 'BEGIN { print "from,to"; for (i = 1; i <= 150; i++) printf "p%d,p%d\n", i, (i + 3) % 150 + 1 }' >contacts.csv
gv 0 data schema --nodes people.csv --edges contacts.csv --label outcome
sed -e 's/^declared = false/declared = true/' -e 's/^# \[about\]/[about]/' \
  -e 's/^# data = .*/data = "Contacts <of> a ward"/' -e 's/^# controller = .*/controller = "St. Example"/' \
  -e 's/^# purpose = .*/purpose = "Planning of beds"/' -e 's/^# people = .*/people = 150/' "$seen_out" >schema.toml
gv 0 data import --schema schema.toml --nodes people.csv --edges contacts.csv people.gvg
openssl genpkey -algorithm ed25519 -out key.pem 2>/dev/null
openssl pkey -in key.pem -pubout -out key.pub 2>/dev/null

gv 0 budget open people.book --epsilon 3 --delta 1e-4 --data people.gvg
gv 0 train lap --data people.gvg -e 1 -d 1e-4 --quick -q --budget people.book --purpose "Staffing" --sign key.pem --out run
there run/release/certificate.md run/release/certificate.html run/release/certificate.sig
page=run/release/certificate.md
asked="reading $page"
cp $page "$seen_out"
: >"$seen_error"
says "| Data | Contacts \\<of\\> a ward |"
says "| Answers for it | St. Example |"
says "| Purpose | Staffing |"
says "| People in it, as declared | 150 |"
says "**Who is protected, and against what.** Each single person"
says "**How sure an attacker can become.**"
says "at most 73.11%"
says "People with more than 100 contacts"
says "All that the budget book of this data has"
says "Signature: ____"
sed '/^# Technical annex/,$d' $page >first.md
! grep -qE '[0-9a-f]{32}|\blap\b|differentially' first.md || fail "the first half has a hash or a method"
[ "$(wc -w <first.md)" -le 520 ] || fail "the first half has $(wc -w <first.md) words"
cp run/release/certificate.html "$seen_out"
says "Contacts &lt;of&gt; a ward"
says "<svg"
! grep -q "<script\|http" run/release/certificate.html || fail "the page wants something from elsewhere"

# On paper it is two pages, where there is a browser to print it.
if command -v chromium >/dev/null; then
  chromium --headless --no-sandbox --disable-gpu --user-data-dir="$folder/browser" --print-to-pdf=page.pdf \
    run/release/certificate.html >/dev/null 2>&1
  there page.pdf
  pages=$(grep -aoE '/Type */Page\b' page.pdf | wc -l)
  holds "$pages == 2"
fi

# Both are made anew by verify, and edits are found.
gv 0 verify run --key key.pub
sed -i 's/at most 73.11%/at most 50.01%/' run/release/certificate.html
gv 1 verify run --key key.pub
says "certificate.html"

# At edge level the page says that people are not protected.
gv 0 train gap-edp --data people.gvg -e 1 --quick -q --out edges
cp edges/release/certificate.md "$seen_out"
says "Each single contact"
says "none of that is protected"
# Nothing is claimed for a run that must not leave.
gv 0 train lap --data people.gvg -e 1 --quick -q --seed 1 --out seeded
cp seeded/draft/certificate.md "$seen_out"
says "must not be released"
says "Nothing, with nobody"
gv 2 train lap --data people.gvg --quick -q --purpose "$(printf 'two\nlines')"
says "one line"
echo "told"
