import { setTimeout as sleep } from 'node:timers/promises'
import { createBooking } from '@tour-ops/contract/bookings/bookings'
import type { In } from '@tour-ops/contract/callable'
import { guestAudience, previewGuestText, sendGuestMessage } from '@tour-ops/contract/notifications/guest-messages'
import { getOverview } from '@tour-ops/contract/overview/overview'
import { createTransport } from 'nodemailer'
import type pg from 'pg'
import { accountOf, boardingDeparture } from '../apps/server/testing/accounts.ts'
import { mailSink, type MailSink } from '../apps/server/testing/mail-sink.ts'
import { freePort, type Person, signIn, startProgram } from '../apps/server/testing/programs.ts'
import { atMost, type Bench, type Measure, median, percentile, type Scale } from './measurement.ts'
import { type Prepared, prepareOrganization } from './prepared.ts'

/** Goals of the product: all e-mails of a day's worst hour, and what somebody waits for while they write. */
const leaveGoalMs = 60_000
const previewGoalMs = 1000
const boardGoalMs = 500
/** Guests of one departure, each with a booking of their own. */
const partiesOfOne = 500

const texts = [
  {
    language: 'en' as const,
    subject: 'Running late: {{tour}}',
    body: 'Hello {{name}},\n\nplease wait at {{meeting_point}}.\n\n{{link}}\n\n{{company}}',
  },
]

/**
 * A message to thousands of guests: how long its preview takes, until the last e-mail is with a mail server that takes everything at once, and how
 * long the board takes meanwhile. Compared with the same e-mails handed over by the library alone, without a database.
 */
export const messagesBench: Bench = {
  name: 'messages',
  title: 'A message to many guests',
  async run(scale) {
    const prepared = await prepareOrganization('messages')
    const sink = await mailSink()
    const program = await startProgram({
      DATA_DIR: prepared.dataDir,
      PORT: String(await freePort()),
      SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
      MAIL_FROM: 'Tours <office@example.com>',
    })
    try {
      return await measure(prepared, program.base, sink, scale)
    } finally {
      program.child.kill('SIGTERM')
      await program.ended
      await sink.close()
      prepared.remove()
    }
  },
}

async function measure(prepared: Prepared, base: string, sink: MailSink, scale: Scale): Promise<Measure[]> {
  const departures = scale === 'full' ? 10 : 1
  const admin = await signIn(base, accountOf('admin'))
  const owner = prepared.owner()
  const departureIds: string[] = []
  for (let n = 0; n < departures; n += 1) departureIds.push(await sellOut(admin, owner, prepared.orgId))
  await owner.query('analyze')
  await owner.end()
  const some = { departureIds: departureIds.slice(0, 4), bookingIds: [], withUnconfirmed: false }
  const previews = await timesOf(scale === 'full' ? 30 : 3, async () => {
    const { count } = await admin.call(guestAudience, { audience: some })
    await admin.call(previewGuestText, { audience: some, texts, at: count - 1 })
  })
  const quiet = await timesOf(scale === 'full' ? 30 : 3, () => admin.call(getOverview, {}))
  const audience = { ...some, departureIds }
  const { count } = await admin.call(guestAudience, { audience })
  const { sentMs, leftMs, boards } = await send(admin, sink, audience, count)
  const byHandMs = await sendByHand(sink, count)
  const preview = percentile(previews, 0.95)
  const board = percentile(boards, 0.95)
  return [
    {
      name: `preview for ${some.departureIds.length * partiesOfOne} guests, p95`,
      value: preview,
      unit: 'ms',
      goal: atMost(preview, previewGoalMs, 'ms'),
      samples: previews.length,
    },
    { name: `"Send" to ${count} guests until its answer`, value: sentMs, unit: 'ms', samples: 1 },
    {
      name: `${count} e-mails from when they are due to the mail server`,
      value: leftMs,
      unit: 'ms',
      against: { name: 'the library alone, as many connections', value: byHandMs },
      ratio: byHandMs / leftMs,
      goal: atMost(leftMs, leaveGoalMs, 'ms'),
      samples: count,
    },
    {
      name: 'the board meanwhile, p95',
      value: board,
      unit: 'ms',
      against: { name: 'before', value: percentile(quiet, 0.95) },
      goal: atMost(board, boardGoalMs, 'ms'),
      samples: boards.length,
      note: `median ${Math.round(median(boards))} ms, before ${Math.round(median(quiet))} ms`,
    },
  ]
}

/** A departure with a booking for each seat; all but the first are written by the database, as they would take minutes to sell. */
async function sellOut(admin: Person, owner: pg.Pool, orgId: string): Promise<string> {
  const departureId = await boardingDeparture(admin, owner, { orgId, capacity: partiesOfOne })
  const { id } = await admin.call(createBooking, {
    departureId,
    mode: 'confirm',
    channel: 'walk_in',
    contact: { name: 'Guest 0', email: 'guest0@example.org', locale: 'en' },
    units: [{ unitType: 'adult', quantity: 1 }],
    tellGuest: false,
  })
  await owner.query(
    `insert into bookings (org_id, id, booking_ref, departure_id, status, kind, channel, contact_name, contact_email, contact_locale, units, pax,
       amount_total_minor, currency, payment_status, confirmed_at)
     select org_id, gen_random_uuid(), 'M' || upper(substr(md5(b.id::text || n), 1, 8)), departure_id, status, kind, channel, 'Guest ' || n,
       'guest' || n || '@example.org', contact_locale, units, pax, amount_total_minor, currency, payment_status, confirmed_at
     from bookings b, generate_series(1, $2::int) n where b.id = $1`,
    [id, partiesOfOne - 1],
  )
  return departureId
}

async function timesOf(rounds: number, act: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < rounds; n += 1) {
    const at = performance.now()
    await act()
    times.push(performance.now() - at)
  }
  return times
}

type Audience = In<typeof sendGuestMessage>['audience']

async function send(admin: Person, sink: MailSink, audience: Audience, count: number) {
  const before = sink.taken()
  const sendAt = new Date(Date.now() + 20_000)
  const at = performance.now()
  await admin.call(sendGuestMessage, { audience, texts, count, sendAt: sendAt.toISOString() })
  const sentMs = performance.now() - at
  await sleep(Math.max(0, sendAt.getTime() - Date.now()))
  const dueAt = performance.now()
  const boards: number[] = []
  while (sink.taken() < before + count && performance.now() - dueAt < 20 * leaveGoalMs) {
    boards.push(...(await timesOf(1, () => admin.call(getOverview, {}))))
    await sleep(100)
  }
  return { sentMs, leftMs: performance.now() - dueAt, boards }
}

async function sendByHand(sink: MailSink, count: number): Promise<number> {
  const transport = createTransport({
    host: '127.0.0.1',
    port: sink.port,
    pool: true,
    maxConnections: 5,
    maxMessages: Infinity,
  })
  const at = performance.now()
  const mail = (n: number) => ({
    from: 'office@example.com',
    to: `guest${n}@example.org`,
    subject: 'Running late',
    text: texts[0]?.body ?? '',
  })
  await Promise.all(Array.from({ length: count }, (_, n) => transport.sendMail(mail(n))))
  transport.close()
  return performance.now() - at
}
