-- Who was marked as having left early by mistake is on tour again.

insert into legal_transitions (machine, from_status, to_status) values ('manifest_entries', 'left_early', 'on_tour');
