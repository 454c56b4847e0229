# All that a player reads of a match and the pages around it; `make transcripts` prints it in each language.
network: buttons edit direct popup whisper style mention picture file
files: embedded
apps: alice=LANGUAGE bob=LANGUAGE carol=LANGUAGE
admin: alice
bot joins tea by alice
alice~ /start
alice~ /help
alice~ /help all
alice~ /help challenge
alice~ /help settings
alice~ /rules sensei 1
alice~ /rules sensei 2
alice~ /rules sensei 3
alice~ /rules mongolopedia 3
alice~ /rules okoshki 2
alice~ /rules steam 3
alice~ /tutorial
alice~ 2
alice~ 1
alice~ 5
alice~ 4
alice~ 2
alice~ 1
alice~ 4
alice~ 1
alice~ 2
alice~ 1
alice~ 2
alice~ 3
alice~ 2
alice~ 1
alice~ 2
alice~ 1
alice~ 1
alice~ 2
alice~ 2
alice~ 3
alice~ 1
alice~ 2
alice~ 4
alice~ 3
alice~ /opponents
alice> /settings
alice taps 1
alice> /settings
alice taps 2
alice> /settings
alice taps 3
alice> /settings
alice taps 4
alice> /settings
alice taps 5
alice> /settings
alice taps 6
alice> /settings
alice taps 7
alice> /settings
alice taps 8
alice> /settings
alice taps 9
alice> /settings
alice taps 10
alice> /settings
alice taps 11
alice> /settings
alice taps 12
alice> /settings
alice taps 13
alice> /settings
alice> /settings rounds=77
alice> /settings tips=7
alice> /settings season=week
alice> /settings board=oil
alice> /challenge @alice
alice> /challenge @bob players=9
alice> /challenge @bob okoshki 12 capture=x
alice> /challenge @bob exhausted=x
alice> /challenge @bob viewing.rain_cancels=x
alice> /challenge @bob okoshki first_dealer=random capture=optional wild_lightning=on trio_extra=add exhausted=oya_kan
bob> /decline
alice> /challenge @bob sensei 3 yaku.tsukimi=0
bob> /decline later
alice> /challenge @bob sensei 3
bob> /accept
alice~ /play 99
auto 3
bob~ /yaku
alice~ /table
alice~ /nudge
auto 6
auto koikoi 12
alice> /score
alice> /games
auto end
alice> /ready
bob> /ready
auto 8
bob> /draw
alice> /draw no
auto end
alice> /ready
bob> /ready
auto 5
wait 23h
wait 2h
alice> /wait
bob> /wait
auto end
alice> /review
alice> /review 1
alice> /export
alice> /verify
alice> /board
alice> /stats
alice> /history
alice> /versus @bob
alice> /rating
alice> /rematch
bob> /accept
bob> /resign
bob> /resign
alice~ /challenge computer standard 3 casual
alice~ /ready
alice~ /hint
alice~ /play 1
alice~ /takeback
alice~ /vacation 3
alice~ /vacation off
alice~ /quiet 22-8
alice~ /quiet off
alice~ /privacy
alice~ /forget
alice~ /link
alice~ /language
alice> /tournament swiss 2 standard 3
bob> /tournament join
carol> /tournament join
alice> /tournament start
alice> /tournament
alice> /tournament cancel
alice> /seek sensei 3
alice> /notify on
alice> /zagrajmy
alice~ /puzzle
alice~ 1
alice~ /puzzle 2
alice~ /puzzle another
alice~ 1
alice~ /puzzle last
alice> /puzzle
alice> /puzzle all
alice> /duel
alice> /settings puzzle=9:00 duel=20:00 champion=on watch=on
wait 9h
alice> /duel
alice~ /duel start
alice~ /duel start
auto 4
alice~ /resign
alice~ /resign
alice> /duel
wait 1d
alice> /puzzle all
alice> /watch
alice> /replay
alice> /badges
alice> /board picture
alice> /tournament arena standard
bob> /tournament join
alice> /tournament start
alice> /tournament cancel
alice> /lobby
alice> /challenge @bob @carol mongolopedia 3
bob> /accept
carol> /accept
auto 2
carol> /resign
carol> /resign
alice> /draw
alice> /claim
alice> /koikoi
alice> /stop
alice> /declare
alice> /redeal
alice> /takeback
alice> /tutorial 3
alice> /language xx
alice> /quiet 7
alice> /vacation 99
alice reads the rest
