-- Guests see where their tour is, later and less precisely: what the consent of the crew says. See decision 0087.
alter table shared_links add constraint shared_links_position_blurred
  check (coalesce(scopes ->> 'position', 'false') <> 'true' or (location_delay_s >= 60 and blur_m >= 100));
