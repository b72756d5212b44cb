-- Whether a rule for guests is for a booking: of the tours and channels of sale that `notification_rules.audience_selector` names, where it names any.
-- Sending and counting back ask the same. See docs/decisions/0151.
create function in_audience(p_audience jsonb, p_tour_id uuid, p_channel text) returns boolean language sql immutable parallel safe as $$
  select (coalesce(jsonb_array_length(p_audience -> 'tourIds'), 0) = 0 or p_audience -> 'tourIds' ? p_tour_id::text)
    and (coalesce(jsonb_array_length(p_audience -> 'channels'), 0) = 0 or p_audience -> 'channels' ? p_channel)
$$;
comment on column notification_rules.audience_selector is 'tourIds and channels: lists, of which an empty one is no limit.';
