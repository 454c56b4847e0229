== message is sent once and its row deleted
say chat=c1 text=hello
count 0
go
count 1
method 0 sendMessage
body 0 "\"hello\""
rows 0
restart
later 100000
count 1

== order holds though the first is refused for now
rule sendMessage 1 holds=one status=502
say chat=c1 text=one
say chat=c1 text=two
say chat=c2 text=other
go
asked sendMessage 0 two
asked sendMessage 1 other # nobody else waits for it
later 5000
count 4
body 2 one
body 3 two

== newer board replaces an unsent one
pace 2
say chat=c1 slot=board text="board 1"
go
say chat=c1 text=ping
go
say chat=c1 slot=board text="board 2"
say chat=c1 slot=board text="board 3"
say chat=c1 slot=other text="not a board"
say chat=c1 slot=board text="board 4"
later 600000
asked editMessageText 0 "board 2"
asked editMessageText 0 "board 3"
asked editMessageText 1 "board 4"
asked sendMessage 1 "not a board"
rows 0

== a board tells the news of those it replaces
pace 2
say chat=c1 slot=board text="Head 1|\nBo plays.|\nField 1"
go
say chat=c1 text=ping
go
say chat=c1 slot=board text="Head 2|\nAnn plays.|\nField 2"
say chat=c1 slot=board text="Head 3|\nAnn plays.\nAnn draws.|\nField 3"
say chat=c1 slot=board text="Head 4|\nBo lays.|\nField 4"
say chat=c1 slot=board text="Head 5||\nField 5"
later 600000
asked editMessageText 0 "Head 2"
asked editMessageText 1 "Head 5\\nAnn plays.\\nAnn draws.\\nBo lays.\\nField 5"
asked editMessageText 0 "Bo plays." # it was sent
rows 0

== a board that is moved down tells the news of an unsent one
quiet 1 0
say chat=c1 slot=board text="Head 1|\nBo plays.|\nField 1"
go
say chat=c1 slot=board text="Head 2|\nAnn plays.|\nField 2"
say erase chat=c1 slot=board
say chat=c1 slot=board text="Head 3|\nBo lays.|\nField 3"
later 600000
asked deleteMessage 1
asked sendMessage 1 "Head 3\\nAnn plays.\\nBo lays.\\nField 3"
asked sendMessage 0 "Head 2"
asked editMessageText 0
rows 0

== news that does not fit gives way from the oldest
limit per_chat_minute=1 text_chars=60
say chat=c1 text=ping
go
9* say chat=c1 slot=board text="Head|\nmove number #|\nField"
later 600000
asked sendMessage 1 "Head\\nmove number 6\\nmove number 7\\nmove number 8\\nField"

== the second of a slot edits the first even after a restart
say chat=c1 slot=board text="board 1"
go
restart
say chat=c1 slot=board text="board 2"
say chat=c2 slot=board text=elsewhere
go
count 3
asked editMessageText 1 "\"message_id\":\"101\""
asked sendMessage 1 elsewhere

== replace only without a message does nothing
say chat=c1 slot=board replace_only text=x
say erase chat=c1 slot=ping
go
count 0
rows 0

== closing takes the buttons of a message alone
# An offer keeps its words and loses its buttons; a second one under its name is a new message.
say chat=c1 slot=posted:1:1 named text="an offer"
say chat=c1 slot=posted:1:2 named text="a question"
say chat=c1 text=talk
go
say close chat=c1 slot=posted:1:1
say close chat=c1 slot=posted:9:9
go
asked sendMessage 3
asked editMessageReplyMarkup 1
asked editMessageReplyMarkup 1 "\"message_id\":\"101\""
asked editMessageText 0
say close chat=c1 slot=posted:1:1 # it has none any more
go
say chat=c1 slot=posted:1:1 named text="another offer"
go
asked editMessageReplyMarkup 1
asked sendMessage 1 "another offer"
rows 0

