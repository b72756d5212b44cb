import type { AppError } from '@tour-ops/contract/errors'
import { partsOfKey } from '@tour-ops/contract/links/link-key'
import { type LinkKind, LinkScopes } from '@tour-ops/contract/links/links'
import type { ReportOfLink } from '@tour-ops/contract/links/report-of-link'
import { refuse } from '@tour-ops/contract/refusals'
import { type RawBuilder, sql } from 'kysely'
import type { Call } from '../../context.ts'
import { hashOfToken } from './address-token.ts'
import { linkDeparture, linkEnd } from './link-end.ts'
import { hasPass, isPass, passOf } from './link-passcode.ts'

/** An open link of any kind. */
export interface AnyLink {
  readonly orgId: string
  readonly id: string
  readonly kind: LinkKind
  readonly subjectId: string
  /** Null where it is of no departure: it shows several. */
  readonly departureId: string | null
  /** Of a live map: the tour that it shows. */
  readonly tourId: string | null
  /** Of a report: which one, of which days. */
  readonly report: ReportOfLink | null
  /** The booking that its readers are on, and whose pickup they have; null on links of a whole departure. */
  readonly bookingId: string | null
  /** Of the link of a traveler: nobody else is shown to them. */
  readonly travelerId: string | null
  /** Whether it is read by everybody on the booking: by its party, or by a traveler who booked alone. */
  readonly isWholeParty: boolean
  /** Of a supplier manifest: for whom it is; null where it is for no supplier in particular. */
  readonly supplierId: string | null
  readonly scopes: LinkScopes
  /** How much later, seconds, and how precisely, meters, its readers see where the tour is. */
  readonly delayS: number
  readonly blurM: number
  readonly language: string | null
  readonly expiresAt: Date
}

/** An open link of a departure, as the guest's page needs it. */
export interface OpenLink extends AnyLink {
  readonly departureId: string
}

/** Which link something is noted of. */
export type LinkRef = Pick<AnyLink, 'orgId' | 'id'>

/** One answer for unknown, paused, expired and revoked links, so that it reveals nothing. See docs/domain.md, "Shared links". */
export const linkOver = (): AppError => refuse('shared_link_over')

/** Links keep their scopes as they were chosen; what was added to the list since then has its default. */
export const scopesOf = (stored: unknown): LinkScopes => LinkScopes.parse(stored ?? {})

interface Directory {
  orgId: string
  linkId: string
  tokenRevoked: boolean
}

/**
 * Finds the link behind the key of a page and continues inside its organization, as the guest of the link.
 *
 * @throws AppError `not-found`, the same for unknown, paused, expired and revoked links, and with reason `shared_link_early` before it opens; `aborted`,
 * reason `link_passcode_needed`.
 */
export async function openAnyLink(call: Call, key: string): Promise<AnyLink> {
  const { token, pass } = partsOfKey(key)
  const { passcodeHash, ...link } = await findLink(call, token)
  if (passcodeHash === null) return link
  const wanted = passOf(call.config.secret, token, passcodeHash)
  if (!isPass(pass, wanted) && !hasPass(call.request.cookies, token, wanted)) throw refuse('link_passcode_needed')
  return link
}

/** The same for what is done or read on one departure: any other link is over. @throws AppError as `openAnyLink`. */
export async function openLink(call: Call, key: string): Promise<OpenLink> {
  const link = await openAnyLink(call, key)
  if (!isOfDeparture(link)) throw linkOver()
  return link
}

export const isOfDeparture = (link: AnyLink): link is OpenLink => link.departureId !== null

/** A link whose passcode nobody has asked for yet. */
export type FoundLink = AnyLink & { readonly passcodeHash: string | null }

/** The same without its passcode: for the page that asks for it, and nothing else. @throws AppError `not-found` as `openAnyLink`. */
export async function findLink(call: Pick<Call, 'tx'>, token: string): Promise<FoundLink> {
  const { rows } = await sql<Directory>`
    select org_id as "orgId", link_id as "linkId", token_revoked as "tokenRevoked"
    from shared_link_of_token(${hashOfToken(token)})`.execute(call.tx)
  const found = rows[0]
  if (!found || found.tokenRevoked) throw linkOver()
  await sql`select set_config('app.org_id', ${found.orgId}, true), set_config('app.actor_kind', 'guest_link', true),
    set_config('app.user_id', ${found.linkId}, true)`.execute(call.tx)
  const { rows: links } = await sql<Omit<FoundLink, 'scopes'> & { scopes: unknown }>`
    select l.org_id as "orgId", l.id, l.kind, l.subject_id as "subjectId", d.id as "departureId", b.id as "bookingId", l.traveler_id as "travelerId", l.tour_id as "tourId", ${reportOfLink} as report,
      b.id is not null and (l.traveler_id is null or seat.is_alone) as "isWholeParty", l.supplier_id as "supplierId", l.scopes,
      l.location_delay_s as "delayS", l.blur_m as "blurM", l.locale as language, ${linkEnd} as "expiresAt", l.passcode_hash as "passcodeHash"
    from shared_links l ${linkDeparture}
    where l.org_id = ${found.orgId} and l.id = ${found.linkId} and ${opensNow}`.execute(call.tx)
  const link = links[0]
  if (!link) throw await refusalOf(call, found)
  return { ...link, scopes: scopesOf(link.scopes) }
}

/** Whoever has the address of a link that will open was given it: they are told when. */
async function refusalOf({ tx }: Pick<Call, 'tx'>, { orgId, linkId }: Directory): Promise<AppError> {
  const { rows } = await sql<{ startsAt: Date }>`
    select l.starts_at as "startsAt" from shared_links l ${linkDeparture} where l.org_id = ${orgId} and l.id = ${linkId} and ${opensLater}`.execute(
    tx,
  )
  return rows[0] ? refuse('shared_link_early', { opensAt: rows[0].startsAt.toISOString() }) : linkOver()
}

/** Kinds whose page is not that of one departure. */
const ofNoDeparture = sql`('live_map', 'report')`

/** What a link `l` shows of the reports, as `ReportOfLink`; null where it shows none. */
export const reportOfLink: RawBuilder<unknown> = sql`case when l.report is not null then jsonb_build_object('name', l.report, 'compare', l.report_compare,
        'period', case when l.report_days is null then jsonb_build_object('kind', 'dates', 'from', l.report_from, 'to', l.report_to)
          else jsonb_build_object('kind', 'days', 'days', l.report_days) end) end`

/** A traveler whose profile was erased, merged or archived has no page any more. */
const isOfSomebody = sql`(l.traveler_id is null or exists (select from travelers v where v.org_id = l.org_id and v.id = l.traveler_id
      and v.anonymised_at is null and v.merged_into_id is null and v.archived_at is null))`

const isOpenUntilEnd = sql`(l.status in ('active', 'scheduled') and ${linkEnd} > app_now()
  and ${isOfSomebody} and (d.id is not null or l.kind in ${ofNoDeparture}))`

/** Whether a link `l` with its departure (`linkDeparture`) opens anything now. */
export const opensNow: RawBuilder<boolean> = sql<boolean>`(l.starts_at <= app_now() and ${isOpenUntilEnd})`

/** Whether it opens something, and not yet. */
export const opensLater: RawBuilder<boolean> = sql<boolean>`(l.starts_at > app_now() and ${isOpenUntilEnd})`

/** The booking that the readers of a link may speak for; null where they are not its whole party. */
export const partyOf = ({ bookingId, isWholeParty }: AnyLink): string | null => (isWholeParty ? bookingId : null)
