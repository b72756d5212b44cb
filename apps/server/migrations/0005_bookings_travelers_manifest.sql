-- Who travels: bookings with the seat counters, travelers, the manifest, rooms, check-ins, head counts, feedback.

create function units_pax(units jsonb) returns int language sql immutable parallel safe
return (select coalesce(sum((unit ->> 'qty')::int * coalesce((unit ->> 'paxCount')::int, 1)), 0)::int from jsonb_array_elements(units) as unit);
comment on function units_pax is 'Persons counted for capacity: quantity times paxCount of the unit as sold.';

create function units_are_sound(units jsonb) returns boolean language sql immutable parallel safe
return jsonb_typeof(units) = 'array' and not exists (
  select from jsonb_array_elements(units) as unit
  where coalesce(unit ->> 'unitType', '') not in ('adult', 'youth', 'child', 'infant', 'family', 'senior', 'student', 'military', 'other')
    or coalesce((unit ->> 'qty')::int, 0) <= 0 or coalesce((unit ->> 'paxCount')::int, 1) < 0 or coalesce((unit ->> 'priceMinor')::bigint, 0) < 0
);

-- changed often: room for the next version on the same page spares the indexes
create table bookings (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  booking_ref text not null,
  departure_id uuid not null,
  status text not null,
  kind text not null default 'seat_in_coach',
  channel text not null default 'direct',
  seller_name text,
  external_ref text,
  contact_name text not null default '',
  contact_email text,
  contact_phone text,
  contact_locale text,
  contact_country text,
  units jsonb not null,
  pax int not null,
  amount_total_minor bigint not null default 0,
  amount_paid_minor bigint not null default 0,
  currency text not null,
  payment_status text not null default 'unpaid',
  pickup_place_id uuid,
  pickup_at timestamptz,
  notes text,
  expires_at timestamptz,
  waitlist_rank int,
  confirmed_at timestamptz,
  cancelled_at timestamptz,
  cancel_reason text,
  import_batch_id uuid,
  search_text text not null generated always as (
    ' ' || searchable(booking_ref || ' ' || coalesce(external_ref, '') || ' ' || contact_name) || ' ' || coalesce(digits_of(contact_phone), '') || ' ' || coalesce(lower(contact_email collate "C"), '')
  ) stored,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint bookings_departure_fk foreign key (org_id, departure_id) references departures,
  constraint bookings_pickup_place_fk foreign key (org_id, pickup_place_id) references places,
  constraint bookings_ref_unique unique (org_id, booking_ref),
  constraint bookings_on_departure_unique unique (org_id, id, departure_id),
  constraint bookings_ref_length check (char_length(booking_ref) between 3 and 60),
  constraint bookings_status_known check (status in ('on_hold', 'requested', 'waitlisted', 'confirmed', 'expired', 'rejected', 'cancelled', 'completed')),
  constraint bookings_kind_known check (kind in ('fit', 'seat_in_coach', 'closed_group')),
  constraint bookings_channel_known check (channel in ('direct', 'phone', 'agent', 'ota', 'partner', 'walk_in', 'import')),
  constraint bookings_payment_status_known check (payment_status in ('unpaid', 'deposit', 'paid', 'refunded', 'agent_credit')),
  constraint bookings_units_sound check (units_are_sound(units)),
  constraint bookings_pax_matches_units check (pax > 0 and pax = units_pax(units)),
  constraint bookings_amounts_not_negative check (amount_total_minor >= 0 and amount_paid_minor >= 0),
  constraint bookings_currency_code check (currency ~ '^[A-Z]{3}$'),
  constraint bookings_hold_has_expiry check (status <> 'on_hold' or expires_at is not null),
  constraint bookings_contact_country_code check (contact_country ~ '^[A-Z]{2}$')
) with (fillfactor = 85);
create unique index bookings_external_ref_unique on bookings (org_id, channel, external_ref) where external_ref is not null;
create index bookings_departure on bookings (org_id, departure_id, status);
create index bookings_search on bookings using gin (search_text gin_trgm_ops);
create index bookings_holds on bookings (org_id, expires_at) where status = 'on_hold';
create index bookings_created_at on bookings (org_id, created_at);
create index bookings_confirmed_at on bookings (org_id, confirmed_at);
create index bookings_import_batch on bookings (org_id, import_batch_id) where import_batch_id is not null;
select guard_table('bookings');
select guard_status('bookings', 'bookings');
create trigger mark_import before insert or update on bookings for each row execute function mark_import();

