import type { NameParts } from '@tour-ops/contract/travelers/names'
import type { PartyCounts } from './party-text.ts'

/**
 * The content of one line, in our codes. A missing value was not given; null says that there is none (an empty cell, where
 * the mapping lets empty cells clear).
 */
export interface RowValues {
  bookingRef?: string
  externalRef?: string
  channel?: string
  sellerName?: string | null
  departureCode?: string
  tourCode?: string
  startDate?: string
  startTime?: string | null
  unitType?: string
  /** Guests of the whole booking by kind; those with names are among them. */
  units?: PartyCounts
  /** Of the booking. Missing where the file says nothing, which means confirmed. */
  status?: 'confirmed' | 'cancelled'
  /** When the line was written, as text that sorts; of one file only. */
  changedAt?: string
  /** Guests of the whole booking whose kind is not said; becomes `units` once the line is read. */
  guests?: number
  firstName?: string
  lastName?: string
  /** Further guests whom the cell of the name has. */
  others?: readonly NameParts[]
  gender?: string | null
  /** `1989-07-04`. */
  dateOfBirth?: string | null
  nationality?: string | null
  language?: string | null
  email?: string | null
  phone?: string | null
  dietary?: string[] | null
  dietaryNote?: string | null
  mobility?: string | null
  mobilityNote?: string | null
  /** Sealed, as the number of a passport. */
  medicalNote?: { sealed: string } | null
  emergencyName?: string | null
  emergencyPhone?: string | null
  /** Sealed: the number itself is in no table. */
  passport?: { sealed: string; last4: string } | null
  passportExpiry?: string | null
  roomKey?: string | null
  roomType?: string | null
  pickupPlace?: string | null
  pickupTime?: string | null
  /** Decimal, `1234.50`. */
  total?: string
  paid?: string
  balance?: string
  currency?: string
  notes?: string | null
  /** Cells that were not understood, as the note of the booking has them. */
  kept?: string[]
}

/** Whether a line says which booking it is about. */
export const isReferenced = (values: RowValues): boolean =>
  values.externalRef !== undefined || values.bookingRef !== undefined
