-- An import looks for the people of its lines among everybody: by address as it is written (addresses are kept in lower case) and by birth date.
-- The indexes for searching are on functions, which row-level security keeps from being used.
create index travelers_email_as_written on travelers (org_id, email) where email is not null;
create index traveler_private_birth on traveler_private (org_id, date_of_birth) where date_of_birth is not null;
