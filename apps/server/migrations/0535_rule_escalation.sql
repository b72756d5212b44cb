-- Whom the office tells when a message of a rule for guests has failed for good: a role, or nobody. Only what is written after somebody chose it.
alter table notification_rules add column escalate_to text, add column escalate_since timestamptz,
  add constraint notification_rules_escalate_known check (escalate_to in ('dispatcher', 'operations_manager', 'admin')),
  add constraint notification_rules_escalate_whole check ((escalate_to is null) = (escalate_since is null));
comment on column notification_rules.escalate_to is 'Who is notified of a message of this rule that has failed for good; null: nobody, and the alert message_failed remains.';
alter table messages add column escalated_at timestamptz;
comment on column messages.escalated_at is 'When the role of its rule was notified that it has failed; once, also where it fails again after another try.';
