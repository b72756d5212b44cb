/**
 * Legal status changes; anything else is refused by the database and answered with `aborted` (409).
 * The migrations hold the same tables and a test compares the two. See docs/domain.md, "States".
 */
export const stateMachines = {
  tours: {
    initial: ['draft'],
    transitions: {
      draft: ['published'],
      published: ['archived', 'published'],
      archived: ['draft'],
    },
  },
  departures: {
    initial: ['draft', 'scheduled'],
    transitions: {
      draft: ['scheduled'],
      scheduled: ['guaranteed', 'boarding', 'cancelled'],
      guaranteed: ['boarding', 'cancelled'],
      boarding: ['in_progress', 'cancelled'],
      in_progress: ['completed', 'aborted'],
      completed: ['in_progress'],
      cancelled: [],
      aborted: [],
    },
  },
  departure_sales: {
    initial: ['open', 'paused', 'closed'],
    transitions: {
      open: ['paused', 'closed'],
      paused: ['open', 'closed'],
      closed: ['open'],
    },
  },
  bookings: {
    initial: ['on_hold', 'requested', 'waitlisted', 'confirmed'],
    transitions: {
      on_hold: ['confirmed', 'expired', 'cancelled'],
      requested: ['confirmed', 'rejected'],
      waitlisted: ['on_hold', 'cancelled'],
      confirmed: ['cancelled', 'completed'],
      expired: ['on_hold'],
      rejected: [],
      cancelled: [],
      completed: [],
    },
  },
  manifest_entries: {
    initial: ['expected'],
    transitions: {
      expected: ['checked_in', 'no_show', 'cancelled'],
      checked_in: ['on_tour', 'expected'],
      on_tour: ['finished', 'left_early', 'missing'],
      missing: ['on_tour', 'left_early'],
      no_show: ['checked_in'],
      finished: [],
      left_early: ['on_tour'],
      cancelled: [],
    },
  },
  departure_stops: {
    initial: ['planned'],
    transitions: {
      planned: ['approaching', 'arrived', 'skipped'],
      approaching: ['arrived', 'skipped'],
      arrived: ['departed', 'planned'],
      departed: [],
      skipped: [],
    },
  },
  assignments: {
    initial: ['draft', 'offered', 'accepted'],
    transitions: {
      draft: ['offered', 'accepted'],
      offered: ['accepted', 'declined', 'expired', 'withdrawn'],
      accepted: ['on_duty', 'released'],
      on_duty: ['completed', 'replaced'],
      declined: [],
      expired: [],
      withdrawn: [],
      released: [],
      completed: [],
      replaced: [],
    },
  },
  duty_sessions: { initial: ['open'], transitions: { open: ['closed'], closed: [] } },
  alerts: {
    initial: ['open'],
    transitions: {
      open: ['acknowledged', 'snoozed', 'resolved'],
      acknowledged: ['resolved', 'snoozed', 'open'],
      snoozed: ['open'],
      resolved: [],
    },
  },
  incidents: {
    initial: ['reported'],
    transitions: {
      reported: ['triaged', 'merged'],
      triaged: ['active', 'merged'],
      active: ['stabilised', 'merged'],
      stabilised: ['resolved', 'merged'],
      resolved: ['reviewed', 'active'],
      reviewed: [],
      merged: [],
    },
  },
  departure_services: {
    initial: ['to_request'],
    transitions: {
      to_request: ['requested', 'cancelled'],
      requested: ['confirmed', 'waitlisted', 'declined', 'cancelled'],
      confirmed: ['cancelled'],
      waitlisted: ['cancelled'],
      declined: ['cancelled'],
      cancelled: [],
    },
  },
  messages: {
    initial: ['draft', 'scheduled', 'sending'],
    transitions: {
      draft: ['scheduled', 'cancelled'],
      scheduled: ['sending', 'cancelled'],
      sending: ['sent', 'partly_failed', 'failed'],
      // a provider says later that a text did not arrive
      sent: ['partly_failed', 'failed'],
      // a failed delivery is sent again
      partly_failed: ['sending', 'failed'],
      failed: ['sending'],
      cancelled: [],
    },
  },
  deliveries: {
    initial: ['queued'],
    transitions: {
      queued: ['sent', 'failed', 'suppressed'],
      sent: ['delivered', 'failed'],
      delivered: ['read'],
      failed: ['queued'],
      read: [],
      suppressed: [],
    },
  },
  shared_links: {
    initial: ['scheduled', 'active'],
    transitions: {
      scheduled: ['active', 'revoked'],
      active: ['expired', 'revoked', 'paused'],
      paused: ['active', 'expired', 'revoked'],
      expired: [],
      revoked: [],
    },
  },
  invitations: {
    initial: ['pending'],
    transitions: { pending: ['accepted', 'revoked', 'expired'], expired: ['pending'], accepted: [], revoked: [] },
  },
  import_batches: {
    initial: ['parsed'],
    transitions: {
      parsed: ['previewed', 'failed'],
      previewed: ['applied', 'failed'],
      applied: ['undone'],
      failed: [],
      undone: [],
    },
  },
} as const

