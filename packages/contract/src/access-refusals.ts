import type { RefusedFileType } from './files.ts'
import type { Permission } from './identity/access.ts'
import type { UnreadableCause } from './imports/import-problems.ts'
import { counted, type Refusals, withParams } from './refusal-shapes.ts'

/** Why a refusal can come again later, and when. */
interface Later {
  readonly retryAfterSeconds: number
}

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')

/** Refusals of imports, exports and files, of who may do what, and of the server itself. */
export const accessRefusals = {
  // Imports, exports and reports.
  already_running: ['aborted', 'This import is being worked on.'],
  not_checked: ['aborted', 'Something was changed since the check. Check again.'],
  nothing_to_do: ['aborted', 'There is nothing to import: the file says what is there already.'],
  undo_over: ['aborted', 'The time to undo this import is over.'],
  import_too_old: ['aborted', 'This import is too old. Upload the file again.'],
  question_open: ['invalid-argument', ({ column }: { column: string }) => `"${column}" needs an answer first.`],
  departure_missing: ['invalid-argument', 'No column says which departure. Choose one for the whole file.'],
  name_missing: ['invalid-argument', 'No column holds the names.'],
  columns_refused: [
    'permission-denied',
    ({ columns, permission }: { columns: readonly string[]; permission: Permission }) =>
      `You need the permission ${permission} to import ${quoted(columns)}. Leave them out, or ask an administrator.`,
  ],
  columns_maybe_sensitive: [
    'permission-denied',
    ({ columns }: { columns: readonly string[] }) =>
      `${quoted(columns)} may hold passports, birth dates or medical notes. With your role they go only to the fields for those. Leave them out, or ask an administrator.`,
  ],
  reading_maybe_sensitive: [
    'permission-denied',
    ({ columns }: { columns: readonly string[] }) =>
      `${quoted(columns)} may hold passports, birth dates or medical notes. With your role the file cannot be split into other columns. Ask an administrator.`,
  ],
  /** Of the job that writes; `lines` of the file are next to it. */
  import_seats_exhausted: [
    'aborted',
    ({ code, left, asked }: { code: string; left: number; asked: number; lines: readonly number[] }) =>
      `${code} has ${counted(left, 'seat', 'seats')} left, the file needs ${asked}. Nothing was written; check again.`,
  ],
  import_sales_closed: [
    'aborted',
    ({ code }: { code: string | null; lines: readonly number[] }) =>
      `${code ?? 'A departure'} takes no bookings any more. Nothing was written; check again.`,
  ],
  changed_since_check: [
    'aborted',
    ({ count }: { count: number; lines: readonly number[] }) =>
      `Somebody changed ${counted(count, 'row', 'rows')} since the check. Nothing was written; check again.`,
  ],
  import_stopped: ['cancelled', 'The import was stopped. Nothing was written.'],
  export_too_large: ['resource-exhausted', 'This export is too large. Narrow the filters and try again.'],
  rejected_rows_too_large: [
    'resource-exhausted',
    'The refused rows are more than one file may hold. Correct the file that you uploaded, or split it.',
  ],
  report_too_large: ['resource-exhausted', 'This is too much for one report. Choose a shorter period.'],
  too_many_at_work: [
    'resource-exhausted',
    'Several of these are under way for your organization. Try again in a minute.',
  ],

  // Who may do what.
  missing_permission: [
    'permission-denied',
    ({ permission }: { permission: Permission | 'member' }) =>
      `You need the permission ${permission}. Ask an administrator.`,
  ],
  not_own_assignment: ['permission-denied', 'You can answer only for yourself.'],
  no_organization: ['permission-denied', 'Choose an organization first.'],
  not_a_member: ['permission-denied', 'You are not a member of this organization.'],
  second_factor_required: [
    'permission-denied',
    'This organization requires a second factor. Set one up, or sign in with yours.',
  ],
  sensitive_content: [
    'permission-denied',
    'This file may hold passports, birth dates and medical notes. Your role sees those only of guests whose departure is near. Ask an administrator.',
  ],
  outside_duty_window: [
    'permission-denied',
    ({ hours }: { hours: number }) => `Dispatchers see this only within ${hours} hours of a tour.`,
  ],
  access_asked_too_often: [
    'resource-exhausted',
    ({ perDay }: { perDay: number }) =>
      `You have asked for access ${perDay} times today. Wait for an answer, or talk to an administrator.`,
  ],

  // Members and accounts.
  last_admin: ['aborted', 'The organization needs at least one active administrator.'],
  self_suspend: ['aborted', 'You cannot suspend yourself. Ask another administrator.'],
  self_remove: ['aborted', 'Leave the organization in its profile instead of removing yourself.'],
  self_factor_reset: ['aborted', 'Change your own second factor on the page of your account’s security.'],
  already_member: ['aborted', 'This person is a member already.'],
  already_invited: ['aborted', 'This address has an open invitation. Send that one again instead.'],
  invitation_closed: [
    'aborted',
    ({ status }: { status: 'accepted' | 'closed' }) =>
      status === 'accepted' ? 'This invitation was accepted already.' : 'This invitation was taken back or declined.',
  ],
  no_factor: ['aborted', 'This member has no second factor.'],
  member_elsewhere: [
    'aborted',
    'This person also works in another organization, which the second factor protects too. Ask the operator of this installation to reset it.',
  ],
  factors_elsewhere: ['unimplemented', 'Second factors are managed by the identity service.'],
  already_set_up: ['aborted', 'This organization is set up already. Change its settings instead.'],
  signed_out: ['unauthenticated', 'You have signed out. Sign in again.'],
  token_expired: ['unauthenticated', 'Your sign-in has expired. Sign in again.'],
  token_invalid: ['unauthenticated', 'Sign in to go on.'],
  app_check: ['unauthenticated', 'The request does not prove that it comes from this application.'],

  // Files.
  file_too_large: [
    'invalid-argument',
    ({ maxBytes }: { maxBytes: number }) => `The file is too large: at most ${Math.floor(maxBytes / 1024 / 1024)} MB.`,
  ],
  file_type: [
    'invalid-argument',
    // `found` where it is a kind that is known: what to do instead depends on it
    ({ types }: { types: readonly string[]; found?: RefusedFileType }) =>
      `This is none of the kinds of file that can be used here: ${types.map((type) => type.toUpperCase()).join(', ')}.`,
  ],
  file_unreadable: [
    'invalid-argument',
    withParams<{ because: UnreadableCause; params: Readonly<Record<string, string>> }>('This file cannot be read.'),
  ],
  upload_incomplete: [
    'invalid-argument',
    ({ offset, size }: { offset: number; size: number }) => `The content is not complete: ${offset} of ${size} bytes.`,
  ],
  upload_gap: ['invalid-argument', 'A piece is missing before this one.'],
  upload_too_long: ['invalid-argument', 'There is more content than was announced.'],
  body_too_large: [
    'invalid-argument',
    ({ limitBytes }: { limitBytes: number }) => `The request is larger than ${Math.floor(limitBytes / 1024)} kB.`,
  ],

  // Sending twice.
  idempotency_key_reused: ['invalid-argument', 'This idempotency key was used for another request.'],
  idempotency_answer_gone: [
    'aborted',
    'This was done before, and its answer is no longer kept. Look for it in the list.',
  ],
  idempotency_role_changed: ['aborted', 'This was done before, when you had another role. Open it to see it.'],

  // What the server itself depends on.
  data_key_missing: [
    'unavailable',
    withParams<{ keyId: string | null }>(
      'This cannot be read: the server does not have the key that it was encrypted with. Contact the operator of the server.',
    ),
  ],
  data_key_unknown: ['unavailable', 'The encryption keys are being changed. Try again in a minute.'],
  sealed_value_broken: ['internal', 'This cannot be read: it was changed after it had been encrypted. Enter it again.'],
  rate_limited: [
    'resource-exhausted',
    ({ retryAfterSeconds }: Later) => `Too many requests. Try again in ${retryAfterSeconds} s.`,
  ],
  identity_unavailable: ['unavailable', 'The server is briefly unavailable. Try again in a moment.'],
  database_unreachable: ['unavailable', withParams<Later>('The server is briefly unavailable. Try again in a moment.')],
  server_busy: ['unavailable', withParams<Later>('The server is busy. Try again in a moment.')],
  read_only: ['unavailable', withParams<Later>('Nothing can be saved at the moment. Try again in a minute.')],
  disk_full: ['unavailable', withParams<Later>('The server has no disk space left. Its operator has to free some.')],
  keys_unreachable: [
    'unavailable',
    withParams<Later>('The server cannot check at the moment who asks. Try again in a moment.'),
  ],
  stopped: ['deadline-exceeded', 'This took too long and was stopped. Nothing was changed.'],
  entries_refused: ['invalid-argument', 'Some entries need another look.'],
  unstorable: ['invalid-argument', 'This holds a character that cannot be stored. Type it again.'],
} as const satisfies Refusals