create function check_booking() returns trigger language plpgsql as $$
begin
  if new.status = 'on_hold' and (tg_op = 'INSERT' or old.status <> 'on_hold') and new.expires_at <= app_now() then
    raise exception 'A hold must end in the future.' using errcode = 'check_violation', constraint = 'bookings_hold_ends_in_future', table = 'bookings', column = 'expires_at';
  end if;
  if tg_op = 'UPDATE' and old.status = 'on_hold' and new.status = 'confirmed' and old.expires_at <= app_now() then
    raise exception 'The hold has run out.' using errcode = 'check_violation', constraint = 'bookings_hold_not_expired', table = 'bookings';
  end if;
  if new.status = 'confirmed' and new.confirmed_at is null then new.confirmed_at := app_now(); end if;
  if new.status = 'cancelled' and new.cancelled_at is null then new.cancelled_at := app_now(); end if;
  return new;
end $$;
create trigger check_booking before insert or update on bookings for each row execute function check_booking();

-- I3. The counters are counted anew under the lock of the departure, never added to: whatever order statements and
-- sweeps come in, they are right. Holds that have run out make room first.
create function count_seats_of(p_org_id text, p_departure_ids uuid[]) returns void language plpgsql as $$
begin
  -- one order for everyone, so that two bulk writes wait instead of deadlocking
  perform from departures where org_id = p_org_id and id = any (p_departure_ids) order by id for no key update;
  if exists (
    select from departures d where d.org_id = p_org_id and d.id = any (p_departure_ids) and d.capacity + d.overbook_limit < (
      select coalesce(sum(b.pax), 0) from bookings b
      where b.org_id = p_org_id and b.departure_id = d.id and b.status in ('on_hold', 'confirmed', 'completed'))
  ) then
    update bookings set status = 'expired'
    where org_id = p_org_id and departure_id = any (p_departure_ids) and status = 'on_hold' and expires_at <= app_now();
  end if;
  update departures d set seats_confirmed = s.confirmed, seats_held = s.held, waitlist_count = s.waiting
  from (
    select d2.id,
      coalesce(sum(b.pax) filter (where b.status in ('confirmed', 'completed')), 0)::int as confirmed,
      coalesce(sum(b.pax) filter (where b.status = 'on_hold'), 0)::int as held,
      (count(*) filter (where b.status = 'waitlisted'))::int as waiting
    from unnest(p_departure_ids) as d2 (id) left join bookings b on b.org_id = p_org_id and b.departure_id = d2.id
    group by d2.id
  ) s
  where d.org_id = p_org_id and d.id = s.id
    and (d.seats_confirmed, d.seats_held, d.waitlist_count) is distinct from (s.confirmed, s.held, s.waiting);
end $$;

create function count_seats() returns trigger language plpgsql as $$
declare
  touched record;
begin
  if tg_op = 'INSERT' then
    for touched in select org_id, array_agg(distinct departure_id) as ids from new_rows group by org_id loop
      perform count_seats_of(touched.org_id, touched.ids);
    end loop;
  elsif tg_op = 'DELETE' then
    for touched in select org_id, array_agg(distinct departure_id) as ids from old_rows group by org_id loop
      perform count_seats_of(touched.org_id, touched.ids);
    end loop;
  else
    for touched in
      select n.org_id, array_agg(distinct moved.departure_id) as ids
      from old_rows o join new_rows n on n.org_id = o.org_id and n.id = o.id, unnest(array[o.departure_id, n.departure_id]) as moved (departure_id)
      where (o.departure_id, o.status, o.pax) is distinct from (n.departure_id, n.status, n.pax)
      group by n.org_id
    loop
      perform count_seats_of(touched.org_id, touched.ids);
    end loop;
  end if;
  return null;
end $$;
create trigger count_seats_insert after insert on bookings referencing new table as new_rows for each statement execute function count_seats();
create trigger count_seats_update after update on bookings referencing old table as old_rows new table as new_rows for each statement execute function count_seats();
create trigger count_seats_delete after delete on bookings referencing old table as old_rows for each statement execute function count_seats();

create function sweep_holds() returns int language plpgsql as $$
declare
  swept int;
begin
  update bookings set status = 'expired' where org_id = app_org_id() and status = 'on_hold' and expires_at <= app_now();
  get diagnostics swept = row_count;
  return swept;
end $$;
comment on function sweep_holds is 'Gives back the seats of holds that have run out, of the organization of the transaction.';

