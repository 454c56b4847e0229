# All kinds of pictures. pictures_test.c and captions_test.c play it in each language, with both decks: RULES is a rule set of one,
# LONG the rounds of a long match with it, SHORT those of a short one.
network: buttons edit erase direct popup whisper style mention picture
apps: alice=LANGUAGE bob=LANGUAGE carol=LANGUAGE dora=LANGUAGE
admin: alice
chance: 5
bot joins tea by alice
alice> /settings language=LANGUAGE board=picture champion=9:30
alice~ /opponents
alice~ /cards
alice~ /tutorial
alice> /challenge @bob RULES LONG
bob> /accept
alice~ /hand
auto 2
bob~ /hand
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto end
alice> /ready
bob> /ready
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi end
alice> /review
alice> /challenge @bob players=3 mongolopedia 6
bob> /accept
carol> /accept
auto 8
carol~ /hand
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi 1
auto koikoi end
carol> /challenge @dora RULES SHORT
dora> /accept
auto 3
dora> /resign
dora> /resign
alice> /challenge @bob RULES SHORT
bob> /accept
auto 4
alice> /draw
bob> /draw
bob> /challenge mei RULES SHORT
bob> /challenge computer hard RULES SHORT
alice> /board picture
alice> /me picture
alice> /tournament knockout RULES SHORT
bob> /tournament join
carol> /tournament join
dora> /tournament join
alice> /tournament start
wait 1s
alice> /tournament picture
alice> /resign
alice> /resign
carol> /resign
carol> /resign
wait 1s
bob> /resign
bob> /resign
wait 1s
dora> /resign
dora> /resign
alice> /tournament swiss RULES SHORT
bob> /tournament join
carol> /tournament join
dora> /tournament join
alice> /tournament start
wait 1s
alice> /tournament picture
wait 3d
deal 1: alice 1b 8b 12b 4p1 5p1 6p1 7p1 9a; bob 3p1 1p2 4a 4r 5a 5r 6a 6r; field 1p1 3b 8p1 12p1 9p1 10r 10p1 10p2; stock 2a 2r 2p1 2p2 11b 11a 11p
alice> /challenge @bob RULES SHORT first_dealer=challenger
bob> /accept
alice~ /play 6
auto 1
alice~ /play 6
alice~ /koikoi
alice~ /hand
alice~ /puzzle
