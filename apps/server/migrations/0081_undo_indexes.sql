-- Undoing an import deletes people and bookings by the thousand, and each deletion looks for whatever still names them.
create index travelers_merged_into on travelers (org_id, merged_into_id) where merged_into_id is not null;
create index feedback_booking on feedback (org_id, booking_id) where booking_id is not null;
create index feedback_traveler on feedback (org_id, traveler_id) where traveler_id is not null;
create index roll_call_responses_traveler on roll_call_responses (org_id, traveler_id) where traveler_id is not null;
create index notification_preferences_traveler on notification_preferences (org_id, traveler_id) where traveler_id is not null;
