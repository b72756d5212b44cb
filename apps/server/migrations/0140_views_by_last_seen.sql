-- The users list shows and sorts when somebody was last seen; views that were saved before name the column that it replaced.
alter table saved_views no force row level security;
update saved_views set filters = replace(filters::text, 'lastSignInAt', 'lastSeenAt')::jsonb,
    columns = replace(columns::text, 'lastSignInAt', 'lastSeenAt')::jsonb
  where screen = 'members' and (filters::text like '%lastSignInAt%' or columns::text like '%lastSignInAt%');
alter table saved_views force row level security;