create table travelers (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  first_name text not null default '',
  last_name text not null default '',
  preferred_name text,
  gender text,
  nationality text,
  residence_country text,
  languages text[] not null default '{}',
  email text,
  phone text,
  dietary text[] not null default '{}',
  dietary_note text,
  mobility text not null default 'none',
  mobility_note text,
  emergency_name text,
  emergency_relation text,
  emergency_phone text,
  tags text[] not null default '{}',
  marketing_consent boolean not null default false,
  lifetime_tours int not null default 0,
  lifetime_last_at timestamptz,
  merged_into_id uuid,
  anonymised_at timestamptz,
  archived_at timestamptz,
  import_batch_id uuid,
  search_text text not null generated always as (
    ' ' || searchable(first_name || ' ' || last_name
      -- where names are written without a space, and the family name first
      || case when octet_length(last_name) > char_length(last_name) then ' ' || last_name || first_name else '' end
      || coalesce(' ' || preferred_name, '')) || ' ' || coalesce(digits_of(phone), '') || ' ' || coalesce(lower(email collate "C"), '')
  ) stored,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint travelers_merged_into_fk foreign key (org_id, merged_into_id) references travelers,
  constraint travelers_have_a_name check (first_name <> '' or last_name <> ''),
  constraint travelers_name_length check (char_length(first_name) <= 100 and char_length(last_name) <= 100),
  constraint travelers_country_codes check (nationality ~ '^[A-Z]{2}$' and residence_country ~ '^[A-Z]{2}$'),
  constraint travelers_dietary_known check (dietary <@ array['vegetarian', 'vegan', 'halal', 'kosher', 'gluten_free', 'dairy_free', 'nut_allergy', 'shellfish_allergy', 'other']),
  constraint travelers_mobility_known check (mobility in ('none', 'cane', 'wheelchair', 'no_stairs', 'other')),
  constraint travelers_not_merged_into_itself check (merged_into_id <> id)
) with (fillfactor = 85);
comment on column travelers.search_text is 'Name, phone digits and e-mail, as searchable() has them; begins with a space so that word starts can be asked for.';
create index travelers_search on travelers using gin (search_text gin_trgm_ops);
-- The list shows neither merged nor archived people; these let it count and page without touching the table.
create index travelers_last_name on travelers (org_id, last_name collate "und-x-icu", first_name collate "und-x-icu", id)
  where merged_into_id is null and archived_at is null;
create index travelers_first_name on travelers (org_id, first_name collate "und-x-icu", last_name collate "und-x-icu", id)
  where merged_into_id is null and archived_at is null;
create index travelers_nationality on travelers (org_id, nationality, last_name collate "und-x-icu", first_name collate "und-x-icu", id)
  where merged_into_id is null and archived_at is null;
create index travelers_created_at on travelers (org_id, created_at, id) where merged_into_id is null and archived_at is null;
create index travelers_lifetime_tours on travelers (org_id, lifetime_tours, id) where merged_into_id is null and archived_at is null;
create index travelers_tags on travelers using gin (tags);
-- the rules of "C" for lower case: addresses are ASCII, and the Unicode rules cost ten times as much
create index travelers_email on travelers (org_id, lower(email collate "C")) where email is not null;
create index travelers_phone on travelers (org_id, phone) where phone is not null;
create index travelers_import_batch on travelers (org_id, import_batch_id) where import_batch_id is not null;
select guard_table('travelers', 'id', 'emergency_name,emergency_relation,emergency_phone,dietary_note,mobility_note');
create trigger mark_import before insert or update on travelers for each row execute function mark_import();

-- Sensitive: a table of its own, so that no list reads it by accident and purging is deleting (product description, 4.4)
create table traveler_private (
  org_id text not null,
  traveler_id uuid not null,
  date_of_birth date,
  medical_note text,
  keep_by_consent boolean not null default false,
  import_batch_id uuid,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, traveler_id),
  constraint traveler_private_traveler_fk foreign key (org_id, traveler_id) references travelers on delete cascade,
  constraint traveler_private_birth_range check (date_of_birth between date '1900-01-01' and date '2200-01-01')
);
select guard_table('traveler_private', 'traveler_id', 'date_of_birth,medical_note');
create trigger mark_import before insert or update on traveler_private for each row execute function mark_import();

