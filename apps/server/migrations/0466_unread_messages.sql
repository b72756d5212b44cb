-- Which bookings have messages that nobody of the office has read: for lists, and for what needs attention.
create index booking_messages_unread on booking_messages (org_id, booking_id) where author = 'guest' and read_at is null;
