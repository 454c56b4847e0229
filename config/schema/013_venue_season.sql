-- A session no longer keeps the season of its chats. Sums are those of rows without one until they are written again.
UPDATE session SET line = replace(replace(replace(line, ' season=1', ''), ' season=2', ''), ' season=3', ''), sum = 1
    WHERE line LIKE '% season=%';
UPDATE session SET line = replace(replace(replace(line, ' v1.season=1', ''), ' v1.season=2', ''), ' v1.season=3', ''),
    sum = 1 WHERE line LIKE '% v1.season=%';
UPDATE session SET line = replace(replace(replace(line, ' v2.season=1', ''), ' v2.season=2', ''), ' v2.season=3', ''),
    sum = 1 WHERE line LIKE '% v2.season=%';
