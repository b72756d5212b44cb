import { previewDigest, sendDigestToMe } from '@tour-ops/contract/overview/daily-digest'
import { type NoticeChannel, noticeChannelsFor } from '@tour-ops/contract/settings/settings'
import type { MemberCall } from '../../context.ts'
import { localDateOf } from '../../platform/local-time.ts'
import { noticedPerson, sendNotice } from '../../platform/notices.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { noticeOf } from './daily-digest.ts'
import { selectDigest, selectSchedule } from './digest-facts.ts'
import { digestEmail, type DigestLetter } from './digest-text.ts'

/** As of now; null where there is nothing to say. @param isAsked Whether it leaves now; else it reads like the one of the day. */
async function letterNow(call: MemberCall, isAsked: boolean): Promise<DigestLetter | null> {
  const schedule = await selectSchedule(call.tx, call.orgId)
  const facts = await selectDigest(call, localDateOf(call.clock.now(), schedule.timeZone), schedule)
  return facts && { facts, schedule, publicUrl: call.config.publicUrl, isAsked: isAsked || schedule.at === null }
}

const preview = verb(previewDigest, async (call) => {
  const letter = await letterNow(call, false)
  const person = await noticedPerson(call, call.caller.userId)
  return { message: letter && person ? digestEmail(letter, person.locale) : null }
})

const send = verb(sendDigestToMe, async (call) => {
  const letter = await letterNow(call, true)
  const person = await noticedPerson(call, call.caller.userId)
  if (!letter || !person) return { channels: [] }
  const isReached: Record<NoticeChannel, boolean> = {
    in_app: true,
    push: person.browsers.length > 0,
    email: person.email !== null,
  }
  const reached = noticeChannelsFor(person.events, 'daily_digest').filter((channel) => isReached[channel])
  const channels: NoticeChannel[] = reached.length > 0 ? reached : ['in_app']
  await sendNotice(call, call.caller.userId, { ...noticeOf(letter), channels })
  return { channels }
})

export const digestVerbs: Verb[] = [preview, send]
