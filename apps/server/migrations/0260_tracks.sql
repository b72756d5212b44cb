-- Guides read their own positions: those of their own duty, as duty_sessions shows them.
select narrow_own('positions', 'exists (select from duty_sessions u where u.org_id = positions.org_id and u.id = positions.duty_session_id)');

-- Duty of one person or vehicle in some days, for its tracks
create index duty_sessions_staff_started on duty_sessions (org_id, staff_id, started_at) where staff_id is not null;
create index duty_sessions_vehicle_started on duty_sessions (org_id, vehicle_id, started_at) where vehicle_id is not null;