== closing buttons never delays what a match says
# With a chat's budget of six a minute, what a match says goes at once, and buttons are closed when a third of it is enough.
pace 6
later 60001 # what was sent before the start
say chat=c1 slot=posted:1:1 named text="an offer"
go
say close chat=c1 slot=posted:1:1
say chat=c1 slot=board text="board 1"
say chat=c1 text="the match begins"
go
asked sendMessage 3
asked editMessageReplyMarkup 0
say chat=c1 text="the first move"
go
asked sendMessage 1 "the first move"
asked editMessageReplyMarkup 0
later 60001
asked editMessageReplyMarkup 1 101
rows 0

== a message is sent before its buttons are closed
# The challenge is answered before it could be sent: it goes out, and then loses its buttons.
pace 1
later 60001
say chat=c1 text=talk
go
say chat=c1 slot=posted:1:1 named text="an offer"
say close chat=c1 slot=posted:1:1
go
count 1
later 60001
asked sendMessage 1 "an offer"
later 60001
asked editMessageReplyMarkup 1 102
rows 0

== buttons that cannot be closed stay and nothing comes back
say chat=c1 slot=posted:1:1 named text="an offer"
go
rule editMessageReplyMarkup 1 status=403
say close chat=c1 slot=posted:1:1
go
asked editMessageReplyMarkup 1
rows 0
say close chat=c1 slot=posted:1:1
go
asked editMessageReplyMarkup 1

== an erased message is no longer edited
say chat=c1 slot=ping text="your move"
go
say erase chat=c1 slot=ping
go
say chat=c1 slot=ping text="your move again"
go
asked deleteMessage 1 101
asked sendMessage 1 again

== a board that is moved down is a new message once
# A board that is to stand at the bottom: the old one is taken away first. While both wait, a newer board replaces the post alone.
pace 2
clock 60000
say chat=c1 slot=board text=first
say chat=c1 text=talk
go
say erase chat=c1 slot=board
say chat=c1 slot=board text=second
say chat=c1 slot=board text=third
later 120000
asked deleteMessage 1
asked sendMessage 0 second
asked sendMessage 1 third
say chat=c1 slot=board text=fourth
later 60000
asked editMessageText 1
asked editMessageText 1 fourth
rows 0

== a board whose message is gone is sent anew
say chat=c1 slot=board text="board 1"
go
rule editMessageText 1 status=400 why="not found"
say chat=c1 slot=board text="board 2"
go
asked sendMessage 1 "board 2"
say chat=c1 slot=board text="board 3"
go
asked editMessageText 1 "board 3"
asked editMessageText 1 "\"message_id\":\"102\""
never 0

== an answer to a press goes past all pace
limit per_chat_minute=1 account_per_second_x100=1 account_burst=1
5* say chat=c1 text=talk
go
say answer press=q1 text="not your turn"
go
asked answerCallbackQuery 1 "not your turn"
asked sendMessage 1

== the account keeps its pace over all chats
# One in five seconds, ten at once.
limit account_per_second_x100=20 account_burst=10
15* say chat=c# text=x
go
count 10
later 4999
count 10
later 1
count 11
later 20000
count 15

== hands go before boards and leave them a share
# Hands wait for nobody's board; but groups have a share, however many hands there are.
limit account_per_second_x100=20 account_burst=1
say chat=c0 text=x
go
say chat=c1 text="a board"
6* say chat=@p# text="a hand"
later 25000
count 6
body 1 "a hand"
body 2 "a hand"
body 3 "a hand"
body 4 "a board"
body 5 "a hand"
later 10000
asked sendMessage 6 "a hand"

== retry after holds one chat
rule sendMessage 1 holds=one status=429 header="Retry-After: 35" retry_after=35
say chat=c1 text=one
say chat=c1 text=two
go
say chat=c2 text=other
later 35000 # whole milliseconds: a part of one may be missing yet
count 2
asked sendMessage 1 other
restart # it is remembered
go
count 2
later 1
count 4
at 2 35001
body 2 one
no_body 2 maybe_sent # it was refused: nothing is in doubt

