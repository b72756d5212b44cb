import { type RawBuilder, sql } from 'kysely'

/** What the publishers of revisions wrote, oldest first: those after one up to the departure's (alias `d`); revisions without a note are left out. */
export const changeNotesSince = (revisionNumber: RawBuilder<unknown>): RawBuilder<unknown> => sql`array(
  select r.note from tour_revisions r join tour_revisions now on now.org_id = d.org_id and now.id = d.revision_id
  where r.org_id = d.org_id and r.tour_id = d.tour_id and r.number > ${revisionNumber} and r.number <= now.number and trim(r.note) <> ''
  order by r.number)`
