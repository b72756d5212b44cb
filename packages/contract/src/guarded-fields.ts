import { records } from './callables.ts'
import type { Permission } from './identity/access.ts'
import { sensitiveData, type SensitiveData } from './sensitive-data.ts'

/**
 * Fields of answers that not every permitted caller may read. A field is written `callable path`: `*` in the callable's name stands for
 * anything, in the path for the items of a list; `**.` stands for any nesting. A reader without the permission gets null, an empty
 * list, or an answer without the item.
 */
export interface FieldGuard {
  readonly needs: Permission
  /** Scope `own` of the permission is not enough: this is for the office. */
  readonly isOffice?: true
  /** Dispatchers have the permission only within the hours around a tour. See docs/domain.md, "Roles and permissions". */
  readonly isNearTour?: true
  readonly fields: readonly string[]
}

/** Tests walk all answers of all roles along this table. */
export const guardedFields: readonly FieldGuard[] = [
  // of what is no call for help: where somebody was, for `tracking:history` alone
  { needs: 'tracking:read', fields: ['alerts-get place', 'overview-get signals'] },
  {
    needs: 'staff_private:read',
    fields: [
      'field-staff-list rows.*.phone',
      'field-staff-get phone',
      'field-staff-get email',
      'field-staff-get emergencyContact',
      'field-staff-get emergencyContact.phone',
      'field-staff-get costPerDayMinor',
      'field-staff-get notes',
      'assignments-list rows.*.declineReason',
      'assignments-list rows.*.brokenRules',
      'assignments-list rows.*.overrideReason',
      'departures-get crew.*.phone',
      'alerts-get contact.phone',
      'incidents-told crew.*.phone',
    ],
  },
  ...Object.values<SensitiveData>(sensitiveData),
  {
    needs: 'monitoring:read',
    fields: [
      'departures-* **.openAlerts',
      'map-today **.openAlerts',
      'overview-get **.openAlerts',
      'monitoring-list **.openAlerts',
      'overview-get figures.oldestAlertAt',
      'overview-get attention.*.alertId',
      'overview-get attention.*.alertVersion',
      'overview-get attention.*.incidentId',
      'departures-get counts.incidents',
      'daily-digest-preview message.body',
      'monitoring-board alerts',
      'map-incidents incidents',
      'monitoring-board openIncidents',
      'monitoring-board shiftNote',
      'incidents-get timeline.*.incident',
      'monitoring-board alerts.*.incident',
      'monitoring-board alerts.*.resolutionNote',
      'monitoring-board muted',
      'monitoring-board muted.*.reason',
      'alerts-* **.incident',
      'alerts-* **.resolutionNote',
      'alerts-* **.resolutionFacts',
      'alerts-mute reason',
    ],
  },
  {
    needs: 'bookings:read',
    fields: [
      'bookings-* **.contact',
      'bookings-* **.email',
      'bookings-* **.phone',
      'bookings-* **.notes',
      'bookings-* **.cancelReason',
      'bookings-* **.amountTotalMinor',
      'bookings-* **.priceReason',
      'discounts-check amountMinor',
      'bookings-* **.discount.amountMinor',
      'bookings-* discount.amountMinor',
      'bookings-* **.cancellationFeeMinor',
      'bookings-* **.cancellationFeeReason',
      'bookings-* **.amountPaidMinor',
      'proposals-list parties.*.contact',
      'proposals-list parties.*.amountsThere',
      'proposals-list **.email',
      'proposals-list **.phone',
      'proposals-list **.amountTotalMinor',
      'proposals-list **.amountPaidMinor',
      'proposals-list **.amountMinor',
      'billing-list documents',
      'billing-document lines',
      'billing-document lines.*.priceMinor',
      'billing-document lines.*.amountMinor',
      'billing-* **.totalMinor',
      'billing-* **.paidMinor',
      'billing-* **.reason',
      'billing-* **.note',
      'payments-* **.amountMinor',
      'payments-* **.note',
      'payments-* **.voidReason',
      'guest-messages-audience unreached.*.phone',
      'incidents-told untold.*.phone',
      'guest-messages-preview message.to',
      'guest-messages-preview message.body',
      'manifest-get **.contactName',
      'feedback-list rows.*.contactName',
      'overview-get attention.*.feedback.contactName',
      'manifest-get **.contactPhone',
      'manifest-get **.balanceMinor',
      'manifest-get **.notes',
      'travelers-get trips.*.amountTotalMinor',
      'travelers-get trips.*.amountPaidMinor',
      'travelers-get figures.paid',
      'travelers-get figures.paid.*.amountMinor',
    ],
  },
  {
    needs: 'travelers:read',
    fields: [
      'bookings-* **.guests',
      'bookings-* **.dietary',
      'manifest-get **.flags',
      'manifest-get **.note',
      'bookings-* **.guests.*.note',
      'bookings-* guests.*.note',
      'travelers-* **.email',
      'travelers-* **.phone',
      'travelers-* **.flags',
      'travelers-get dietary',
      'travelers-get dietaryNote',
      'travelers-get mobility',
      'travelers-get mobilityNote',
      'travelers-get emergencyContact',
      'travelers-get documents',
      'incidents-people people',
      'incidents-people people.*.phone',
      'incidents-people people.*.dietary',
      'incidents-people people.*.dietaryNote',
      'incidents-people people.*.mobility',
      'incidents-people people.*.mobilityNote',
      'incidents-people people.*.emergencyContact',
      'incidents-people people.*.emergencyContact.phone',
      'incidents-people people.*.hasMedicalNote',
      'travelers-get hasMedicalNote',
      'travelers-get hasDateOfBirth',
      'travelers-get marketingConsent',
    ],
  },
  {
    needs: 'departures:dispatch',
    fields: ['suppliers-told suppliers.*.email', 'suppliers-write-preview body'],
  },
  { needs: 'departures:read', isOffice: true, fields: ['departures-get internalNote'] },
  { needs: 'members:read', fields: ['members-list rows.*.email', 'members-invite **.email'] },
  {
    needs: 'members:manage',
    fields: ['phone-channels-set secret', 'waitlist-list entries.*.email', 'members-list rows.*.hasSecondFactor'],
  },
  { needs: 'notifications:read', fields: ['outbox-list rows.*.body', 'guest-rules-preview message.body'] },
  {
    needs: 'audit:read',
    fields: ['audit-list rows.*.changes', 'audit-list rows.*.changes.*.before', 'audit-list rows.*.changes.*.after'],
  },
  { needs: 'reports:read', fields: ['reports-departures rows.*.money'] },
  {
    needs: 'links:manage',
    fields: [
      'links-create token',
      'links-send-preview readers.*.to',
      'links-send-preview readers.*.body',
      'links-copy token',
      'links-rotate issued.*.token',
      'links-rotate skipped.*.reason',
      'links-pause-several skipped.*.reason',
      'links-revoke skipped.*.reason',
    ],
  },
  { needs: 'links:read', fields: ['links-list rows.*.tokenHint', 'links-list rows.*.scopes.contacts'] },
]