== retry after everywhere holds the account
rule sendMessage 1 holds=one status=429 retry_after=10 everywhere
say chat=c1 text=one
go
say chat=c2 text=two
later 10000
count 1
later 1
count 3

== back off doubles up to a minute
rule sendMessage 10 status=503
say chat=c1 text=x
later 3600000
count 11
at 0 0
at 1 250
at 2 750
at 3 1750
at 4 3750
at 5 7750
at 6 15750
at 7 31750
at 8 63750
at 9 123750
at 10 183750
rows 0

== a stored wait is never longer than a network may ask
# What the network asked for outlives the process. A clock that was set back meanwhile makes an hour of it at most, one that was set forward nothing.
rule sendMessage 3 status=429 retry_after=999999
say chat=c1 text=x
go
later 3599999
count 1
later 1
count 2
wall -864000000
restart
later 3599999
count 2
later 1
count 3
wall 0
restart
go
count 4

== a back off does not outlive the process
rule sendMessage 9 status=503
say chat=c1 text=x
later 120000
count 9
wall -864000000
restart
go
count 10
rows 0

== repeat after a lost answer carries maybe sent
rule sendMessage 1 holds=whole hangs_up done
say chat=c1 text="lost whole"
later 10000
asked sendMessage 2 "lost whole"
body 1 "\"maybe_sent\":true"
rows 0
rule sendMessage 1 holds=half cuts done
say chat=c1 text="lost half"
later 10000
asked sendMessage 2 "lost half"
body 3 "\"maybe_sent\":true"
rows 0
rule sendMessage 1 holds=noise babbles done
say chat=c1 text="lost in noise"
later 10000
asked sendMessage 2 "lost in noise"
body 5 "\"maybe_sent\":true"
rows 0

== a board that may have arrived is repeated not replaced
# The board may stand in the chat: a newer one waits for its id, and edits it.
rule sendMessage 1 holds="board 1" hangs_up done
say chat=c1 slot=board text="board 1"
go
say chat=c1 slot=board text="board 2"
later 20000
asked sendMessage 2 "board 1"
body 1 "\"maybe_sent\":true"
asked sendMessage 0 "board 2"
asked editMessageText 1 "board 2"

== repeat after a refusal does not carry maybe sent
# The network answered: it did not take the message.
rule sendMessage 3 holds="too soon" status=429 body="{\"ok\":false}"
say chat=c1 text="too soon"
later 10000
asked sendMessage 4 "too soon"
say chat=c2 slot=board text="old board"
later 1000
rule editMessageText 1 holds="new board" status=400 why="not found"
say chat=c2 slot=board text="new board"
later 1000
asked sendMessage 1 "new board"
asked any 0 maybe_sent

== newer board does not replace one in flight
say chat=c1 slot=board text=one
pump
say chat=c1 slot=board text=two
go
count 2
asked sendMessage 1 one
asked editMessageText 1 two
rows 0

== private message knows the post in its group
# A private message about a match carries the post of its board, for a way back.
say direct to=bo group=c1 group_slot=board:1 text=hand
go
asked sendMessage 0 group_post # no board yet
say chat=c1 slot=board:1 text=board
go
body 2 "\"board\""
say direct to=bo group=c1 group_slot=board:1 text=hand
go
asked sendMessage 1 "\"group_post\":\"103\""

== private message answers no message of the group
# An id of the group names another message, or none, in the private chat.
say direct to=bo reply_to=41 text="the record"
say chat=c1 reply_to=41 text=pong
go
asked sendMessage 1 "\"reply_to\""
asked sendMessage 1 "\"pong\",\"reply_to\":\"41\""

== undeliverable message comes back as an event
rule openDirect 1 status=403
say direct to=bo text=secret
go
never 1 unreachable secret
rows 0
later 100000
count 1