create table traveler_documents (
  org_id text not null,
  id uuid not null,
  traveler_id uuid not null,
  kind text not null,
  number_encrypted bytea,
  number_last4 text,
  country text,
  expires_on date,
  file_id uuid,
  verified_at timestamptz,
  import_batch_id uuid,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint traveler_documents_traveler_fk foreign key (org_id, traveler_id) references travelers on delete cascade,
  constraint traveler_documents_kind_known check (kind in ('passport', 'id', 'visa', 'insurance')),
  constraint traveler_documents_country_code check (country ~ '^[A-Z]{2}$'),
  constraint traveler_documents_last4_length check (char_length(number_last4) <= 4)
);
create index traveler_documents_traveler on traveler_documents (org_id, traveler_id);
create index traveler_documents_last4 on traveler_documents (org_id, number_last4);
select guard_table('traveler_documents', 'id', 'number_encrypted,number_last4');
create trigger mark_import before insert or update on traveler_documents for each row execute function mark_import();

create table manifest_entries (
  org_id text not null,
  id uuid not null,
  departure_id uuid not null,
  booking_id uuid not null,
  traveler_id uuid not null,
  unit_type text not null default 'adult',
  status text not null default 'expected',
  seat_or_group text,
  assigned_staff_id uuid,
  pickup_stop_id uuid,
  waiver_signed_at timestamptz,
  flags text[] not null default '{}',
  check_in_at timestamptz,
  check_in_by text,
  import_batch_id uuid,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint manifest_entries_departure_fk foreign key (org_id, departure_id) references departures,
  -- moving a booking moves its people: the entry's departure is the booking's departure
  constraint manifest_entries_booking_fk foreign key (org_id, booking_id, departure_id) references bookings (org_id, id, departure_id) on update cascade on delete cascade,
  constraint manifest_entries_traveler_fk foreign key (org_id, traveler_id) references travelers,
  constraint manifest_entries_pickup_stop_fk foreign key (org_id, pickup_stop_id) references departure_stops,
  constraint manifest_entries_on_departure_unique unique (org_id, departure_id, id),
  constraint manifest_entries_status_known check (status in ('expected', 'checked_in', 'on_tour', 'finished', 'left_early', 'missing', 'no_show', 'cancelled')),
  constraint manifest_entries_unit_type_known check (unit_type in ('adult', 'youth', 'child', 'infant', 'family', 'senior', 'student', 'military', 'other'))
) with (fillfactor = 85);
create unique index manifest_entries_traveler_once on manifest_entries (org_id, departure_id, traveler_id) where status <> 'cancelled';
create index manifest_entries_departure on manifest_entries (org_id, departure_id, status);
create index manifest_entries_booking on manifest_entries (org_id, booking_id);
create index manifest_entries_traveler on manifest_entries (org_id, traveler_id, departure_id);
create index manifest_entries_pickup_stop on manifest_entries (org_id, pickup_stop_id) where pickup_stop_id is not null;
create index manifest_entries_import_batch on manifest_entries (org_id, import_batch_id) where import_batch_id is not null;
select guard_table('manifest_entries');
select guard_status('manifest_entries', 'manifest_entries');
create trigger mark_import before insert or update on manifest_entries for each row execute function mark_import();

-- What the transitions of a departure demand, as far as rows can say it (product description, 4.3 and 4.8)
create function check_departure() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.seats_confirmed := 0; new.seats_held := 0; new.waitlist_count := 0;
    return new;
  end if;
  if pg_trigger_depth() = 1 and (new.seats_confirmed, new.seats_held, new.waitlist_count) is distinct from (old.seats_confirmed, old.seats_held, old.waitlist_count) then
    raise exception 'Seat counters follow from the bookings.' using errcode = 'restrict_violation', constraint = 'departures_counters_are_derived', table = 'departures';
  end if;
  if old.status = 'completed' and new.status = 'in_progress' and old.actual_end_at < app_now() - interval '2 hours' then
    raise exception 'A departure can be reopened for two hours after its end.' using errcode = 'check_violation', constraint = 'departures_reopen_within_two_hours', table = 'departures';
  end if;
  if old.sales_status = 'closed' and new.sales_status = 'open' and new.starts_at <= app_now() then
    raise exception 'Sales can be reopened only before the start.' using errcode = 'check_violation', constraint = 'departures_sales_reopen_while_future', table = 'departures';
  end if;
  if old.status = 'in_progress' and new.status = 'completed' and exists (
    select from manifest_entries m where m.org_id = new.org_id and m.departure_id = new.id and m.status in ('expected', 'missing')) then
    raise exception 'Somebody is still expected or missing.' using errcode = 'check_violation', constraint = 'departures_everyone_accounted_for', table = 'departures';
  end if;
  return new;
end $$;
create trigger check_departure before insert or update on departures for each row execute function check_departure();

