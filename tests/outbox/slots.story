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
