-- An option may ask other prices than its tour: a private departure, one with lunch, one by boat. By kind of seat, in minor units of the tour's
-- currency; a kind that is not named costs what the revision of the tour says. What was sold keeps its price, which is in the booking.

create function option_prices_are_sound(p_prices jsonb) returns boolean
  language sql immutable strict parallel safe as $$
  select jsonb_typeof(p_prices) = 'object' and not exists (
    select from jsonb_each(p_prices) p
     where p.key not in ('adult', 'youth', 'child', 'infant', 'family', 'senior', 'student', 'military', 'other')
        or jsonb_typeof(p.value) <> 'number' or p.value::numeric <> trunc(p.value::numeric) or p.value::numeric not between 0 and 1000000000000)
$$;

alter table tour_options add column prices jsonb not null default '{}',
  add constraint tour_options_prices_sound check (option_prices_are_sound(prices));
