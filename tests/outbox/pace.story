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
