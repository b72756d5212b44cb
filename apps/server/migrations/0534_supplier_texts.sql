-- What suppliers read, where an organization has written it itself: one row of `notification_rules` for each kind of message. Nothing leaves by
-- itself: of these rows the texts alone are used.
create unique index notification_rules_suppliers_once on notification_rules (org_id, event) where audience = 'suppliers';
