== a message that may only replace one is dropped with it
# The hand was taken away: an edit of it has nothing to say. The next hand is a new message.
say chat=c1 slot=hand text="hand 1"
go
rule editMessageText 1 status=400 why="not found"
say chat=c1 slot=hand replace_only text="hand 2"
go
count 2
rows 0
never 0
say chat=c1 slot=hand text="hand 3"
go
count 3
method 2 sendMessage

== buttons that are being closed hold up nothing
say chat=c1 slot=posted:1:1 named text="an offer"
go
say close chat=c1 slot=posted:1:1
pump
running 1
say chat=c1 text="your move"
pump
running 2
go
method 1 editMessageReplyMarkup
rows 0

== what is said while a chat moves goes to the new one alone
# Two are under way when the network tells of the new chat: it is moved to when both are answered.
rule sendMessage 0 holds="\"chat_id\":\"c1\"" status=400 moved=c2
say chat=c1 aside text=one
pump
say chat=c1 aside text=two
pump
running 2
answered
say chat=c1 aside text=three
pump
go
asked sendMessage 0 "\"c1\",\"text\":\"three\""
asked sendMessage 1 "\"c2\",\"text\":\"three\""
later 60000
asked sendMessage 3 "\"c2\""
rows 0

== what becomes a new message answers what the unsent one did
pace 1
say chat=c1 text=first
go
say chat=c1 slot=hand press=q1 reply_to=41 text="hand 1"
say chat=c1 slot=hand replace_only text="hand 2"
later 600000
count 2
method 1 sendMessage
body 1 "hand 2"
body 1 "\"callback_query_id\":\"q1\""
body 1 "\"reply_to\":\"41\""

== an edit that takes the place of an edit is still no new message
pace 2
say chat=c1 slot=hand text="hand 1"
say chat=c1 text=talk
go
rule editMessageText 1 status=400 why="not found"
say chat=c1 slot=hand replace_only text="hand 2"
say chat=c1 slot=hand replace_only text="hand 3"
later 600000
asked any 0 "hand 2"
asked sendMessage 0 "hand 3"
rows 0

== what closes the buttons of an offer is not replaced by the next offer
quiet 6 0
say chat=c1 slot=posted:1:1 named text="an offer"
3* say chat=c1 text=talk
go
say close chat=c1 slot=posted:1:1
say chat=c1 slot=posted:1:1 named text="another offer"
later 600000
asked editMessageReplyMarkup 1
asked sendMessage 1 "another offer"
rows 0

== a hand whose private chat was opened for it is not replaced
rule sendMessage 1 status=429 retry_after=5
say direct to=bo slot=hand text="hand 1"
go
say direct to=bo slot=hand text="hand 2"
later 60000
asked sendMessage 2 "hand 1"
asked editMessageText 1 "hand 2"
rows 0

== a line that only begins like the next one is told as well
pace 2
say chat=c1 slot=board text="Head 1||\nField 1"
go
say chat=c1 text=ping
go
say chat=c1 slot=board text="Head 2|\nBo wins 1|\nField 2"
say chat=c1 slot=board text="Head 3|\nBo wins 12 coins|\nField 3"
later 600000
asked editMessageText 1 "Head 3\\nBo wins 1\\nBo wins 12 coins\\nField 3"

== a line that the next one goes on is told once
pace 2
say chat=c1 slot=board text="Head 1||\nField 1"
go
say chat=c1 text=ping
go
say chat=c1 slot=board text="Head 2|\nBo plays pine.|\nField 2"
say chat=c1 slot=board text="Head 3|\nBo plays pine. Bo draws rain.|\nField 3"
later 600000
asked editMessageText 1 "Head 3\\nBo plays pine. Bo draws rain.\\nField 3"

== what one person alone may read is told on no board
quiet 2 0
say chat=c1 slot=board:1 text="Head 1||\nField 1"
later 30000
say chat=c1 slot=board:2 text="Head 2||\nField 2"
go
say chat=c1 slot=board:1 text="Head 1|\nAnn plays.|\nField 1"
say whisper chat=c1 to=ann slot=hand text="Hand|\na secret|\nrest"
say chat=c1 slot=board:2 text="Head 2|\nBo plays.|\nField 2"
later 600000
asked editMessageText 1 "Field 1\\n\\nHead 2\\nBo plays."
asked editMessageText 0 secret
asked sendMessage 1 secret

== news of other boards that does not fit waits for its own board
limit per_chat_minute=2 text_chars=60
later 60001
say chat=c1 slot=board:1 text="Head 1||\nField 1"
later 30000
say chat=c1 slot=board:2 text="Head 2||\nField 2"
go
say chat=c1 slot=board:1 text="Head 1|\nAnn plays.|\nField 1"
say chat=c1 slot=board:2 text="Head 2|\nBo plays and draws and takes.|\nField 2"
later 600000
asked editMessageText 1 "Ann plays.\\nField 1\""
asked editMessageText 1 "Head 2\\nBo plays and draws and takes.\\nField 2"
