-- Rules of a good assignment (rest, hours, language, certificates, distance) may be broken by whoever assigns people, with a reason. The audit
-- log holds both with the assignment.

alter table assignments
  add column broken_rules text[] not null default '{}',
  add column override_reason text,
  add constraint assignments_broken_rules_known check (broken_rules <@ array['language', 'certificate', 'rest', 'hours', 'base']),
  add constraint assignments_override_has_reason check (cardinality(broken_rules) = 0 or coalesce(override_reason, '') <> '');
comment on column assignments.broken_rules is 'What spoke against the person when somebody assigned or asked them all the same.';
