-- Whether a message still waits for one of its thousands of deliveries is asked after every few that left.
create index deliveries_waiting on deliveries (org_id, message_id) where status = 'queued';