/** Names that need a decision: a field that is called like this is guarded above, or open below. */
export const looksGuarded =
  /phone|email|notes?$|medical|birth|passport|document|emergency|alert|incident|reason$|cost|price|amount|paid|money|balance|secret|token|body|numberHint|^age$|changes|before$|after$|consent|rating|hours|mobility|dietary|flags|contact/i

/** Fields whose names look guarded, and which everybody may read who may make the call. */
export const openFields: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    records.flatMap(({ name, open }) =>
      open ? [[open.because, open.fields.map((field) => `${name}-* **.${field}`)]] : [],
    ),
  ),
  'The price list and the texts of a tour are for everybody who sells or guides it.': [
    'tours-* **.priceMinor',
    'tours-get options.*.prices',
    'tours-* **.fromPriceMinor',
    'tours-* **.note',
    'tours-* **.meetingNote',
    'tours-get requirements.weatherNote',
    'availability-get **.priceMinor',
    'availability-get **.optionPrices',
    'bookings-party prices',
    'bookings-party prices.*.priceMinor',
  ],
  'The run sheet is for the crew.': [
    'departures-* **.skipReason',
    'departures-* stops.*.note',
    'departures-get weatherNote',
    'departures-get cancelReason',
    'departures-get lastHeadcount.reason',
    'departures-get nextStatuses.*.needsReason',
    'departures-stops stops.*.note',
    'monitoring-list **.weatherNote',
    'manifest-* entries.*.reason',
  ],
  'The history leaves out guarded columns one by one.': [
    'departures-history rows.*.changes',
    'departures-history rows.*.changes.*.before',
    'departures-history rows.*.changes.*.after',
  ],
  'What keeps a vehicle away is no fact about people.': ['vehicles-calendar entries.*.note'],
  'The kind of matter is a word, also for what is no alert.': ['overview-get attention.*.alertKind'],
  'The roster shows hours, rating and whether there is consent to tracking to everybody who plans with it.': [
    'field-staff-* **.hoursThisWeek',
    'field-staff-* **.contractedHoursPerWeek',
    'field-staff-* **.maxHoursPerDay',
    'field-staff-* **.minRestHours',
    'field-staff-* **.rating',
    'field-staff-get costCurrency',
    'field-staff-get trackingConsentAt',
    'duty-list rows.*.consentVersion',
    'field-staff-calendar people.*.hours',
    'field-staff-calendar people.*.limitHours',
    'assignments-suggest fits.*.reasons.*.reason',
    'assignments-suggest fits.*.reasons.*.hours',
    'assignments-suggest fits.*.reasons.*.addedHours',
    'assignments-suggest fits.*.reasons.*.limitHours',
  ],
  'Places, suppliers and the organization are reached on numbers that are theirs for that.': [
    'places-list rows.*.phone',
    'places-list rows.*.openingNote',
    'suppliers-list rows.*.emergencyPhone',
    'share-get organization.phone',
    'share-get organization.officeHours',
    'share-get meetingNote',
    'settings-general-* settings.phone',
    'settings-general-* settings.emergencyNumber',
    'duty-* organization.emergencyNumber',
    'settings-general-* settings.workingHours',
  ],
  'What guests say is read by whoever reads the figures that are made of it.': [
    'feedback-list rows.*.tourRating',
    'feedback-list rows.*.guideRating',
    'feedback-list rows.*.followUp.note',
    'feedback-list average.tourRating',
    'feedback-list average.guideRating',
  ],
  'Says why a party has not been written to, with one of a few codes.': [
    'incidents-told untold.*.reason',
    'guest-messages-audience unreached.*.reason',
    'outbox-list rows.*.suppressedReason',
    'bookings-messages messages.*.suppressedReason',
  ],
  'What a party and the office write to each other is for everybody who reads the booking.': [
    'bookings-thread messages.*.body',
  ],
  'A number of hours, and nothing about a guest.': ['settings-tour-* settings.guestChangesHours'],
  'Printed on every invoice.': ['settings-general-* settings.billing.invoiceNote'],
  'The party itself reads it, on the link of its own booking.': [
    'share-get party.people.*.dietary',
    'share-get party.people.*.dietaryNote',
    'share-confirm people.*.dietary',
    'share-confirm people.*.dietaryNote',
    'share-get offer.amountMinor',
    'share-get proposal.proposed.amountMinor',
    'share-get proposal.amountMinor',
    'share-get proposal.refundMinor',
    'share-get emails',
    'share-get feedback.said.tourRating',
    'share-get feedback.said.guideRating',
    'share-feedback said.tourRating',
    'share-feedback said.guideRating',
    'share-get news.*.body',
    'share-get payment.dueMinor',
    'share-get documents',
    'share-get documents.*.totalMinor',
    'share-document reason',
    'share-document seller.note',
    'share-document lines.*.priceMinor',
    'share-document lines.*.amountMinor',
    'share-document lines.*.reason',
    'share-document settled.paidMinor',
    'share-get payment.note',
    'share-get thread.messages.*.body',
    'share-write messages.*.body',
  ],
  'Numbers without names, where whoever made the link chose to show them.': [
    'share-get needs.dietary',
    'share-get needs.mobility',
  ],
  'A count of stops, of which nothing else is told.': ['share-get meeting.stopsBefore'],
  'The phone that holds the code gets the token, once.': ['devices-redeem token'],
  'The address of a feed is shown once, to whoever made it.': ['calendar-feeds-issue url'],
  'The address of a weather service is shown once, to whoever made it.': ['weather-source-issue url'],
  'The secret of a webhook is shown once, to whoever made it.': ['webhooks-create secret', 'webhooks-rotate secret'],
  'Of a webhook, whoever manages it sees how it is going; what is sent holds nothing about people.': [
    'webhooks-list rows.*.offReason',
    'webhooks-list rows.*.secretHint',
    'webhooks-list rows.*.secretMadeAt',
    'webhooks-deliveries rows.*.body',
    'webhooks-deliveries rows.*.answerBody',
  ],
  'One’s own duty and consent.': [
    'duty-own session.consentVersion',
    'duty-own consent',
    'duty-own consentVersion',
    'duty-consent consentVersion',
  ],
  'What guides write on the way is for everybody who sees the departure.': ['departures-get notes'],
  'The person whose phone it is gets the token, once.': ['duty-phone token'],
  'A phone keeps what the calls of departure, manifest and duty answer its person: they are run, and their guards hold.':
    [
      'duty-* organization.phone',
      'duty-* duty.session.consentVersion',
      'duty-* duty.consent',
      'duty-* duty.consentVersion',
      'duty-* departures.*.departure.openAlerts',
      'duty-* departures.*.departure.nextStatuses.*.needsReason',
      'duty-* departures.*.departure.cancelReason',
      'duty-* departures.*.departure.weatherNote',
      'duty-* departures.*.departure.internalNote',
      'duty-* departures.*.assignment.changeNotes',
      'duty-* departures.*.departure.stops.*.skipReason',
      'duty-* departures.*.departure.stops.*.note',
      'duty-* departures.*.departure.crew.*.phone',
      'duty-* departures.*.departure.counts.incidents',
      'duty-* departures.*.departure.lastHeadcount.reason',
      'duty-* departures.*.departure.notes',
      'duty-* departures.*.manifest.groups.*.parties.*.contactName',
      'duty-* departures.*.manifest.groups.*.parties.*.contactPhone',
      'duty-* departures.*.manifest.groups.*.parties.*.balanceMinor',
      'duty-* departures.*.manifest.groups.*.parties.*.notes',
      'duty-* departures.*.manifest.groups.*.parties.*.entries.*.age',
      'duty-* departures.*.manifest.groups.*.parties.*.entries.*.note',
      'duty-* departures.*.manifest.groups.*.parties.*.entries.*.flags',
      'duty-* departures.*.manifest.waitlist.*.contactName',
      'duty-* departures.*.manifest.holds.*.contactName',
      'duty-send outcomes.*.reason',
      'duty-link-send outcomes.*.reason',
    ],
  'A text that the office keeps names what is so for a guest, and holds nothing of one.': [
    'message-templates-list **.body',
    'guest-rules-texts **.body',
  ],
  'One’s own account.': ['session-get user.email'],
  'A report compares with the period before.': ['reports-* **.before', 'share-get **.before'],
  'Whether a link shows money or documents is no amount.': [
    'links-list rows.*.scopes.money',
    'links-list rows.*.scopes.documents',
  ],
  'Whom to call about an alert is somebody of the crew; their phone is guarded.': ['alerts-get contact'],
  'Days before the start, as the rule of a tour has them.': ['bookings-party **.daysBefore', 'tours-get **.daysBefore'],
  'Who asks several departures gets the numbers of the incidents that this has just opened.': [
    'roll-calls-ask-departures incidents',
  ],
  'How many incidents a departure had is a figure of the report; what happened is not in it.': [
    'reports-departures rows.*.incidents',
    'reports-departures rows.*.incidentsResolved',
  ],
  'An import is for whoever may import all of it; what is sensitive in it is hidden by the verbs.': [
    'imports-* **.reason',
    'imports-* amounts',
    'imports-* **.amountsOf',
    'imports-* **.phoneCountry',
    'imports-rows rows.*.changes',
    'imports-rows rows.*.changes.*.before',
    'imports-rows rows.*.changes.*.after',
  ],
  'Says why something is as it is, in a word of the program.': [
    'members-explain reason',
    'members-invite failed.*.reason',
    'tours-get problems.*.reason',
    'tracks-day tracks.*.gaps.*.reason',
    'tracks-driven ways.*.gaps.*.reason',
    'tracks-get tracks.*.gaps.*.reason',
  ],
}

/** Whether a `callable path` of one of the tables matches this field of this callable. */
export function isField(written: string, callable: string, path: string): boolean {
  const [name = '', wanted = ''] = written.split(' ')
  const [head = '', tail] = name.split('*')
  const isCallable = tail === undefined ? callable === name : callable.startsWith(head) && callable.endsWith(tail)
  if (!isCallable) return false
  if (!wanted.startsWith('**.')) return path === wanted
  const end = wanted.slice(3)
  return path === end || path.endsWith(`.${end}`)
}

/** The guard of a field of an answer; undefined for a field that everybody reads who may make the call. */
export const guardOf = (callable: string, path: string): FieldGuard | undefined =>
  guardedFields.find(({ fields }) => fields.some((written) => isField(written, callable, path)))