create table rooms (
  org_id text not null,
  id uuid not null,
  departure_id uuid not null,
  night_date date not null,
  place_id uuid,
  type text not null,
  room_key text,
  share_note text,
  import_batch_id uuid,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint rooms_departure_fk foreign key (org_id, departure_id) references departures on delete cascade,
  constraint rooms_place_fk foreign key (org_id, place_id) references places,
  constraint rooms_on_departure_unique unique (org_id, departure_id, id),
  constraint rooms_type_known check (type in ('SGL', 'DBL', 'TWN', 'TRP', 'QUAD', 'DORM', 'TENT'))
);
create index rooms_departure on rooms (org_id, departure_id, night_date);
select guard_table('rooms');
create trigger mark_import before insert or update on rooms for each row execute function mark_import();

create table room_assignments (
  org_id text not null,
  room_id uuid not null,
  manifest_entry_id uuid not null,
  import_batch_id uuid,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, room_id, manifest_entry_id),
  constraint room_assignments_room_fk foreign key (org_id, room_id) references rooms on delete cascade,
  constraint room_assignments_entry_fk foreign key (org_id, manifest_entry_id) references manifest_entries on delete cascade
);
create index room_assignments_entry on room_assignments (org_id, manifest_entry_id);
select guard_table('room_assignments', 'room_id,manifest_entry_id');
create trigger mark_import before insert or update on room_assignments for each row execute function mark_import();

-- I10. Append-only: an undo is one more row.
create table check_ins (
  org_id text not null,
  id uuid not null,
  manifest_entry_id uuid not null,
  departure_stop_id uuid,
  kind text not null,
  at timestamptz not null default app_now(),
  by_staff_id uuid,
  by_user_id text,
  by_link_id uuid,
  method text not null default 'tap',
  client_event_id text not null,
  device_at timestamptz,
  synced_at timestamptz not null default app_now(),
  lat double precision,
  lng double precision,
  primary key (org_id, id),
  constraint check_ins_entry_fk foreign key (org_id, manifest_entry_id) references manifest_entries,
  constraint check_ins_stop_fk foreign key (org_id, departure_stop_id) references departure_stops,
  constraint check_ins_client_event_unique unique (org_id, client_event_id),
  constraint check_ins_kind_known check (kind in ('arrive', 'board', 'leave', 'undo')),
  constraint check_ins_method_known check (method in ('scan', 'tap', 'bulk', 'guest')),
  constraint check_ins_have_an_author check (num_nonnulls(by_staff_id, by_user_id, by_link_id) >= 1),
  constraint check_ins_coordinates_range check (lat between -90 and 90 and lng between -180 and 180),
  constraint check_ins_client_event_length check (char_length(client_event_id) between 8 and 100)
);
create index check_ins_entry on check_ins (org_id, manifest_entry_id, at);
create index check_ins_stop on check_ins (org_id, departure_stop_id);
select guard_table('check_ins', p_grants => 'select, insert');
create trigger append_only before update or delete or truncate on check_ins for each statement execute function refuse_change();

create table headcounts (
  org_id text not null,
  id uuid not null,
  departure_stop_id uuid not null,
  expected int not null,
  counted int not null,
  reason text,
  by_staff_id uuid,
  by_user_id text,
  at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint headcounts_stop_fk foreign key (org_id, departure_stop_id) references departure_stops on delete cascade,
  constraint headcounts_range check (expected >= 0 and counted >= 0),
  constraint headcounts_mismatch_has_reason check (expected = counted or coalesce(reason, '') <> '')
);
create index headcounts_stop on headcounts (org_id, departure_stop_id, at);
select guard_table('headcounts', p_grants => 'select, insert');

create table feedback (
  org_id text not null,
  id uuid not null,
  departure_id uuid not null,
  booking_id uuid,
  traveler_id uuid,
  staff_id uuid,
  tour_rating smallint,
  guide_rating smallint,
  nps smallint,
  comment text,
  language text,
  source text not null default 'link',
  at timestamptz not null default app_now(),
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint feedback_departure_fk foreign key (org_id, departure_id) references departures,
  constraint feedback_booking_fk foreign key (org_id, booking_id) references bookings,
  constraint feedback_traveler_fk foreign key (org_id, traveler_id) references travelers,
  constraint feedback_ratings_range check (tour_rating between 1 and 5 and guide_rating between 1 and 5),
  constraint feedback_nps_range check (nps between 0 and 10),
  constraint feedback_source_known check (source in ('link', 'email', 'ota', 'import'))
);
create index feedback_departure on feedback (org_id, departure_id);
create index feedback_at on feedback (org_id, at);
select guard_table('feedback');
