-- What somebody has written to guests is on their pages, which ask again every few seconds: few of the messages are of this kind.
create index messages_written on messages (org_id, created_at) where texts is not null;
