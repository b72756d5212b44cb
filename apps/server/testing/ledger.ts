import { isDeepStrictEqual } from 'node:util'
import { createBooking } from '@tour-ops/contract/bookings/bookings'
import { checkIn } from '@tour-ops/contract/bookings/manifest'
import { createTraveler } from '@tour-ops/contract/travelers/travelers'
import type pg from 'pg'
import type { Random } from '../seed/random.ts'
import { newId } from '../src/platform/ids.ts'
import type { Answer, Person } from './programs.ts'

// For tests that kill servers: many clients write, and what was answered is remembered outside of the server.

interface Write {
  readonly table: 'travelers' | 'bookings' | 'check_ins'
  /** What distinguishes this write from every other one in its table. */
  readonly mark: string
  /** Sends it, and again as the very same request. */
  readonly send: (base: string) => Promise<Answer<unknown>>
  /** What the server answered; undefined while it has not, and forever when it died before. */
  result?: unknown
}

export interface LedgerOptions {
  readonly person: Person
  readonly orgId: string
  /** Departures that board. */
  readonly departureIds: readonly string[]
  readonly random: Random
}

/** Every write that was sent, and what was answered. */
export class WriteLedger {
  readonly #options: LedgerOptions
  readonly #writes: Write[] = []
  /** Guests who were sold a seat and are not aboard yet. */
  readonly #expected: { departureId: string; entryId: string }[] = []
  #isStopped = true

  constructor(options: LedgerOptions) {
    this.#options = options
  }

  get acknowledged(): number {
    return this.#writes.filter((write) => write.result !== undefined).length
  }

