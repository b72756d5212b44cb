-- Boards and lists at the size of a large operator: 60,000 departures a year, 350 of them on their way.

-- The same as before without `coalesce`: PostgreSQL takes every expression with one for leaky, so that under row-level security no
-- condition with app_now() reached an index ("starts within 24 hours" read all departures of the coming year)
create or replace function app_now() returns timestamptz language sql stable parallel safe
return case when nullif(current_setting('app.now', true), '') is null then now() else current_setting('app.now', true)::timestamptz end;

-- go or no-go decisions
create index departures_decide_by on departures (org_id, decide_by) where status = 'scheduled';

-- whether guests have a document to show, from the index alone: a board asks about thousands of guests
create index traveler_documents_identity on traveler_documents (org_id, traveler_id) include (kind, expires_on) where kind in ('passport', 'id');
