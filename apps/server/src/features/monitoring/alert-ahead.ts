/** How far ahead alerts look, where the settings page has no field for it. See docs/domain.md, "Alerts". */
export const ahead = {
  leadGuideHours: 24,
  belowMinimumDays: 3,
  certificateDays: 30,
  serviceHours: 48,
  /** Ours: as long as an unanswered offer is named ahead on the overview. */
  holdHours: 2,
  /** Ours: an older failure is no longer news. */
  messageHours: 24,
  /** Ours: as far ahead as the list of travelers names arrivals; a passport takes longer than that, but a copy of one does not. */
  documentsDays: 7,
  /** Ours: from here on it is a warning, as services that are not confirmed are. */
  documentsUrgentHours: 48,
  /** Ours: as far ahead as services are to be confirmed; what is further away is still being planned. */
  restHours: 48,
  /** How far back the duty before may have ended, and more than any way takes on top of the rest. */
  restBackHours: 36,
} as const
