-- Guides accept an offer by the figures that it was made with, and those have the ways of crew in them. Like places, they are nobody's.
select narrow_own('road_ways', 'true');
