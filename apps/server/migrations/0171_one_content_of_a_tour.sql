-- Days, stops, routes, units and the calendar of a tour are the content of its revisions (tour_revisions.content), where they can be
-- published as one and read as they were. These five tables said the same a second time; nothing has ever written to them.
drop table tour_schedules;
drop table tour_units;
drop table tour_routes;
drop table tour_stops;
drop table tour_days;
