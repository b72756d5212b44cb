-- First values of a file's columns and its first line are sealed: passport numbers and medical notes stand among them. Those of files that
-- were read before cannot be sealed here and go; what was applied stays as it is, and what was not is uploaded again.
alter table import_work add column samples bytea;
comment on column import_work.samples is 'First values of the columns and the first line, sealed (platform/sealed-text.ts).';
comment on column import_work.analysis is 'Columns of the file with what they hold in numbers, encoding and separator. No values.';
alter table import_work no force row level security;
update import_work set analysis = (analysis - 'sample') || '{"headers": [], "columns": []}' where analysis ? 'sample';
alter table import_work force row level security;
