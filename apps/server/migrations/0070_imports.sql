-- Imports at work: what the file looks like and how far a job is. Both hold values of the file or change many times a
-- second, so they stand beside the batch and stay out of the log.

create table import_work (
  org_id text not null,
  batch_id uuid not null,
  analysis jsonb not null default '{}',
  kept jsonb not null default '[]',
  -- the run that may write here; a run that was overtaken finds its id gone and ends
  run_id uuid,
  job text,
  phase text,
  done int not null default 0,
  total int not null default 0,
  started_at timestamptz,
  heartbeat_at timestamptz,
  stop_requested boolean not null default false,
  primary key (org_id, batch_id),
  constraint import_work_batch_fk foreign key (org_id, batch_id) references import_batches on delete cascade,
  constraint import_work_job_known check (job in ('preview', 'apply', 'undo')),
  constraint import_work_counts_range check (done >= 0 and total >= 0)
);
comment on column import_work.analysis is 'Columns of the file with their first values and words, the first line, encoding and separator.';
comment on column import_work.kept is 'Whom an undo left alone: name and departure.';
select guard_table('import_work', 'batch_id', p_recorded => false);

alter table import_rows add column party int not null default 0;
comment on column import_rows.party is 'Line of the first row of the same booking: parties are taken or refused together, in the order of the file.';
create index import_rows_party on import_rows (org_id, batch_id, party, line);
