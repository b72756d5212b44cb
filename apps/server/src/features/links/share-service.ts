import {
  answerOffer,
  answerRollCall,
  confirmParty,
  getSharedPage,
  giveFeedback,
  setGuestEmails,
  writeSharedMessage,
} from '@tour-ops/contract/links/shared-page'
import type { Call } from '../../context.ts'
import { isMembersLook, openForGuest } from '../../platform/operations/guest-link.ts'
import { type AnyLink, isOfDeparture, linkOver, openAnyLink, openLink } from '../../platform/operations/open-link.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { tellOfFirstOpening } from './first-opening.ts'
import { writeGuestEmails } from './guest-emails-choice.ts'
import { selectGuestFeedback, writeGuestFeedback } from './guest-feedback.ts'
import { answerGuestOffer } from './guest-offer.ts'
import { confirmGuestParty } from './guest-party.ts'
import { selectGuestRollCall, writeGuestAnswers } from './guest-roll-call.ts'
import { writeGuestMessage } from './guest-thread.ts'
import { selectLiveMap } from './live-map.ts'
import { countVisit } from './link-visits.ts'
import { isNewlyPoor, tellOfPoorRating } from './poor-rating.ts'
import { isGuestLink, selectPageOf } from './share-store.ts'
import { selectSharedReport } from './shared-report.ts'
import { selectSupplierManifest } from './supplier-manifest.ts'

/** What the page of a link shows; undefined where there is nothing to show any more. */
async function selectAnswer(call: Call, link: AnyLink) {
  const { tx } = call
  const now = call.clock.now()
  if (link.kind === 'report') return selectSharedReport(call, link, now)
  if (link.kind === 'live_map') return selectLiveMap(tx, link, now)
  if (link.kind === 'supplier_manifest' && isOfDeparture(link)) return selectSupplierManifest(tx, link, now)
  return isGuestLink(link) ? selectPageOf(tx, link, now) : undefined
}

const share = verb(getSharedPage, async (call, { token, visit }) => {
  const link = await openAnyLink(call, token)
  if (visit !== undefined && call.caller === null && (await countVisit(call, link, visit)))
    await tellOfFirstOpening({ ...call, orgId: link.orgId }, link)
  const page = await selectAnswer(call, link)
  if (!page) throw linkOver()
  return { ...page, isPreview: await isMembersLook(call, link) }
})

const answer = verb(answerRollCall, async (call, { token, people, answer: said }) => {
  const link = await openLink(call, token)
  const written = await writeGuestAnswers({ ...call, orgId: link.orgId }, link, { people, answer: said })
  const rollCall = await selectGuestRollCall(call.tx, link)
  if (written < new Set(people).size || rollCall === null) throw linkOver()
  return rollCall
})

const confirm = verb(confirmParty, async (call, { token, ...party }) => {
  const link = await openForGuest(call, token)
  return confirmGuestParty({ tx: call.tx, orgId: link.orgId, channels: call.channels }, link, party)
})

const feedback = verb(giveFeedback, async (call, { token, version, tourRating, guideRating, nps, comment }) => {
  const link = await openForGuest(call, token)
  const before = await selectGuestFeedback(call.tx, link)
  const after = await writeGuestFeedback(call.tx, link, version, { tourRating, guideRating, nps, comment })
  if (after.said && (await isNewlyPoor(call.tx, link.orgId, after.said, before?.said ?? null))) {
    await tellOfPoorRating({ ...call, orgId: link.orgId }, link, after.said)
  }
  return after
})

const offer = verb(answerOffer, async (call, { token, take }) => {
  const link = await openForGuest(call, token)
  return answerGuestOffer({ tx: call.tx, orgId: link.orgId, channels: call.channels }, link, take)
})

const emails = verb(setGuestEmails, async (call, { token, isOptedOut }) =>
  writeGuestEmails(call.tx, await openForGuest(call, token), isOptedOut),
)

const message = verb(writeSharedMessage, async (call, { token, body }) => {
  const link = await openForGuest(call, token)
  return writeGuestMessage({ ...call, orgId: link.orgId }, link, body)
})

export const shareVerbs: Verb[] = [share, answer, confirm, offer, feedback, emails, message]
