== a hand that answers a press waits nine seconds and no ten
rule sendMessage 1 holds=short status=429 retry_after=9
say whisper chat=c1 to=ann press=q1 text="a short wait"
later 9001
asked sendMessage 2 "a short wait"
never 0
rule sendMessage 1 holds=long status=429 retry_after=10
say whisper chat=c1 to=ann press=q2 text="a long wait"
go
never 1 unreachable "a long wait"
rows 0

== only what a press has asked for gives up waiting
# A board waits out any pause, and so does a hand that nobody has asked for.
rule sendMessage 2 status=429 retry_after=40
say chat=c1 press=q1 text="a board"
say whisper chat=c2 to=ann text="a hand"
go
never 0
later 40001
asked sendMessage 2 "a board"
asked sendMessage 2 "a hand"
rows 0

== a message is too late from the very moment on
say answer press=q1 text=late expires=1000000
say answer press=q2 text=soon expires=1000001
go
count 1
body 0 soon
rows 0

== a chat that was held up and is empty again keeps its order
quiet 2 0
say chat=c1 text=one
go
later 30000
say chat=c1 text=two
go
say chat=c1 text=three
say whisper chat=c1 to=ann press=q1 text="a hand"
later 61000
rows 0
later 30000
say chat=c1 text="a board"
say whisper chat=c1 to=ann press=q2 text="the next hand"
go
asked sendMessage 1 "a board"
asked sendMessage 0 "the next hand"

== what a refusal taught is forgotten after a day
quiet 2 6
rule sendMessage 1 holds="hand 1" status=429 retry_after=5
say whisper chat=c1 to=ann text="hand 1"
later 120000
later 90000000
rule sendMessage 1 holds="hand 2" status=429 retry_after=5
say whisper chat=c1 to=ann text="hand 2"
later 120000
hands 3 2
hands 5 5 # twelve minutes later: not twenty

== in a chat of few messages buttons are closed when it is silent
quiet 2 0
say chat=c1 slot=posted:1:1 named text="an offer"
go
say close chat=c1 slot=posted:1:1
later 59000
asked editMessageReplyMarkup 0
later 2000
asked editMessageReplyMarkup 1

== hands do not share a window as boards do
quiet 8 8
4* say chat=@ann slot=hand:# text="hand"
go
4* say chat=@ann slot=hand:# text="newer hand"
go
asked sendMessage 4 hand
asked editMessageText 4 "newer hand"
4* say whisper chat=c1 to=bo slot=hand:# text="a whisper"
go
4* say whisper chat=c1 to=bo slot=hand:# text="a newer one"
go
asked editMessageText 4 "a newer one"
