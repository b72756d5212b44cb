/** Statements that no test of the server runs in its own process on the database of the run, so that nobody compares their row types. This list only shrinks. */
export const unjudgedRows: readonly string[] = [
  'src/platform/db/primary.ts timelineOf',
  'src/platform/backup/export-rows.ts findReaders',
  'src/platform/backup/take-backup.ts describe',
  'src/platform/doctor/database-findings.ts roleFindings',
  'src/platform/doctor/database-findings.ts queueFindings',
  'src/features/bookings/bookings-create.ts freeBookingRef',
  'seed/delete-organizations.ts deleteOrganizations',
  'seed/demo.ts removeInterrupted',
  'src/keys.ts',
  'src/platform/channels/courier.ts #deliverRound',
  'src/reset-second-factor.ts',
  'src/platform/db/schema-text.ts describeSchema',
]
