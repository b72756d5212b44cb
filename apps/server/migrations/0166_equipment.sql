-- What is lent for a departure: ice cleats, helmets, child seats, radios. Counted by kind, not told apart piece by piece.

create table equipment (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  name text not null,
  kind text not null,
  quantity int not null,
  sizes text,
  condition text not null default 'good',
  base_place_id uuid,
  note text,
  archived_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint equipment_base_place_fk foreign key (org_id, base_place_id) references places,
  constraint equipment_kind_known check (kind in ('safety', 'clothing', 'child_seat', 'radio', 'other')),
  constraint equipment_condition_known check (condition in ('good', 'worn', 'broken')),
  constraint equipment_quantity_range check (quantity between 0 and 10000)
);
select guard_table('equipment');
-- what the house lends is no fact about people: guides see all of it
select narrow_own('equipment', 'true');