== who must learn a message that its chat refuses does so in private
rule sendMessage 1 holds=warning status=403
say chat=c1 learners="ann\nbo\n" text="a warning"
say chat=c1 text="said to all"
go
asked sendMessage 3 "a warning"
asked sendMessage 1 "\"to\":\"ann\",\"text\":\"a warning\""
asked sendMessage 1 "\"to\":\"bo\",\"text\":\"a warning\""
never 1 unreachable "a warning"
rows 0

== nor need they wait while its chat is held up for long
rule sendMessage 1 holds=board status=429 retry_after=4000
say chat=c1 text=board
go
say chat=c1 learners="ann\n" text="a warning"
go
asked sendMessage 1 "\"to\":\"ann\",\"text\":\"a warning\""
later 4100000
asked sendMessage 2 "a warning" # in the chat too, once it is open
never 0
rows 0

== nor if the message itself is what is held up
rule sendMessage 1 holds=warning status=429 retry_after=4000
say chat=c1 learners="ann\n" text="a warning"
say chat=c1 learners="bo\n" text="the result"
go
asked sendMessage 2 "a warning"
asked sendMessage 1 "\"to\":\"bo\",\"text\":\"the result\""
later 4100000
asked sendMessage 3 "a warning"
asked sendMessage 2 "the result"
rows 0

== all that waits behind a pause is passed on, however much it is
rule sendMessage 1 holds=first status=429 retry_after=4000
say chat=c1 text=first
100* say chat=c1 learners="ann\n" text="turn # ."
go
asked sendMessage 1 "\"to\":\"ann\",\"text\":\"turn 0 .\""
asked sendMessage 1 "\"to\":\"ann\",\"text\":\"turn 99 .\""
asked sendMessage 100 "\"to\":\"ann\""
later 4100000
asked sendMessage 202 "\"chat_id\"" # in the chat too, once it is open
asked sendMessage 100 "\"to\":\"ann\""
rows 0

== it is passed on once, though the process ends and the pause is followed by another
rule sendMessage 2 holds=first status=429 retry_after=4000
say chat=c1 text=first
100* say chat=c1 learners="ann\n" text="turn # ."
go
100* say chat=c1 learners="bo\n" text="result # ."
restart
later 4100000
asked sendMessage 2 first
asked sendMessage 100 "\"to\":\"ann\""
asked sendMessage 100 "\"to\":\"bo\""
restart
later 4100000
asked sendMessage 3 first
asked sendMessage 2 "result 99 ."
asked sendMessage 100 "\"to\":\"ann\""
asked sendMessage 100 "\"to\":\"bo\""
rows 0

== a chat that is shut passes on all that waits there at once, not at its pace
pace 3 200
rule sendMessage 0 holds="\"chat_id\":\"c1\"" status=403
say chat=c1 text=first
60* say chat=c1 learners="ann\n" text="turn # ."
later 1000
asked sendMessage 60 "\"to\":\"ann\""
later 4000000
never 61 unreachable "turn 59 ."
asked sendMessage 60 "\"to\":\"ann\""
rows 0

== a group where no match runs gets its answers within seconds
pace 18
12* say chat=c1 aside text="answer # ."
go
later 3000
asked sendMessage 1 "answer 11 ."
12* say chat=c1 aside text="reply # ."
later 3000
asked sendMessage 1 "reply 11 ."
rows 0

== answers that wait are folded into one
pace 18
say chat=c1 aside text=one
go
say chat=c1 aside text=two
say chat=c1 aside text=three
pump
asked sendMessage 0 two
later 2600
asked sendMessage 1 "two\\n\\nthree"
rows 0

== the same answer to several people is one
pace 18
say chat=c1 aside text=one
go
say chat=c1 aside text=two
say chat=c1 aside text="two and more"
say chat=c1 aside text=two
say chat=c1 aside text="and more"
say chat=c1 aside text="two and more"
pump
later 2600
asked sendMessage 1 "two\\n\\ntwo and more\\n\\nand more"
rows 0

