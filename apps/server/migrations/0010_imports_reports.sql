-- Files, imports with their preview and undo, report runs.

create table files (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  path text not null,
  purpose text not null,
  file_name text not null,
  content_type text not null,
  size_bytes bigint not null,
  received_bytes bigint not null default 0,
  sha256 bytea,
  status text not null default 'uploading',
  public boolean not null default false,
  metadata jsonb not null default '{}',
  created_by text,
  completed_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint files_path_unique unique (org_id, path),
  constraint files_status_known check (status in ('uploading', 'stored', 'failed', 'deleted')),
  constraint files_size_range check (size_bytes >= 0 and received_bytes >= 0),
  constraint files_sha256_length check (octet_length(sha256) = 32)
);
select guard_table('files');
alter table traveler_documents add constraint traveler_documents_file_fk foreign key (org_id, file_id) references files;
alter table staff_certificates add constraint staff_certificates_file_fk foreign key (org_id, file_id) references files;
alter table incident_entries add constraint incident_entries_file_fk foreign key (org_id, file_id) references files;

create table import_batches (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  kind text not null,
  file_id uuid,
  file_name text not null,
  sha256 bytea,
  mapping jsonb not null default '{}',
  options jsonb not null default '{}',
  status text not null default 'parsed',
  counts jsonb not null default '{}',
  progress jsonb not null default '{}',
  errors jsonb not null default '[]',
  applied_at timestamptz,
  undone_at timestamptz,
  created_by text,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint import_batches_file_fk foreign key (org_id, file_id) references files,
  constraint import_batches_kind_known check (kind in ('manifest', 'travelers', 'rooming', 'staff', 'tours')),
  constraint import_batches_status_known check (status in ('parsed', 'previewed', 'applied', 'undone', 'failed'))
);
create index import_batches_created_at on import_batches (org_id, created_at);
select guard_table('import_batches');
select guard_status('import_batches', 'import_batches');

-- Staging, one row per line of the file: what it says, what it would change, what it did change. Holds raw input, so
-- it is kept out of the log, and purged with the batch.
create table import_rows (
  org_id text not null,
  batch_id uuid not null,
  line int not null,
  status text not null,
  reason text,
  raw jsonb not null default '{}',
  before jsonb,
  after jsonb,
  departure_id uuid,
  booking_id uuid,
  traveler_id uuid,
  manifest_entry_id uuid,
  created_entities jsonb not null default '[]',
  primary key (org_id, batch_id, line),
  constraint import_rows_batch_fk foreign key (org_id, batch_id) references import_batches on delete cascade,
  constraint import_rows_status_known check (status in ('add', 'change', 'unchanged', 'rejected')),
  constraint import_rows_rejected_has_reason check (status <> 'rejected' or coalesce(reason, '') <> ''),
  constraint import_rows_line_range check (line > 0)
);
comment on table import_rows is 'The ids are notes for undoing and carry no foreign key: what they name may be gone by then.';
create index import_rows_status on import_rows (org_id, batch_id, status, line);
create index import_rows_traveler on import_rows (org_id, traveler_id) where traveler_id is not null;
select guard_table('import_rows', 'batch_id,line', p_recorded => false);

alter table bookings add constraint bookings_import_batch_fk foreign key (org_id, import_batch_id) references import_batches;
alter table travelers add constraint travelers_import_batch_fk foreign key (org_id, import_batch_id) references import_batches;
alter table manifest_entries add constraint manifest_entries_import_batch_fk foreign key (org_id, import_batch_id) references import_batches;

create table report_runs (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  report text not null,
  params jsonb not null default '{}',
  params_hash text not null,
  as_of timestamptz not null default app_now(),
  row_count int not null default 0,
  totals jsonb not null default '{}',
  created_by text,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint report_runs_row_count_range check (row_count >= 0)
);
create index report_runs_report on report_runs (org_id, report, as_of);
select guard_table('report_runs');
