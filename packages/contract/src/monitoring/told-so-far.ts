import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { ById, Count, Id, Instant } from '../fields.ts'
import { staffRoles } from '../tours/tour-terms.ts'
import { rollCallMessage } from './roll-calls.ts'

/** Parties without news that are listed; more are counted. */
export const maxUntoldShown = 50

/** Kinds of e-mails that bring news of what goes wrong: what somebody wrote, and that the vehicle comes late. */
export const newsKinds = ['guest_message', 'delay_notice', rollCallMessage] as const

/** Why a party has no news yet. */
export const untoldReasons = ['not_written', 'no_address', 'opted_out', 'waiting', 'failed'] as const

const ToldMessage = z.object({
  kind: z.enum(newsKinds),
  /** Of what somebody wrote; null for what a rule wrote to each of them. */
  subject: z.nullable(z.string()),
  writtenBy: z.nullable(z.string()),
  /** Of the first that left; null while all of them wait or none could leave. */
  sentAt: z.nullable(Instant),
  /** When the last one of them was written. */
  writtenAt: Instant,
  /** Guests, by what became of the e-mail to their party. */
  sent: Count,
  waiting: Count,
  failed: Count,
})
export type ToldMessage = z.output<typeof ToldMessage>

const UntoldParty = z.object({
  bookingId: Id,
  bookingRef: z.string(),
  name: z.string(),
  phone: z.nullable(z.string()),
  pax: Count,
  reason: z.enum(untoldReasons),
})
export type UntoldParty = z.output<typeof UntoldParty>

/** How a member of the crew knows, the surest first; then why they may not. */
export const crewStates = ['wrote', 'seen', 'sent', 'waiting', 'failed', 'plan_not_seen', 'not_written'] as const
const knowing: readonly string[] = ['wrote', 'seen', 'sent']
/** Whether somebody in this state counts as told. */
export const isCrewTold = ({ state }: { readonly state: string }): boolean => knowing.includes(state)

const ToldCrewMember = z.object({
  staffId: Id,
  name: z.string(),
  role: z.enum(staffRoles),
  phone: z.nullable(z.string()),
  state: z.enum(crewStates),
  /** When they wrote, saw the plan, or the e-mail left. */
  at: z.nullable(Instant),
})
export type ToldCrewMember = z.output<typeof ToldCrewMember>

export const toldSoFar = callable({
  name: 'incidents-told',
  kind: 'read',
  permission: 'monitoring:read',
  summary:
    'Which guests and crew of an incident’s departure have been told since it was reported, and which have not; nobody where it has no departure.',
  input: ById,
  output: z.object({
    /** Guests who are booked, or were until the departure was cancelled. */
    guests: Count,
    /** Of them, who an e-mail has left to. */
    told: Count,
    /** The newest first. */
    messages: z.array(ToldMessage),
    untold: z.array(UntoldParty),
    /** Parties, also those that are not listed. */
    untoldCount: Count,
    /** Lead guides first. */
    crew: z.array(ToldCrewMember),
  }),
  topics: [
    'assignments',
    'bookings',
    'deliveries',
    'departures',
    'field_staff',
    'incident_entries',
    'members',
    'messages',
    'opt_outs',
    'phone_channels',
    'tour_revisions',
  ],
  rowTopics: ['incidents'],
})