== folded answers that their network refuses go by themselves
pace 18
rule sendMessage 1 holds=two status=403
say chat=c1 aside text=one
go
say chat=c1 aside text=two
say chat=c1 aside text=three
later 2600
later 2600
asked sendMessage 1 two
asked sendMessage 2 three
rows 0

== a short pause is waited for
rule sendMessage 1 holds=warning status=429 retry_after=40
say chat=c1 learners="ann\n" text="a warning"
go
later 45000
asked sendMessage 2 "a warning"
asked sendMessage 0 "\"to\":\"ann\""
rows 0

== a hand that answers a press does not wait for a chat that is held up for long
rule sendMessage 1 holds=hand status=429 retry_after=4000
say whisper chat=c1 to=ann press=q1 text="your hand"
say whisper chat=c1 to=bo press=q2 text="his hand"
go
never 2 unreachable "his hand"
rows 0

== a whisper in answer to a press stays behind when its chat moves
# The press it answers was made in the chat that is no more.
rule sendMessage 0 holds="\"chat_id\":\"c1\"" status=400 moved=c2
say chat=c1 text=ping
pump
say whisper chat=c1 to=ann press=q1 text="your hand"
say chat=c1 text=pong
go
asked sendMessage 2 ping
asked sendMessage 1 pong
asked sendMessage 0 "your hand"
rows 0
never 0 # nobody's door is closed

== a whisper that finds out that its chat moved stays behind
rule sendMessage 0 holds="\"chat_id\":\"c1\"" status=400 moved=c2
say whisper chat=c1 to=ann press=q1 text="your hand"
say chat=c1 text=ping
go
asked sendMessage 1 "your hand"
asked sendMessage 1 ping
rows 0
never 0

== a match goes before mere answers, however many wait
limit account_per_second_x100=100 account_burst=1
30* say chat=s# aside text="answer # ."
say chat=c1 text="your move"
go
count 1
asked sendMessage 1 "your move"
say chat=c2 text="your turn"
later 2000 # while its mark is stored, one answer may go
asked sendMessage 1 "your turn"
later 40000
rows 0

== rows behind an aside do not wait
say chat=c1 aside text="pong 1"
pump
say chat=c1 aside text="pong 2"
pump
say chat=c1 text=board
pump
running 3
say chat=c1 aside text="pong 3"
pump
say chat=c1 text=last
pump
running 3 # the board is not yet taken
go
count 5
no_body 0 last
no_body 1 last
no_body 2 last
rows 0

== a refusal for a time holds back what is said aside
rule sendMessage 1 holds=one status=429 retry_after=7
say chat=c1 aside text=one
pump
answered
say chat=c1 aside text=pong
pump
running 0
later 7000
count 1
later 1
count 3

== whisper in answer to a press goes first in a slow lane
# Fifteen seconds are not enough for all that a slow chat has before it.
pace 1
say chat=c1 slot=board text=one
pump
say chat=c1 slot=ping text=two
pump
say chat=c1 text=three
pump
say whisper chat=c1 to=ann slot=news text="not asked for"
pump
say whisper chat=c1 to=ann slot=hand press=p1 text="a hand"
pump
go
count 1
later 60001
count 2
body 1 "not asked for"
later 60001
body 2 "a hand"
later 60001
body 3 two
later 130000
count 5
rows 0

== lane that is not slow keeps its order
# Where nothing has to wait, what happened is told as it happened.
say chat=c1 text=one
pump
say chat=c1 text=two
pump
say whisper chat=c1 to=ann slot=hand press=p1 text="a hand"
pump
running 1
go
body 0 one
body 1 two
body 2 "a hand"
count 3

== aside keeps the rate of its chat
limit per_chat_minute=2 # one at once, then one in a minute
restart
3* say chat=c1 aside text=pong
go
count 1
later 125000
count 3

== a quiet chat takes a whole window at once
quiet 18 0
20* say chat=c1 text=line
go
count 18
later 60000
count 18
later 1
count 20

