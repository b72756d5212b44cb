// What one person may have or ask for, so that nobody takes from others what all share. Drafts are limited in the database
// (`documents_drafts_per_person`), presence by its path: each person has one in an organization.

/** Live streams of one person at once in one process: one for each open tab. */
export const streamsPerPerson = 30

/** Different permissions that a person asks administrators for within a day. */
export const accessRequestsPerDay = 5
