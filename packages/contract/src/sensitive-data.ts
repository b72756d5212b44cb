import type { In } from './callable.ts'
import { hasAccess, isOnlyNearTour, type Membership, type Permission } from './identity/access.ts'
import type { ImportField } from './imports/import-mapping.ts'
import type { revealTraveler } from './travelers/travelers.ts'

/** Something about a person that others may misuse. Source: docs/domain.md, "Privacy". */
export interface SensitiveData {
  /** `table.column` of all that holds it or gives part of it away; the audit log leaves these out. */
  readonly columns: readonly string[]
  /** The one among them that is encrypted before it reaches the database; null for what the database computes with. */
  readonly sealed: string | null
  readonly needs: Permission
  /** Scope `own` of the permission is not enough: this is for the office. */
  readonly isOffice?: true
  /** Dispatchers have the permission only within the hours around a tour. */
  readonly isNearTour?: true
  /** Fields of answers that say it, or something of it: see `guardedFields`. */
  readonly fields: readonly string[]
  /** How a person asks to see it. */
  readonly revealedAs?: In<typeof revealTraveler>['fields'][number]
  readonly importFields: readonly ImportField[]
  /**
   * `after_tour`: forgotten this many days after the last tour (`sensitive_days` of the settings). `with_row`: with what it is about.
   * `position_days`: this many days after it was (`positions_days` of the settings).
   */
  readonly kept: 'after_tour' | 'with_row' | 'position_days'
  /** Callable under whose name each look is in the audit log. */
  readonly look: 'travelers-reveal' | 'field-staff-calendar' | 'tracks-get'
}

/** Who reads what is sensitive about guests, and until when. */
export const ofGuests = {
  needs: 'travelers_sensitive:read',
  isOffice: true,
  isNearTour: true,
  kept: 'after_tour',
  look: 'travelers-reveal',
} as const satisfies Partial<SensitiveData>

/**
 * Whether a member sees what is sensitive about every guest at any time. A member who sees it only near a tour sees no file and no list of
 * columns, since neither knows whose departure is near.
 */
export const seesAllSensitive = ({ role }: Membership): boolean =>
  hasAccess({ role }, { permission: ofGuests.needs }) && !isOnlyNearTour(role, ofGuests.needs)

/** Who reads what is sensitive about field staff; guides read their own. */
export const ofStaff = {
  needs: 'staff_private:read',
  kept: 'with_row',
  look: 'field-staff-calendar',
} as const satisfies Partial<SensitiveData>

/** Everything sensitive that there is, once: rules of reading, hiding, importing, forgetting and recording are made from it. */
export const sensitiveData = {
  passportNumber: {
    ...ofGuests,
    columns: ['traveler_documents.number_encrypted', 'traveler_documents.number_last4'],
    sealed: 'traveler_documents.number_encrypted',
    fields: [
      'travelers-get documents.*.numberHint',
      'travelers-reveal documents',
      'travelers-reveal documents.*.number',
    ],
    revealedAs: 'documents',
    importFields: ['passport_number', 'passport_expiry'],
  },
  birthDate: {
    ...ofGuests,
    columns: ['traveler_private.date_of_birth'],
    sealed: null,
    fields: [
      'manifest-get groups.*.parties.*.entries.*.age',
      'bookings-guest-ages guests.*.age',
      'travelers-reveal dateOfBirth',
    ],
    revealedAs: 'date_of_birth',
    importFields: ['date_of_birth'],
  },
  medicalNote: {
    ...ofGuests,
    columns: ['traveler_private.medical_sealed', 'traveler_private.medical_note'],
    sealed: 'traveler_private.medical_sealed',
    fields: ['travelers-reveal medicalNote'],
    revealedAs: 'medical',
    importFields: ['medical_note'],
  },
  timeOffReason: {
    ...ofStaff,
    columns: ['staff_calendar_entries.note_sealed', 'staff_calendar_entries.note'],
    sealed: 'staff_calendar_entries.note_sealed',
    fields: ['field-staff-calendar blocks.*.note'],
    importFields: [],
  },
  whereabouts: {
    needs: 'tracking:history',
    columns: ['positions.lat', 'positions.lng'],
    sealed: null,
    fields: ['tracks-get tracks.*.points', 'tracks-get tracks.*.stays', 'tracks-day tracks.*.points'],
    importFields: [],
    kept: 'position_days',
    look: 'tracks-get',
  },
} as const satisfies Readonly<Record<string, SensitiveData>>

const all: readonly SensitiveData[] = Object.values(sensitiveData)

/** Columns of import files that are written only by those who may read them. */
export const sensitiveImportFields: readonly ImportField[] = all.flatMap(({ importFields }) => importFields)

/** Tables that are forgotten some days after somebody's last tour. */
export const forgottenTables: readonly string[] = [
  ...new Set(
    all
      .filter(({ kept }) => kept === 'after_tour')
      .flatMap(({ columns }) => columns.map((column) => column.slice(0, column.indexOf('.')))),
  ),
]

/** Columns that hold something sensitive encrypted. */
export type SensitiveSealedColumn = Exclude<(typeof sensitiveData)[keyof typeof sensitiveData]['sealed'], null>