== after a restart half a window goes at once
# Nothing remembers what was sent just before: half of the window is taken to be.
quiet 18 0
9* say chat=c1 text=before
go
restart
18* say chat=c1 text=after
go
asked sendMessage 18
later 60001
asked sendMessage 18 after

== a refused whisper counts in the window of its chat for a while
# The network has the last word: after a refusal hands count like boards, for ten minutes, after the next one for twenty.
quiet 2 6
hands 5 5
rule sendMessage 1 holds="hand 1" status=429 retry_after=5
say whisper chat=c1 to=ann text="hand 1"
later 120000
hands 3 2
hands 5 5 # forgotten
rule sendMessage 1 holds="hand 2" status=429 retry_after=5
say whisper chat=c1 to=ann text="hand 2"
later 120000
hands 3 2
hands 3 2 # twelve minutes later
hands 5 5

== refusals that come together count once
# Refusals of what was under way at the same moment are one lesson.
quiet 2 6
rule sendMessage 3 holds="hand 1" status=429 retry_after=5
say whisper chat=c3 to=ann text="hand 1"
say whisper chat=c4 to=ann text="hand 1"
say whisper chat=c5 to=ann text="hand 1"
later 120000
asked sendMessage 6 "hand 1"
hands 3 2
hands 5 5 # ten minutes later, not forty

== hands sent before a refusal count after it
# A network that counts hands like boards: after its one refusal what went before is counted too.
quiet 6 60
say chat=c1 text="a board"
say whisper chat=c1 to=ann text="a hand"
say chat=c1 text="a board"
say whisper chat=c1 to=ann text="a hand"
say chat=c1 text="a board"
say whisper chat=c1 to=ann text="a hand"
go
asked sendMessage 3 "a board"
asked sendMessage 3 "a hand"
rule sendMessage 1 holds="one more" status=429 retry_after=5
say whisper chat=c1 to=ann text="one more"
later 6000
asked sendMessage 1 "one more"
say chat=c1 text="late board"
later 50000 # seven in the minute are one too many for both
asked sendMessage 1 "one more"
asked sendMessage 0 "late board"
later 10000
asked sendMessage 2 "one more"
asked sendMessage 1 "late board"

== a refused board teaches that hands count
# The refusal may meet a board: the hands before it filled the network's window.
quiet 2 6
hands 5 5
rule sendMessage 1 holds=board status=429 retry_after=5
say chat=c1 text=board
go
later 6000
later 120000
hands 3 3 # no hand went shortly before: nothing to learn
rule sendMessage 1 holds=table status=429 retry_after=5
say whisper chat=c1 to=ann text="a hand"
say chat=c1 text=table
go
later 6000
later 120000
hands 3 2

== a refusal in private leaves groups as they are
# Private chats and groups do not learn from one another.
quiet 2 6
rule sendMessage 1 holds=private status=429 retry_after=5
say direct to=bo text=private
later 120000
hands 5 5

== a refusal in private after a restart does not silence it
# What is taken to be sent before a restart leaves room where the network counts more strictly.
quiet 20 60
restart
rule sendMessage 1 holds="a hand" status=429 retry_after=5
say direct to=bo text="a hand"
go
asked sendMessage 1 "a hand"
later 6000
asked sendMessage 2 "a hand"
rows 0

== an unsent answer is replaced by a newer one and a sent one stays
pace 1
say chat=c1 slot=answer:ping:ann aside text="pong 1"
go
say chat=c1 slot=answer:ping:ann aside text="pong 2"
say chat=c1 slot=answer:ping:ann aside text="pong 3"
later 200000
count 2
method 1 sendMessage # no edit of the first
body 1 "pong 3"
rows 0

== a chat that moves while several are under way gets each once
rule sendMessage 0 holds="\"chat_id\":\"c1\"" status=400 moved=c2
say chat=c1 aside text=pong
pump
say chat=c1 text=one
pump
say chat=c1 text=two
pump
running 2
go
asked sendMessage 3 "\"c2\""
rows 0
count 6
restart
later 100000
count 6