  /** The writes that are acknowledged by now, for `problems` of a copy that is taken from here on. */
  acknowledgedNow(): ReadonlySet<Write> {
    return new Set(this.#writes.filter((write) => write.result !== undefined))
  }

  get sent(): number {
    return this.#writes.length
  }

  /** Writes with this many clients until `stop`, or until the server no longer answers. */
  async load(base: string, clients: number): Promise<void> {
    this.#isStopped = false
    await Promise.all(Array.from({ length: clients }, () => this.#keepWriting(base)))
  }

  stop(): void {
    this.#isStopped = true
  }

  async #keepWriting(base: string): Promise<void> {
    while (!this.#isStopped) {
      const write = this.#nextWrite()
      this.#writes.push(write)
      if (!(await this.#deliver(write, base))) return
    }
  }

  /** True when it was answered. A server that has lost its database says so, which answers nothing about the write. */
  async #deliver(write: Write, base: string): Promise<boolean> {
    const answer = await write.send(base)
    if (answer.kind === 'result') {
      write.result ??= answer.result
      if (isDeepStrictEqual(write.result, answer.result)) return true
      throw new Error(
        `${write.mark} was answered ${JSON.stringify(write.result)}, then ${JSON.stringify(answer.result)}`,
      )
    }
    if (answer.kind === 'lost' || ['UNAVAILABLE', 'INTERNAL', 'CANCELLED'].includes(answer.status)) return false
    throw new Error(`${write.mark} was refused: ${answer.status} ${answer.message} ${JSON.stringify(answer.details)}`)
  }

  /** Sends again what was never answered, and some of what was: with the same keys, so that nothing may happen twice. */
  async repeat(base: string, answeredToo: number): Promise<void> {
    const open = this.#writes.filter((write) => write.result === undefined)
    const answered = this.#writes.filter((write) => write.result !== undefined)
    const some = Array.from({ length: Math.min(answeredToo, answered.length) }, () =>
      this.#options.random.pick(answered),
    )
    const outcomes = await Promise.all([...open, ...some].map((write) => this.#deliver(write, base)))
    if (outcomes.includes(false)) throw new Error('A repeated write was not answered')
  }

  /**
   * What is wrong: a write that was answered and is not there, one that is there twice, one that nobody sent.
   *
   * @param expected Writes that must be there; all acknowledged ones unless given.
   */
  async problems(ownerPool: pg.Pool, expected = this.acknowledgedNow()): Promise<string[]> {
    const { rows } = await ownerPool.query<{ table: string; mark: string; times: number }>(
      `select 'travelers' as table, last_name as mark, count(*)::int as times from travelers
         where org_id = $1 and last_name like 'Ledger %' group by 2
       union all select 'bookings', contact_name, count(*)::int from bookings where org_id = $1 and contact_name like 'Party %'
         group by 2
       union all select 'check_ins', client_event_id, count(*)::int from check_ins where org_id = $1 group by 2`,
      [this.#options.orgId],
    )
    const times = new Map(rows.map((row) => [`${row.table} ${row.mark}`, row.times]))
    const found = this.#writes.flatMap((write) => {
      const { table, mark } = write
      const here = times.get(`${table} ${mark}`) ?? 0
      times.delete(`${table} ${mark}`)
      if (here > 1) return [`${table} ${mark} is there ${here} times`]
      return expected.has(write) && here === 0 ? [`${table} ${mark} was acknowledged and is gone`] : []
    })
    return [...found, ...[...times.keys()].map((mark) => `${mark} was never sent`), ...(await this.#halves(ownerPool))]
  }

  /** What one write changes in several tables is there as a whole: seats are counted, guests are aboard, the audit log knows. */
  async #halves(ownerPool: pg.Pool): Promise<string[]> {
    const { rows } = await ownerPool.query<{ problem: string }>(
      `select 'seats of ' || d.code || ' are ' || d.seats_confirmed || ', sold are ' || coalesce(sum(b.pax), 0) as problem
         from departures d left join bookings b on b.org_id = d.org_id and b.departure_id = d.id and b.status = 'confirmed'
        where d.org_id = $1 group by d.org_id, d.id having d.seats_confirmed <> coalesce(sum(b.pax), 0)
       union all select b.contact_name || ' lacks a guest' from bookings b
        where b.org_id = $1 and b.contact_name like 'Party %'
          and b.pax <> (select count(*) from manifest_entries m where m.org_id = b.org_id and m.booking_id = b.id)
       union all select 'entry ' || m.id || ' has no check-in' from manifest_entries m where m.org_id = $1
         and (m.status = 'checked_in') <> exists (select from check_ins c where c.org_id = m.org_id and c.manifest_entry_id = m.id)
       union all select 'no audit entry of ' || t.last_name from travelers t where t.org_id = $1 and not exists (
         select from audit_entries a where a.org_id = t.org_id and a.entity_type = 'travelers' and a.entity_id = t.id::text)`,
      [this.#options.orgId],
    )
    return rows.map(({ problem }) => problem)
  }

  #nextWrite(): Write {
    const { random } = this.#options
    const roll = random.next()
    const guest = roll < 0.35 ? this.#expected.shift() : undefined
    if (guest) return this.#checkIn(guest)
    return roll < 0.65 ? this.#booking() : this.#traveler()
  }

  #traveler(): Write {
    const { person } = this.#options
    const mark = `Ledger ${this.#writes.length}`
    const input = { firstName: 'Amara', lastName: mark, idempotencyKey: newId() }
    return { table: 'travelers', mark, send: (base) => person.ask(createTraveler, input, base) }
  }

  #booking(): Write {
    const { person, departureIds, random } = this.#options
    const mark = `Party ${this.#writes.length}`
    const departureId = random.pick(departureIds)
    const pax = random.between(1, 2)
    const input = {
      departureId,
      mode: 'confirm' as const,
      channel: 'walk_in' as const,
      contact: { name: mark },
      units: [{ unitType: 'adult' as const, quantity: pax }],
      guests: Array.from({ length: pax }, (_, n) => ({ lastName: `Guest ${mark} ${n}`, unitType: 'adult' as const })),
      idempotencyKey: newId(),
    }
    const send = async (base: string): Promise<Answer<unknown>> => {
      const answer = await person.ask(createBooking, input, base)
      if (answer.kind !== 'result' || seen) return answer
      seen = true
      for (const { entryId } of answer.result.guests) if (entryId) this.#expected.push({ departureId, entryId })
      return answer
    }
    let seen = false
    return { table: 'bookings', mark, send }
  }

  /** Every other one has no idempotency key: the event of the device is key enough. */
  #checkIn({ departureId, entryId }: { departureId: string; entryId: string }): Write {
    const { person, random } = this.#options
    const mark = newId()
    const key = random.chance(0.5) ? { idempotencyKey: newId() } : {}
    const input = { departureId, entries: [{ entryId, clientEventId: mark }], ...key }
    const send = async (base: string): Promise<Answer<unknown>> => {
      const answer = await person.ask(checkIn, input, base)
      if (answer.kind !== 'result') return answer
      const [event] = answer.result.entries
      if (event?.status !== 'checked_in') throw new Error(`Check-in ${mark} came to ${JSON.stringify(event)}`)
      // `done` the first time and `repeated` after it, which is the same fact
      return { kind: 'result', result: { entryId: event.entryId, status: event.status } }
    }
    return { table: 'check_ins', mark, send }
  }
}
