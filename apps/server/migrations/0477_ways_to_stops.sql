-- How guests come to a stop from the one before: null is the way of the tour, on foot on a walking tour and by road otherwise. Where no signal
-- is expected on that way, nobody is alarmed by silence there.
alter table departure_stops
  add column travel_mode text constraint departure_stops_travel_mode_known check (travel_mode in ('walk', 'drive', 'boat', 'rail', 'air')),
  add column signal_gap boolean not null default false;
