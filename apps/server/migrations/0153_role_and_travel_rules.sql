-- Two more rules that may be broken with a reason: somebody whose work the role is not, and somebody who cannot arrive by our estimate.

alter table assignments
  drop constraint assignments_broken_rules_known,
  add constraint assignments_broken_rules_known
    check (broken_rules <@ array['kind', 'language', 'certificate', 'rest', 'travel', 'hours', 'base']) not valid;
alter table assignments validate constraint assignments_broken_rules_known;
