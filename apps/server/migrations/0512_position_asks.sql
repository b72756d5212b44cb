-- The office asks the phone of somebody on duty where it is now. See docs/decisions/0164. Who asked is in the audit log.
alter table duty_sessions add column asked_at timestamptz;
comment on column duty_sessions.asked_at is 'When the office last asked the phone of this person for a position.';

-- Nobody is asked whose position would not be stored: the rule of I9, a moment earlier. After keep_duty_times, which says since when somebody agrees.
create function keep_position_ask() returns trigger language plpgsql as $$
begin
  if new.asked_at is null or tg_op = 'UPDATE' and new.asked_at is not distinct from old.asked_at then return new; end if;
  if new.status <> 'open' or new.staff_id is null or new.tracked_from is null or new.break_started_at is not null then
    raise exception 'only somebody on duty who agrees to be seen, and has no break, is asked for a position' using errcode = 'check_violation',
      constraint = 'duty_sessions_ask_is_seen', table = 'duty_sessions';
  end if;
  return new;
end $$;
create trigger keep_position_ask before insert or update on duty_sessions for each row execute function keep_position_ask();
