import { type LinkState, offlineAfter, type Signal, staleAfter } from '@tour-ops/contract/tracking/link-state'
import { type RawBuilder, sql } from 'kysely'

interface Heard {
  /** Of the latest position. */
  readonly recordedAt: RawBuilder<unknown>
  /** How often the device reports, seconds. */
  readonly intervalS: RawBuilder<unknown>
}

const isWithin = ({ seconds, intervals }: typeof staleAfter | typeof offlineAfter, { recordedAt, intervalS }: Heard) =>
  sql`${recordedAt} > app_now() - make_interval(secs => greatest(${sql.lit(seconds)}, ${sql.lit(intervals)} * ${intervalS}))`

/** How fresh a position is now, as `signalOfAge` of the contract reads it on screens. */
export const signal = (heard: Heard): RawBuilder<Signal> => sql<Signal>`case
  when ${isWithin(staleAfter, heard)} then 'live' when ${isWithin(offlineAfter, heard)} then 'stale' else 'offline' end`

/**
 * The state of a person or vehicle now. Who is off duty has no other one, with or without a device.
 *
 * @param link.isOnDuty A condition.
 * @param link.intervalS Null without a device.
 * @param link.recordedAt Of this duty; null before its first position.
 */
export const linkState = (link: Heard & { isOnDuty: RawBuilder<unknown> }): RawBuilder<LinkState> => sql<LinkState>`case
  when not (${link.isOnDuty}) then 'off_duty'
  when ${link.intervalS} is null then 'no_device'
  when ${link.recordedAt} is null then 'no_fix_yet'
  else ${signal(link)} end`
