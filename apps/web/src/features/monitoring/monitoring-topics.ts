/** What a row of the monitoring list is made of. */
export const departureTopics = [
  'departures',
  'departure_stops',
  'manifest_entries',
  'headcounts',
  'assignments',
  'vehicle_assignments',
  'alerts',
] as const
