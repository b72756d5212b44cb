import type { ImportBatch } from '@tour-ops/contract/imports/import-batch'
import type { ImportMapping } from '@tour-ops/contract/imports/import-mapping'
import { moneyFields, type PartyAmounts } from './amount-counter.ts'
import type { FileAnalysis } from './file-analysis.ts'
import { fieldOf } from './sensitive-columns.ts'
import { wordKey } from '../../platform/word-key.ts'

/** `Price p.p.`, `Preis pro Person`, `precio por persona`, `prix par personne`, `prezzo a persona`. */
const perGuest =
  /\b(?:p p|pp|(?:per|pro|je|por|par|a|each) (?:person|pers|pax|guest|passenger|traveller|traveler|teilnehmer|gast|reisenden|persona|pasajero|viajero|personne|passager|ospite))\b/
/** `Order total`, `Preis pro Buchung`, `total de la reserva`. */
const perBooking =
  /\b(?:per|pro|je|por|par|a) (?:booking|order|party|group|buchung|gruppe|reserva|pedido|grupo|reservation|groupe|prenotazione|ordine|gruppo)\b|\b(?:booking|order|group|grand) total\b|\b(?:total|totale) (?:de la |della |de )?(?:reserva|reservation|prenotazione|booking)\b/

type Amounts = NonNullable<ImportBatch['amounts']>
type Proof = Omit<Amounts, 'of'> & { readonly of: NonNullable<Amounts['of']> }

/** A fifth of the parties is no typing error. */
const share = 5

/** What one column proves. */
function proofOf(header: string, said: PartyAmounts | undefined, sums: ReadonlyMap<string, string>): Proof | undefined {
  const key = wordKey(header)
  const proof = (of: Proof['of'], reason: Proof['reason'], parties = 0, other: string | null = null): Proof => ({
    of,
    reason,
    column: header,
    other,
    parties,
  })
  if (perGuest.test(key)) return proof('guest', 'header_per_guest')
  if (perBooking.test(key)) return proof('booking', 'header_per_booking')
  if (!said) return undefined
  const { equal, differing, single, sumOf } = said
  if (differing > 0 && differing * share >= equal + differing + single)
    return proof('guest', 'amounts_differ', differing)
  const whole = sums.get(header)
  if (whole !== undefined) return proof('guest', 'adds_up_to', equal, whole)
  if (sumOf !== null) return proof('booking', 'sum_of', equal, sumOf)
  return single > 0 && equal === 0 && differing === 0 ? proof('booking', 'one_line', single) : undefined
}

/** What the amounts of a file are amounts of, with the reason; null where the file has none of which that could be asked. */
export function describeAmounts(
  { amounts, headers }: Pick<FileAnalysis, 'amounts' | 'headers'>,
  mapping: Pick<ImportMapping, 'columns'>,
): ImportBatch['amounts'] {
  const money = headers.filter((header) => {
    const field = fieldOf(mapping, header)
    return field !== undefined && moneyFields.includes(field)
  })
  if (money.length === 0) return null
  const reference = amounts && fieldOf(mapping, amounts.reference)
  // lines of a booking may be its versions
  const areLines =
    (reference === 'booking_ref' || reference === 'external_ref') &&
    !Object.values(mapping.columns).includes('changed_at')
  const said = areLines && amounts ? amounts.columns : {}
  // the other way round: by the column that is a sum of another, which is one of the file's amounts alone
  const sums = new Map(
    Object.entries(said).flatMap(([whole, { sumOf }]): [string, string][] =>
      sumOf === null || money.includes(whole) ? [] : [[sumOf, whole]],
    ),
  )
  const proofs = money.flatMap((header) => proofOf(header, said[header], sums) ?? [])
  const [first] = proofs
  if (first && proofs.every(({ of }) => of === first.of)) return first
  const asked = money.find((header) => (said[header]?.equal ?? 0) > 0) ?? (first && money[0])
  if (asked === undefined) return null
  return { of: null, reason: 'nothing', column: asked, other: null, parties: said[asked]?.equal ?? 0 }
}

/** What the amounts of a file are amounts of: by decision, by proof, else of bookings. */
export const amountsOf = (analysis: FileAnalysis, mapping: ImportMapping): 'booking' | 'guest' =>
  mapping.amountsOf ?? describeAmounts(analysis, mapping)?.of ?? 'booking'