type Machines = typeof stateMachines
export type Machine = keyof Machines
export type StatusOf<M extends Machine> = keyof Machines[M]['transitions'] & string

/** The statuses of one entity, in the order of the table above. */
export const statusesOf = <M extends Machine>(machine: M): [StatusOf<M>, ...StatusOf<M>[]] =>
  Object.keys(stateMachines[machine].transitions) as [StatusOf<M>, ...StatusOf<M>[]]

/** Where an entity may go from here; screens offer exactly these. */
export const nextStatuses = <M extends Machine>(machine: M, from: StatusOf<M>): readonly StatusOf<M>[] =>
  (stateMachines[machine].transitions as unknown as Record<string, readonly StatusOf<M>[]>)[from] ?? []

export const canBecome = <M extends Machine>(machine: M, from: StatusOf<M>, to: StatusOf<M>): boolean =>
  nextStatuses(machine, from).includes(to)

type DepartureStatuses = readonly StatusOf<'departures'>[]
type GuestStatuses = readonly StatusOf<'manifest_entries'>[]

/** Departures that are published and whose guests have not been called yet. */
export const awaitedStatuses = ['scheduled', 'guaranteed'] as const satisfies DepartureStatuses
/** "Running", on every screen: guests are boarding or on their way; check-in is open. */
export const runningStatuses = ['boarding', 'in_progress'] as const satisfies DepartureStatuses
/** Departures that have not left: seats can still be sold, crew and vehicle still be changed. */
export const notLeftStatuses = [...awaitedStatuses, 'boarding'] as const satisfies DepartureStatuses
/** Departures that are published and not over. */
export const activeStatuses = [...awaitedStatuses, ...runningStatuses] as const satisfies DepartureStatuses
/** Departures in which something can still be prepared. */
export const openStatuses = ['draft', ...activeStatuses] as const satisfies DepartureStatuses

/** Guests who are with the group now: what a head count must find. */
export const presentStatuses = ['checked_in', 'on_tour'] as const satisfies GuestStatuses
/** Guests who went along, also those who left before the end. */
export const carriedStatuses = [...presentStatuses, 'finished', 'left_early'] as const satisfies GuestStatuses
/** "Aboard", on every screen: guests who came, also where they are missing since. */
export const aboardStatuses = [...carriedStatuses, 'missing'] as const satisfies GuestStatuses

/** Bookings whose guests travel: holds and waitlists have guests as well. */
export const soldStatuses = ['confirmed', 'completed'] as const satisfies readonly StatusOf<'bookings'>[]
/** Bookings that end without a tour. */
export const endedStatuses = ['cancelled', 'expired', 'rejected'] as const satisfies readonly StatusOf<'bookings'>[]
/** Assignments of crew who will come, are there or were. */
export const bindingStatuses = [
  'accepted',
  'on_duty',
  'completed',
] as const satisfies readonly StatusOf<'assignments'>[]
/** Alerts whose cause goes on; there is at most one of each. */
export const unresolvedStatuses = ['open', 'acknowledged', 'snoozed'] as const satisfies readonly StatusOf<'alerts'>[]
/** Alerts that somebody has to look at. */
export const standingStatuses = ['open', 'acknowledged'] as const satisfies readonly StatusOf<'alerts'>[]

/** Incidents that need nobody any more. */
export const overIncidentStatuses = [
  'resolved',
  'reviewed',
  'merged',
] as const satisfies readonly StatusOf<'incidents'>[]

/** Whether a status is one of a set. */
export const hasStatus = <S extends string>(set: readonly S[], status: string): status is S =>
  (set as readonly string[]).includes(status)

/** Whether a departure is running, see `runningStatuses`. */
export const isRunning = ({ status }: { readonly status: StatusOf<'departures'> }): boolean =>
  hasStatus(runningStatuses, status)

/** Incidents that need somebody. */
export const openIncidentStatuses: readonly StatusOf<'incidents'>[] = statusesOf('incidents').filter(
  (status) => !hasStatus(overIncidentStatuses, status),
)
