/** A function of the database that sees the rows of all organizations, who owns it, and the one thing it is for. */
export interface DefinerFunction {
  readonly name: string
  /** A role that cannot log in, or `owner` for the owner of the schema `identity`, whose tables no organization owns. */
  readonly owner: string
  readonly purpose: string
  /** What keeps it from telling one organization about another. */
  readonly reach:
    | 'organization of the transaction'
    | 'what a secret names'
    | 'positions and ids only'
    | 'trigger'
    | 'jobs'
}

/**
 * All functions that look past row-level security. The list is complete: a test compares it with the database.
 */
export const definerFunctions: readonly DefinerFunction[] = [
  {
    name: 'public.record_changes',
    owner: 'app_recorder',
    purpose: 'audit log and outbox of every write',
    reach: 'trigger',
  },
  { name: 'public.record_documents', owner: 'app_recorder', purpose: 'outbox of live documents', reach: 'trigger' },
  { name: 'public.record_estimates', owner: 'app_recorder', purpose: 'outbox of estimates', reach: 'trigger' },
  {
    name: 'public.record_event',
    owner: 'app_recorder',
    purpose: 'audit entry for what changes no row',
    reach: 'organization of the transaction',
  },
  {
    name: 'public.announce_changes',
    owner: 'app_recorder',
    purpose: 'outbox row for what changes no row',
    reach: 'organization of the transaction',
  },
  {
    name: 'public.has_webhooks',
    owner: 'app_recorder',
    purpose: 'whether anybody is notified of events',
    reach: 'organization of the transaction',
  },
  {
    name: 'public.queue_webhooks',
    owner: 'app_recorder',
    purpose: 'events for the endpoints of the organization; writes, shows nothing',
    reach: 'organization of the transaction',
  },
  {
    name: 'public.webhook_queues_due',
    owner: 'app_directory',
    purpose: 'which endpoints have something to be sent',
    reach: 'jobs',
  },
  {
    name: 'public.put_inbox_message',
    owner: 'app_recorder',
    purpose: 'a notice in the inbox of somebody else; writes, shows nothing',
    reach: 'jobs',
  },
  {
    name: 'public.empty_inbox',
    owner: 'app_recorder',
    purpose: 'notices of an organization leave the inbox of whoever no longer works there; shows nothing',
    reach: 'trigger',
  },
  {
    name: 'public.keep_an_admin',
    owner: 'app_directory',
    purpose: 'an organization keeps an administrator',
    reach: 'trigger',
  },
  {
    name: 'public.organizations_of',
    owner: 'app_directory',
    purpose: 'the organizations of a signed-in person',
    reach: 'what a secret names',
  },
  { name: 'public.organization_ids', owner: 'app_directory', purpose: 'jobs visit each organization', reach: 'jobs' },
  {
    name: 'public.organizations_to_evaluate',
    owner: 'app_directory',
    purpose: 'which organizations have alerts to evaluate',
    reach: 'jobs',
  },
  {
    name: 'public.shared_link_of_token',
    owner: 'app_directory',
    purpose: 'the organization and link of a guest',
    reach: 'what a secret names',
  },
  {
    name: 'public.device_of_token',
    owner: 'app_directory',
    purpose: 'the organization of a tracking device',
    reach: 'what a secret names',
  },
  {
    name: 'public.end_of_token',
    owner: 'app_directory',
    purpose: 'by whom the token of a tracking device was ended',
    reach: 'what a secret names',
  },
  {
    name: 'public.weather_source_of_token',
    owner: 'app_directory',
    purpose: 'the organization of a weather service',
    reach: 'what a secret names',
  },
  {
    name: 'public.calendar_feed_of_token',
    owner: 'app_directory',
    purpose: 'the organization of a calendar feed',
    reach: 'what a secret names',
  },
  {
    name: 'public.device_of_pairing',
    owner: 'app_directory',
    purpose: 'the organization of a device that is being paired',
    reach: 'what a secret names',
  },
  {
    name: 'public.read_changes',
    owner: 'app_feed',
    purpose: 'the outbox, for the feed',
    reach: 'positions and ids only',
  },
  {
    name: 'public.changes_of',
    owner: 'app_feed',
    purpose: 'what a returning listener missed',
    reach: 'positions and ids only',
  },
  {
    name: 'public.recent_changes',
    owner: 'app_feed',
    purpose: 'what a new listener starts from',
    reach: 'positions and ids only',
  },
  {
    name: 'public.changes_seen_now',
    owner: 'app_feed',
    purpose: 'where a feed starts',
    reach: 'positions and ids only',
  },
  {
    name: 'public.changes_are_kept_since',
    owner: 'app_feed',
    purpose: 'whether pruning has left what a listener missed',
    reach: 'positions and ids only',
  },
  {
    name: 'public.read_documents',
    owner: 'app_feed',
    purpose: 'documents for listeners, whose right to a path was checked when they began',
    reach: 'jobs',
  },
  { name: 'public.prune_changes', owner: 'app_janitor', purpose: 'an outbox of bounded size', reach: 'jobs' },
  {
    name: 'public.prune_idempotency_keys',
    owner: 'app_janitor',
    purpose: 'answers kept for repeated writes expire',
    reach: 'jobs',
  },
  {
    name: 'public.forget_secret_answers',
    owner: 'app_janitor',
    purpose: 'answers that hold a secret expire sooner',
    reach: 'jobs',
  },
  {
    name: 'public.refresh_statistics',
    owner: 'app_janitor',
    purpose: 'lets the planner see what was written in bulk; shows nothing',
    reach: 'jobs',
  },
  {
    name: 'public.organizations_to_seal',
    owner: 'app_janitor',
    purpose: 'ids of organizations with values that are not encrypted yet',
    reach: 'jobs',
  },
  {
    name: 'public.data_key_uses',
    owner: 'app_janitor',
    purpose: 'how many values each key encrypts, all organizations together',
    reach: 'jobs',
  },
  {
    name: 'public.ensure_position_days',
    owner: 'app_positions',
    purpose: 'partitions for days to come',
    reach: 'jobs',
  },
  { name: 'public.drop_position_days', owner: 'app_positions', purpose: 'days past their retention go', reach: 'jobs' },
  {
    name: 'public.forget_position_day',
    owner: 'app_positions',
    purpose: 'positions past the retention of their organization go',
    reach: 'organization of the transaction',
  },
  ...[
    'search_travelers',
    'count_travelers',
    'traveler_flags',
    'known_traveler_count',
    'page_of_travelers',
    'similar_travelers',
    'search_bookings',
    'staff_busy',
    'vehicles_busy',
  ].map((name): DefinerFunction => ({
    name: `public.${name}`,
    owner: 'app_search',
    purpose: 'operators that row-level security keeps off the index',
    reach: 'organization of the transaction',
  })),
  ...[
    'own_staff_id',
    'own_departures',
    'own_guests',
    'own_tours',
    'own_vehicle_entries',
    'own_vehicles',
    'own_colleagues',
    'own_duties',
    'own_assignment_departures',
  ].map((name): DefinerFunction => ({
    name: `public.${name}`,
    owner: 'app_search',
    purpose: 'what is the caller’s own, for the policies of scope own, which would ask themselves',
    reach: 'organization of the transaction',
  })),
  {
    name: 'public.count_listed_travelers',
    owner: 'app_search',
    purpose: 'how many travelers the list has; writes, shows nothing',
    reach: 'trigger',
  },
  {
    name: 'public.fold_traveler_counts',
    owner: 'app_search',
    purpose: 'counts of travelers in few rows; shows nothing',
    reach: 'organization of the transaction',
  },
  ...[
    'mirror_organization',
    'mirror_member',
    'mirror_invitation',
    'mirror_person',
    'begin_session',
    'follow_session',
    'follow_account',
    'note_organization_use',
  ].map((name): DefinerFunction => ({
    name: `identity.${name}`,
    owner: 'owner',
    purpose: 'the identity service and the business records agree',
    reach: 'trigger',
  })),
  {
    name: 'identity.log_event',
    owner: 'owner',
    purpose: 'the record of sign-ins; writes, shows nothing',
    reach: 'jobs',
  },
  {
    name: 'identity.is_home_organization',
    owner: 'owner',
    purpose: 'whether the organization runs this installation and may read its e-mails',
    reach: 'organization of the transaction',
  },
  {
    name: 'identity.letters',
    owner: 'owner',
    purpose: 'e-mails of the identity service to members',
    reach: 'organization of the transaction',
  },
  {
    name: 'identity.emails_to_newcomers',
    owner: 'owner',
    purpose: 'e-mails to people of no organization, for the first organization where no mail server delivers them',
    reach: 'organization of the transaction',
  },
  {
    name: 'identity.backend_session_is_live',
    owner: 'owner',
    purpose: 'whether a backend session was ended',
    reach: 'what a secret names',
  },
  {
    name: 'public.announce_ended_session',
    owner: 'app_recorder',
    purpose: 'streams of an ended session end in every process',
    reach: 'trigger',
  },
  {
    name: 'identity.has_proven_factor',
    owner: 'owner',
    purpose: 'whether the session behind a backend token has shown a second factor',
    reach: 'what a secret names',
  },
  {
    name: 'identity.members_with_factor',
    owner: 'owner',
    purpose: 'who of the organization has a second factor',
    reach: 'organization of the transaction',
  },
  {
    name: 'identity.reset_second_factor',
    owner: 'owner',
    purpose: 'takes the second factor of a member away who belongs to no other organization',
    reach: 'organization of the transaction',
  },
  {
    name: 'identity.is_unfinished',
    owner: 'owner',
    purpose: 'whether a session lacks the second factor of its person; not for the application',
    reach: 'what a secret names',
  },
  {
    name: 'identity.log_factor',
    owner: 'owner',
    purpose: 'audit entries about a changed second factor; not for the application',
    reach: 'what a secret names',
  },
  {
    name: 'identity.follow_factor',
    owner: 'owner',
    purpose: 'sessions lose the proof of a factor that is gone',
    reach: 'trigger',
  },
  {
    name: 'identity.forget_devices',
    owner: 'owner',
    purpose: 'a changed password forgets remembered devices',
    reach: 'trigger',
  },
]