== replace only becomes a new message if the first was never sent
# A message that waits for its pace, and then a newer one that should only replace it.
pace 1
say chat=c1 text=first
go
say chat=c1 slot=hand text="hand 1"
say chat=c1 slot=hand replace_only text="hand 2"
say chat=c1 slot=ping text="your move"
say erase chat=c1 slot=ping
later 600000
count 2
method 1 sendMessage
body 1 "hand 2"
rows 0

== replace only does not drop an unloaded row
# Where the waiting message is in the database only: it goes first, and is replaced then.
rule sendMessage 1 holds=n0. status=503
say chat=c1 text=n0.
89* say chat=c1 text=n
say chat=c1 slot=hand text="hand 1"
9* say chat=c1 text=n
say chat=c1 slot=hand replace_only text="hand 2"
later 2000
count 102
body 101 "hand 2"
rows 0

== repeat after a used connection broke carries maybe sent
# Connections that were used before make HTTP libraries bold: they send again by themselves.
say chat=c1 text="warm up"
go
rule sendMessage 1 holds=lost hangs_up done
say chat=c1 text=lost
later 10000
asked sendMessage 2 lost
no_body 1 maybe_sent
body 2 "\"maybe_sent\":true"

== an answer that is too old is dropped
rule answerCallbackQuery 0 status=500
say answer press=q1 text=late expires=1015000
later 60000
count 6
at 5 7750 # the answer would come too late from then on
rows 0
never 0

== a wall clock that is set changes no wait
# Each wait as long as before, however the wall clock was set during it.
rule sendMessage 1 status=503
rule sendMessage 1 status=429 retry_after=35
say chat=c1 text=x
go
wall -60000
later 249
count 1
later 1
count 2
wall -120000
later 35000
count 2
later 1
count 3
later 60000 # the chat's pace is as it was
rule sendMessage 1 status=503
rule sendMessage 1 status=429 retry_after=35
say chat=c1 text=x
go
wall -60000
later 249
count 4
later 1
count 5
wall 0
later 35000
count 5
later 1
count 6
later 60000 # the chat's pace is as it was
rule sendMessage 1 status=503
rule sendMessage 1 status=429 retry_after=35
say chat=c1 text=x
go
wall -90000000
later 249
count 7
later 1
count 8
wall -180000000
later 35000
count 8
later 1
count 9
later 60000 # the chat's pace is as it was
rule sendMessage 1 status=503
rule sendMessage 1 status=429 retry_after=35
say chat=c1 text=x
go
wall -90000000
later 249
count 10
later 1
count 11
wall 0
later 35000
count 11
later 1
count 12
later 60000 # the chat's pace is as it was
rule sendMessage 1 status=503
rule sendMessage 1 status=429 retry_after=35
say chat=c1 text=x
go
wall -864000000
later 249
count 13
later 1
count 14
wall -1728000000
later 35000
count 14
later 1
count 15
later 60000 # the chat's pace is as it was
rule sendMessage 1 status=503
rule sendMessage 1 status=429 retry_after=35
say chat=c1 text=x
go
wall -864000000
later 249
count 16
later 1
count 17
wall 0
later 35000
count 17
later 1
count 18
later 60000 # the chat's pace is as it was

== a wall clock that is set back holds up no chat at its pace
pace 8
8* say chat=c1 text=x
go
count 4
wall -60000
later 120000
count 8
at 7 60001

