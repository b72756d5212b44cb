import type { listProposals, PartyOfCancelled, ProposalState } from '@tour-ops/contract/bookings/proposals'
import type { Out } from '@tour-ops/contract/callable'
import { TourContent } from '@tour-ops/contract/tours/tour-content'
import { type OptionPrices, type TourUnit, unitsAt } from '@tour-ops/contract/units'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { iso } from '../../platform/list-query.ts'
import { isOpenProposal, selectAlternatives } from '../../platform/operations/proposals.ts'
import { priceThereMinor } from './price-there.ts'
import { selectAllSold, type SoldRow } from './sold-party.ts'

interface Row extends Omit<PartyOfCancelled, 'contact' | 'state' | 'proposal' | 'departure' | 'amountsThere'> {
  contactName: string
  contactEmail: string | null
  contactPhone: string | null
  contactLocale: string | null
  contactCountry: string | null
  /** Confirmed, and still on the cancelled departure. */
  isStranded: boolean
  proposalId: string | null
  toDepartureId: string | null
  expiresAt: Date | null
  outcome: string | null
  endedAt: Date | null
  answeredBy: 'guest' | 'office' | null
  isOpen: boolean
  departureId: string | null
  departureCode: string | null
  departureStartsAt: Date | null
  departureTimeZone: string | null
}

/** Parties of a cancelled departure: who is still booked on it, and who was offered something. */
export async function selectProposals(call: MemberCall, departureId: string): Promise<Out<typeof listProposals>> {
  const { rows } = await sql<Row>`
    select b.id, b.version, b.booking_ref as "bookingRef", b.contact_name as "contactName", b.contact_email as "contactEmail",
      b.contact_phone as "contactPhone", b.contact_locale as "contactLocale", b.contact_country as "contactCountry", b.pax,
      b.amount_total_minor as "amountTotalMinor", b.amount_paid_minor as "amountPaidMinor", b.currency,
      b.departure_id = ${departureId} and b.status = 'confirmed' as "isStranded",
      p.id as "proposalId", p.to_departure_id as "toDepartureId", p.expires_at as "expiresAt", p.outcome, p.ended_at as "endedAt",
      p.answered_by as "answeredBy", coalesce(${isOpenProposal}, false) as "isOpen",
      d.id as "departureId", d.code as "departureCode", d.starts_at as "departureStartsAt", d.time_zone as "departureTimeZone"
    from bookings b
    left join lateral (select * from proposals last where last.org_id = b.org_id and last.booking_id = b.id and last.from_departure_id = ${departureId}
      order by last.asked_at desc, last.id desc limit 1) p on true
    left join departures d on d.org_id = b.org_id
      and d.id = case when b.departure_id <> ${departureId} then b.departure_id when ${isOpenProposal} then p.to_departure_id end
    where b.org_id = ${call.orgId} and ((b.departure_id = ${departureId} and b.status = 'confirmed') or p.id is not null)
    order by b.contact_name collate "und-x-icu", b.id`.execute(call.tx)
  const alternatives = await selectAlternatives(call.tx, call.orgId, departureId)
  const others = await pricesOfOthers(
    call,
    alternatives.filter(({ isOtherTour }) => isOtherTour).map((one) => one.departureId),
  )
  const stranded = others.length > 0 ? rows.filter(({ isStranded }) => isStranded).map(({ id }) => id) : []
  const sold = await selectAllSold(call, stranded)
  const parties = rows.map((row) => ({ ...partyOf(row), amountsThere: amountsThere(sold.get(row.id), others) }))
  return { parties, alternatives }
}

function partyOf(row: Row): Omit<PartyOfCancelled, 'amountsThere'> {
  const { id, version, bookingRef, pax, amountTotalMinor, amountPaidMinor, currency } = row
  const { proposalId, expiresAt, departureId, departureCode, departureStartsAt, departureTimeZone } = row
  return {
    id,
    version,
    bookingRef,
    pax,
    amountTotalMinor,
    amountPaidMinor,
    currency,
    contact: {
      name: row.contactName,
      email: row.contactEmail,
      phone: row.contactPhone,
      locale: row.contactLocale,
      country: row.contactCountry,
    },
    state: stateOf(row),
    proposal:
      proposalId === null || expiresAt === null
        ? null
        : {
            id: proposalId,
            toDepartureId: row.toDepartureId,
            expiresAt: iso(expiresAt),
            endedAt: row.endedAt && iso(row.endedAt),
            answeredBy: row.answeredBy,
          },
    departure:
      departureId === null || departureCode === null || departureStartsAt === null || departureTimeZone === null
        ? null
        : { id: departureId, code: departureCode, startsAt: iso(departureStartsAt), timeZone: departureTimeZone },
  }
}

/** A proposal whose time is over has run out before the sweep says so. A party that was brought back is to be asked again. */
function stateOf({ isOpen, isStranded, outcome, proposalId }: Row): ProposalState {
  if (isOpen) return 'open'
  if (isStranded) return proposalId !== null && (outcome === null || outcome === 'expired') ? 'expired' : 'unasked'
  return outcome === 'moved' || outcome === 'refunded' ? outcome : 'settled'
}

interface Priced {
  readonly departureId: string
  readonly prices: readonly TourUnit[]
}

/** What seats cost on departures of other tours. */
async function pricesOfOthers(call: MemberCall, departureIds: readonly string[]): Promise<Priced[]> {
  const { rows } = await sql<{ id: string; content: unknown; optionPrices: OptionPrices | null }>`
    select d.id, r.content, o.prices as "optionPrices" from departures d
    left join tour_revisions r on r.org_id = d.org_id and r.id = d.revision_id
    left join tour_options o on o.org_id = d.org_id and o.id = d.option_id
    where d.org_id = ${call.orgId} and d.id = any (${[...departureIds]}::uuid[]) order by d.starts_at, d.id`.execute(
    call.tx,
  )
  return rows.map(({ id, content, optionPrices }) => ({
    departureId: id,
    prices: unitsAt(TourContent.parse(content ?? {}).units, optionPrices),
  }))
}

const amountsThere = (sold: SoldRow | undefined, others: readonly Priced[]): PartyOfCancelled['amountsThere'] =>
  sold ? others.map(({ departureId, prices }) => ({ departureId, amountMinor: priceThereMinor(sold, prices) })) : []
