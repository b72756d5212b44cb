-- Until 0153 somebody who cannot arrive broke the rule "rest". An offer that was made before with a reason stays acceptable for what the
-- reason was given for: its yes is judged by today's names. Offers of later name both rules themselves.
alter table assignments no force row level security;
update assignments a set broken_rules = a.broken_rules || '{travel}'
where a.status = 'offered' and 'rest' = any (a.broken_rules) and 'travel' <> all (a.broken_rules)
  and a.offered_at < (select m.applied_at from migrations.applied m where m.name like '0153\_%');
alter table assignments force row level security;