== repeat after a server error carries maybe sent
rule sendMessage 1 holds="error 500" status=500
say chat=c1 text="error 500"
later 10000
asked sendMessage 2 "error 500"
no_body 0 maybe_sent
body 1 "\"maybe_sent\":true"
rule sendMessage 1 holds="error 502" status=502
say chat=c1 text="error 502"
later 10000
asked sendMessage 2 "error 502"
no_body 2 maybe_sent
body 3 "\"maybe_sent\":true"
rule sendMessage 1 holds="error 503" status=503
say chat=c1 text="error 503"
later 10000
asked sendMessage 2 "error 503"
no_body 4 maybe_sent
body 5 "\"maybe_sent\":true"
rule sendMessage 1 holds="error 504" status=504
say chat=c1 text="error 504"
later 10000
asked sendMessage 2 "error 504"
no_body 6 maybe_sent
body 7 "\"maybe_sent\":true"
rule sendMessage 1 holds="error 599" status=599
say chat=c1 text="error 599"
later 10000
asked sendMessage 2 "error 599"
no_body 8 maybe_sent
body 9 "\"maybe_sent\":true"

== repeat after an unreadable answer carries maybe sent
# 2xx says that the message was taken, whatever stands behind it.
rule sendMessage 1 holds="unreadable 0" status=200 body=""
say chat=c1 text="unreadable 0"
later 10000
asked sendMessage 2 "unreadable 0"
no_body 0 maybe_sent
body 1 "\"maybe_sent\":true"
rule sendMessage 1 holds="unreadable 1" status=200 body="{\"ok\":"
say chat=c1 text="unreadable 1"
later 10000
asked sendMessage 2 "unreadable 1"
no_body 2 maybe_sent
body 3 "\"maybe_sent\":true"
rule sendMessage 1 holds="unreadable 2" status=200 body="<html>Welcome</html>"
say chat=c1 text="unreadable 2"
later 10000
asked sendMessage 2 "unreadable 2"
no_body 4 maybe_sent
body 5 "\"maybe_sent\":true"

== what one person sees has a window of its own
quiet 2 4
say chat=c1 text=board
say whisper chat=c1 to=ann text="a hand"
say direct to=bo text=private
say chat=c1 text=board
say whisper chat=c1 to=ann text="a hand"
say direct to=bo text=private
say chat=c1 text=board
say whisper chat=c1 to=ann text="a hand"
say direct to=bo text=private
say chat=c1 text=board
say whisper chat=c1 to=ann text="a hand"
say direct to=bo text=private
say chat=c1 text=board
say whisper chat=c1 to=ann text="a hand"
say direct to=bo text=private
say chat=c1 text=board
say whisper chat=c1 to=ann text="a hand"
say direct to=bo text=private
go
asked sendMessage 2 board
asked sendMessage 4 "a hand"
asked openDirect 2
asked sendMessage 2 private

== the repeat of a board tells what its first attempt told
# A network that knows transaction ids keeps the first: the second must not tell more than that.
pace 20
say chat=c1 slot=board:1 text="Match 1|\nAnn plays.|\nField"
go
say chat=c1 slot=board:2 text="Match 2|\nBo plays.|\nField"
later 1000
rule editMessageText 1 holds="Ann draws." hangs_up done
say chat=c1 slot=board:1 text="Match 1|\nAnn draws.|\nField"
until editMessageText "Ann draws."
say chat=c1 slot=board:2 text="Match 2|\nBo draws.|\nField"
later 600000
asked editMessageText 2 "Match 1\\nAnn draws.\\nField\""
asked editMessageText 1 "Match 2\\nBo draws."
rows 0

== a board is edited only if two hands could still follow at once
# An account that may send one message in five seconds, after a burst of four.
limit account_per_second_x100=20 account_burst=4
say chat=c1 slot=board text="Head 1|\nAnn plays.|\nField 1"
go
say chat=c2 text=hand
go
count 2
say chat=c1 slot=board text="Head 2|\nBo plays.|\nField 2"
go
count 2
say chat=c2 text=hand
go
asked sendMessage 2 hand
asked editMessageText 0
later 5000
say chat=c1 slot=board text="Head 3|\nAnn plays again.|\nField 3"
say chat=c1 text="a result"
later 20000
asked editMessageText 1 "Head 3\\nBo plays.\\nAnn plays again."
asked sendMessage 1 "a result"
rows 0
