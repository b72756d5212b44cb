-- A failed delivery can be sent again; its message then counts as being sent, and is judged anew. Before, a message that had failed once
-- kept its departure from being ready for good.
insert into legal_transitions (machine, from_status, to_status) values
  ('messages', 'partly_failed', 'sending'), ('messages', 'failed', 'sending');
